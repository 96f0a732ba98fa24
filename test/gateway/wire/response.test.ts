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

	test('has lowercase header names, and their values as text', () => {
		const given = { 'Content-Length': 5, DATE: ['Mon'], link: ['a', 'b'], 'x-a': null };
		const { link, ...headers } = response('', given).headers;
		expect(headers).toEqual({ 'content-length': '5', date: 'Mon' });
		expect(link).toMatch(/^a, ?b$/);
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
		['a comment and an html element', '<!-- portal --> <html>', ''],
		['a leading byte order mark', '\ufeff<!doctype html>', ''],
	])('is recognized by %s', (_, body, type) => {
		expect(isWebPage(response(body, { 'content-type': type }))).toBe(true);
	});

	test.each([
		['JSON', '{"page":"<html>"}', 'application/json'],
		['a text that the framework sends as HTML', 'OK', 'text/html; charset=utf-8'],
		['an SVG image sent as HTML', '<?xml version="1.0"?><!-- QR --><svg><a/></svg>', 'text/html'],
		['many unclosed marks', '<!'.repeat(100_000), 'text/html'],
	])('is not recognized in %s', (_, body, type) => {
		expect(isWebPage(response(body, { 'content-type': type }))).toBe(false);
	});
});

// The expressions that look for a page need more of the stack the longer the text is.
test('16 MB of declarations can be read', () => {
	expect(isWebPage(response('<!a>'.repeat(2 ** 22), { 'content-type': 'text/html' }))).toBe(false);
});

describe('the data of a response', () => {
	test('is parsed if it is JSON, and else text', () => {
		for (const type of ['application/json', 'text/html']) {
			const read = (body: string) => contents(response(body, { 'content-type': type }));
			expect(read('{"a":[1,"é👋"]}')).toEqual({ a: [1, 'é👋'] });
			expect(read('null')).toBeNull();
			expect(read('{"a":')).toBe('{"a":');
		}
	});

	test.each(['', '  \n', '\ufeff', '\ufeff  '])('is undefined for the empty body %j', (body) => {
		expect(contents(response(body))).toBeUndefined();
	});

	test.each<[string | undefined, string, string]>([
		['text/plain; charset=iso-8859-1', 'e9', 'é'],
		['application/json;charset="ISO-8859-1"', '7b2261223a22e9227d', '{"a":"é"}'],
		['text/plain; charset=utf-16le', 'fffe4f4b', '䭏'],
		['text/plain; charset=klingon', 'c3a9', 'é'],
	])('is read with the character set of the content type %s', (type, hex, text) => {
		const { data } = response(Buffer.from(hex, 'hex'), { 'Content-Type': type });
		expect(typeof data === 'string' ? data : JSON.stringify(data)).toBe(text);
	});
});

describe('the content type', () => {
	test.each([
		[{ 'Content-Type': ' Application/JSON ;charset=utf-8' }, 'application/json'],
		[{}, ''],
	])('of %j is %j', (headers, type) => {
		expect(contentType(response('x', headers))).toBe(type);
	});

	// It gets into items, and from there into pages.
	test.each([['image/png"><script>alert(1)</script>'], [`image/${'x'.repeat(128)}`]])(
		'is empty if the header is %j',
		(header) => {
			expect(contentType(response('x', { 'content-type': header }))).toBe('');
		},
	);
});
