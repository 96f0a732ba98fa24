import fc from 'fast-check';

import { isObject } from '../../../gateway/json';
import { redactor } from '../../../gateway/wire/redaction';
import {
	contentType,
	type GatewayResponse,
	isWebPage,
	readResponse,
} from '../../../gateway/wire/response';
import { response, unredacted } from '../../harness/responses';

const contents = (read: GatewayResponse) => read.data;

describe('a response', () => {
	const bytes = Buffer.from('{"url":"/tok-123/ping","n":1}');

	test('has its status, its bytes and its parsed data', () => {
		expect(readResponse({ status: 201, headers: {}, bytes }, unredacted)).toEqual({
			status: 201,
			headers: {},
			bytes,
			data: { url: '/tok-123/ping', n: 1 },
		});
	});

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

	test('keeps its bytes unchanged, because they may be an image', () => {
		expect(readResponse({ status: 200, headers: {}, bytes }, redactor(['tok-123'])).bytes).toBe(
			bytes,
		);
	});

	test('does not modify its input', () => {
		const headers = { Location: 'tok-123' };
		readResponse({ status: 200, headers, bytes }, redactor(['tok-123']));
		expect(headers).toEqual({ Location: 'tok-123' });
		expect(bytes.toString()).toBe('{"url":"/tok-123/ping","n":1}');
	});
});

describe('the content type', () => {
	test.each([
		['application/json', 'application/json'],
		['application/json; charset=utf-8', 'application/json'],
		[' Application/JSON ;charset=utf-8', 'application/json'],
		['', ''],
	])('of %j is %j', (value, type) => {
		expect(contentType(response('', { 'content-type': value }))).toBe(type);
		expect(contentType(response('', { 'Content-Type': value }))).toBe(type);
	});
});

test('the content type is empty without a header', () => {
	expect(contentType(response(''))).toBe('');
});

describe('a web page', () => {
	test.each([
		['an element and an HTML content type', 'Please <a href="/in">sign in</a>', 'text/html'],
		['an XHTML content type', '<?xml version="1.0"?><p>Hi</p>', 'application/xhtml+xml'],
		['a comment and an html element', '<!-- portal --> <html>', ''],
		['a head without an html element', '<head><title>Sign in</title>', 'text/plain'],
		['a doctype', '<!DOCTYPE html><html></html>', 'application/json'],
		['whitespace and lowercase letters', ' \r\n <!doctype html>', ''],
		['a leading byte order mark', '\ufeff<!doctype html>', ''],
		['a bare html element', '<html lang="en">', ''],
		['an html element only', '<HTML>', 'text/plain'],
	])('is recognized by %s', (_, body, type) => {
		expect(isWebPage(response(body, { 'content-type': type }))).toBe(true);
	});

	test.each([
		['JSON', '{"page":"<html>"}', 'application/json'],
		['JSON with an HTML content type', '{"status":"ONLINE"}', 'text/html'],
		['a text', 'Hello', 'text/plain'],
		['a text that the framework sends as HTML', 'OK', 'text/html; charset=utf-8'],
		['an SVG image sent as HTML', '<?xml version="1.0"?><!-- QR --><svg><a/></svg>', 'text/html'],
		['an empty body', '', ''],
		['an empty body with an HTML content type', ' \n', 'text/html'],
		['an SVG image', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
		['an element with the same prefix', '<htmlx>', 'text/xml'],
		['many unclosed marks', '<!'.repeat(100_000), 'text/html'],
	])('is not recognized in %s', (_, body, type) => {
		expect(isWebPage(response(body, { 'content-type': type }))).toBe(false);
	});
});

// The expressions that look for a page need more of the stack the longer the text is.
test.each([
	['comments', '<!--a-->'],
	['declarations', '<!a>'],
	['text', 'a'],
	['spaces', ' '],
])('16 MB of %s can be read', (_, part) => {
	const body = part.repeat(2 ** 24 / part.length);
	expect(isWebPage(response(body, { 'content-type': 'text/html' }))).toBe(false);
});

describe('the data of a response', () => {
	test.each<[string, string, unknown]>([
		['an object', '{"a":[1,"é👋"]}', { a: [1, 'é👋'] }],
		['a list', '[1,2]', [1, 2]],
		['a string', '"ONLINE"', 'ONLINE'],
		['a number', '5', 5],
		['null', 'null', null],
		['surrounding whitespace', ' \n{"a":1}\r\n', { a: 1 }],
		['a leading byte order mark', '\ufeff{"a":1}', { a: 1 }],
	])('is parsed if it is JSON: %s', (_, body, value) => {
		expect(contents(response(body))).toEqual(value);
		expect(contents(response(body, { 'content-type': 'text/html' }))).toEqual(value);
	});

	test.each([
		['a text', 'pong'],
		['a text that ends in a line break', 'pong\n'],
		['a web page', '<html>Bad Gateway</html>'],
		['truncated JSON', '{"a":'],
	])('is text if it is not JSON: %s', (_, body) => {
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
		['text/plain; charset=UTF-8', 'c3a9', 'é'],
		['text/plain; charset=', 'c3a9', 'é'],
		['text/plain; charset=klingon', 'c3a9', 'é'],
		['text/plain', 'c3a9', 'é'],
		[undefined, 'c3a9', 'é'],
	])('is read with the character set of the content type %s', (type, hex, text) => {
		const { data } = response(Buffer.from(hex, 'hex'), { 'Content-Type': type });
		expect(typeof data === 'string' ? data : JSON.stringify(data)).toBe(text);
	});

	test('is text for invalid UTF-8', () => {
		expect(typeof contents(response(Uint8Array.of(0xff, 0xfe, 0x80)))).toBe('string');
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

test('an object is neither a list nor null', () => {
	expect([{}, [], null, undefined, 'x', 5].map(isObject)).toEqual([
		true,
		...Array<boolean>(5).fill(false),
	]);
});

describe('the content type', () => {
	test.each([
		['text/plain', 'text/plain'],
		[' Text/HTML ; charset=utf-8', 'text/html'],
		['application/vnd.api+json', 'application/vnd.api+json'],
		['image/svg+xml', 'image/svg+xml'],
	])('of %j is %j', (header, type) => {
		expect(contentType(response('x', { 'content-type': header }))).toBe(type);
	});

	// It gets into items, and from there into pages.
	test.each([
		['image/png"><script>alert(1)</script>'],
		["image/x' onerror='alert(1)"],
		['image/<b>'],
		['image/a b'],
		['image/png/x'],
		['image/'],
		['image'],
		[`image/${'x'.repeat(128)}`],
	])('is empty if the header is %j', (header) => {
		expect(contentType(response('x', { 'content-type': header }))).toBe('');
	});
});
