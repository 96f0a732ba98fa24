import fc from 'fast-check';

import { redactor } from '../../../gateway/wire/redaction';
import {
	contentType,
	type GatewayResponse,
	isWebPage,
	readResponse,
} from '../../../gateway/wire/response';
import { response } from '../../harness/responses';

const contents = (read: GatewayResponse) => read.data;

describe('a response', () => {
	const bytes = Buffer.from('{"url":"/tok-123/ping","n":1}');

	test('has lowercase header names', () => {
		const given = { 'Content-Type': 'Text/HTML', DATE: 'Mon', 'x-a': 'B' };
		expect(response('', given).headers).toEqual({
			'content-type': 'Text/HTML',
			date: 'Mon',
			'x-a': 'B',
		});
	});

	test('has header values as text', () => {
		const { headers } = response('', { 'content-length': 5, date: ['Mon'], link: ['a', 'b'] });
		expect(headers['content-length']).toBe('5');
		expect(headers.date).toBe('Mon');
		expect(headers.link).toMatch(/^a, ?b$/);
	});

	test.each([[undefined], [null]])('omits a header of %j', (value) => {
		expect(response('', { date: value }).headers).toEqual({});
	});

	test('has redacted data and headers', () => {
		const redact = redactor(['tok-123']);
		const headers = { Location: 'https://h/tok-123/x', 'x-tok-123': 'tok-123' };
		const read = readResponse({ status: 302, headers, bytes }, redact);
		expect(read.data).toEqual({ url: '/***/ping', n: 1 });
		expect(read.headers).toEqual({ location: 'https://h/***/x', 'x-***': '***' });
		const text = Buffer.from('no such token: tok-123');
		expect(readResponse({ status: 404, headers: {}, bytes: text }, redact).data).toBe(
			'no such token: ***',
		);
	});
});

describe('a web page', () => {
	test.each([
		['an element and an HTML content type', 'Please <a href="/in">sign in</a>', 'text/html'],
		['an XHTML content type', '<?xml version="1.0"?><p>Hi</p>', 'application/xhtml+xml'],
		['a comment and an html element', '<!-- portal --> <html>', ''],
		['a leading byte order mark', '\ufeff<!doctype html>', ''],
		['a bare html element', '<html lang="en">', ''],
	])('is recognized by %s', (_, body, type) => {
		expect(isWebPage(response(body, { 'content-type': type }))).toBe(true);
	});

	test.each([
		['JSON', '{"page":"<html>"}', 'application/json'],
		['JSON with an HTML content type', '{"status":"ONLINE"}', 'text/html'],
		['a text that the framework sends as HTML', 'OK', 'text/html; charset=utf-8'],
		['an SVG image sent as HTML', '<?xml version="1.0"?><!-- QR --><svg><a/></svg>', 'text/html'],
		['an element with the same prefix', '<htmlx>', 'text/xml'],
		['many unclosed marks', '<!'.repeat(100_000), 'text/html'],
	])('is not recognized in %s', (_, body, type) => {
		expect(isWebPage(response(body, { 'content-type': type }))).toBe(false);
	});
});

// The expressions that look for a page need more of the stack the longer the text is.
test.each([['declarations', '<!a>']])('16 MB of %s can be read', (_, part) => {
	const body = part.repeat(2 ** 24 / part.length);
	expect(isWebPage(response(body, { 'content-type': 'text/html' }))).toBe(false);
});

describe('the data of a response', () => {
	test.each<[string, string, unknown]>([
		['an object', '{"a":[1,"é👋"]}', { a: [1, 'é👋'] }],
		['null', 'null', null],
	])('is parsed if it is JSON: %s', (_, body, value) => {
		expect(contents(response(body))).toEqual(value);
		expect(contents(response(body, { 'content-type': 'text/html' }))).toEqual(value);
	});

	test.each([['truncated JSON', '{"a":']])('is text if it is not JSON: %s', (_, body) => {
		expect(contents(response(body, { 'content-type': 'application/json' }))).toBe(body);
	});

	test.each(['', '  \n', '\ufeff', '\ufeff  '])('is undefined for the empty body %j', (body) => {
		expect(contents(response(body))).toBeUndefined();
	});

	test.each<[string | undefined, string, string]>([
		['text/plain; charset=iso-8859-1', 'e9', 'é'],
		['application/json;charset="ISO-8859-1"', '7b2261223a22e9227d', '{"a":"é"}'],
		['text/plain; charset=windows-1251', 'cff0', 'Пр'],
		['text/plain; charset=utf-16le', 'fffe4f4b', '䭏'],
		['text/plain; charset=klingon', 'c3a9', 'é'],
		[undefined, 'c3a9', 'é'],
	])('is read with the character set of the content type %s', (type, hex, text) => {
		const { data } = response(Buffer.from(hex, 'hex'), { 'Content-Type': type });
		expect(typeof data === 'string' ? data : JSON.stringify(data)).toBe(text);
	});

	test('is read from any bytes without an exception', () => {
		fc.assert(
			fc.property(fc.uint8Array(), (bytes) => {
				const read = contents(response(bytes));
				expect(read === undefined).toBe(Buffer.from(bytes).toString().trim() === '');
			}),
		);
	});
});

describe('the content type', () => {
	test.each([
		[{ 'Content-Type': ' Application/JSON ;charset=utf-8' }, 'application/json'],
		[{ 'content-type': 'application/vnd.api+json' }, 'application/vnd.api+json'],
		[{}, ''],
	])('of %j is %j', (headers, type) => {
		expect(contentType(response('x', headers))).toBe(type);
	});

	// It gets into items, and from there into pages.
	test.each([
		['image/png"><script>alert(1)</script>'],
		['image/<b>'],
		[`image/${'x'.repeat(128)}`],
	])('is empty if the header is %j', (header) => {
		expect(contentType(response('x', { 'content-type': header }))).toBe('');
	});
});
