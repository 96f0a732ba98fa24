import fc from 'fast-check';

import { redactor } from '../../gateway/redaction';

const TOKEN = 'tok/123+é';
const ENCODED = 'tok%2F123%2B%C3%A9';
const SECRET = 'very-secret';
const redact = redactor([TOKEN, SECRET]);

describe('token and secret', () => {
	test.each([
		['the token', `/api/whatsapp/${TOKEN}/ping`, '/api/whatsapp/***/ping'],
		['the token, URL-encoded', `https://h/${ENCODED}/ping`, 'https://h/***/ping'],
		['the secret', `key=${SECRET};`, 'key=***;'],
		[
			'all of them, each twice',
			[TOKEN, SECRET, ENCODED, TOKEN, SECRET, ENCODED].join(),
			'***,***,***,***,***,***',
		],
		['nothing else', 'tok/123', 'tok/123'],
	])('are taken out of a text: %s', (_, text, clean) => {
		expect(redact(text)).toBe(clean);
	});

	test('are taken out of values and names, at any depth', () => {
		expect(
			redact({
				url: `x${TOKEN}`,
				list: [ENCODED, [{ deep: `${SECRET}!`, [`by ${TOKEN}`]: 1 }]],
				[ENCODED]: { ok: true },
			}),
		).toEqual({
			url: 'x***',
			list: ['***', [{ deep: '***!', 'by ***': 1 }]],
			'***': { ok: true },
		});
	});

	test('are taken literally, whatever signs they have', () => {
		const signs = redactor(['a.*$&(b', '$1^[x]+']);
		expect(signs('a.*$&(b and $1^[x]+, but not aXX$&(b')).toBe('*** and ***, but not aXX$&(b');
	});

	test('that no URL can carry are taken out as they are', () => {
		expect(redactor(['tok-\ud83d-123'])('a tok-\ud83d-123 b')).toBe('a *** b');
	});

	test('of a few letters blot out nothing', () => {
		expect(redactor(['', 'a', 'ab12'])({ text: 'a tab12 costs 1.50' })).toEqual({
			text: 'a tab12 costs 1.50',
		});
	});

	const characters = fc.constantFrom(...'abzAZ019-_.~+/=%&é 👋"\\$');
	const key = fc.array(characters, { minLength: 6, maxLength: 20 }).map((parts) => parts.join(''));

	const small = (text: string) => text.replace(/%[\dA-F]{2}/g, (hex) => hex.toLowerCase());

	test('survive nowhere in any JSON', () => {
		const property = fc.property(key, fc.jsonValue(), fc.nat(7), (token, json, where) => {
			const spellings = [
				token,
				encodeURIComponent(token),
				encodeURIComponent(token).replaceAll('%20', '+'),
				encodeURI(token),
				small(encodeURIComponent(token)),
				JSON.stringify(token).slice(1, -1),
			];
			const hidden = [...spellings, `x${token}y`, `/${encodeURIComponent(token)}/`];
			const planted = {
				...{ json, list: [[hidden[where]]], object: { [hidden[where]!]: hidden[where] } },
			};
			const clean: unknown = redactor([token])(planted);
			const seen: string[] = [];
			JSON.stringify(clean, (name, value: unknown) => {
				seen.push(name);
				if (typeof value === 'string') seen.push(value);
				return value;
			});
			for (const text of seen) {
				for (const spelling of spellings) expect(text).not.toContain(spelling);
			}
		});
		fc.assert(property, { numRuns: 200 });
	});

	// What is left of the secret would be shown to everyone who sees the execution.
	test('are taken out whole where one starts with the other', () => {
		for (const secrets of [
			['tok-123', 'tok-123-secret'],
			['tok-123-secret', 'tok-123'],
			['123-sec', 'tok-123-secret'],
		]) {
			expect(redactor(secrets)('key: tok-123-secret')).toBe('key: ***');
		}
	});

	test('are taken out of URLs that write the hexadecimal digits small', () => {
		expect(redact('https://h/tok%2f123%2b%c3%a9/ping')).toBe('https://h/***/ping');
	});

	test.each([
		['in a form', 'tok 1/2', 'a=tok+1%2F2&b=', 'a=***&b='],
		['in a form with small digits', 'tok 1/2', 'a=tok+1%2f2&b=', 'a=***&b='],
		['in a URL that keeps its signs', 'tok é/2?', 'https://h/tok%20%C3%A9/2?/x', 'https://h/***/x'],
		['inside a JSON text', 'tok"1\\2', 'body: {"a":"tok\\"1\\\\2"}', 'body: {"a":"***"}'],
		['with line breaks in JSON', 'tok\n123', '{"a":"tok\\n123"}', '{"a":"***"}'],
	])('are taken out as they are written %s', (_, secret, text, clean) => {
		expect(redactor([secret])(text)).toBe(clean);
	});

	// Forms, and many programs' URLs, encode more signs than encodeURIComponent does.
	test.each(['tok~123', 'tok!123', "tok'123", 'tok(123)', 'tok 1!2'])(
		'are taken out of a form whatever signs they have: %s',
		(secret) => {
			const form = new URLSearchParams({ a: secret }).toString();
			expect(redactor([secret])(form)).toBe('a=***');
		},
	);
});

describe('everything else', () => {
	test.each([
		['a text', 'Hello'],
		['an empty text', ''],
		['a number', 12.5],
		['yes', true],
		['null', null],
		['nothing', undefined],
		['an empty list', []],
		['an empty object', {}],
	])('stays as it is: %s', (_, value) => {
		expect(redact(value)).toEqual(value);
	});

	test('stays as it is in any JSON, with its names in their order', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (json) => {
				expect(JSON.stringify(redactor(['not-in-there-at-all'])(json))).toBe(JSON.stringify(json));
			}),
		);
	});

	test('is not changed in place', () => {
		const given = { list: [TOKEN] };
		redact(given);
		expect(given).toEqual({ list: [TOKEN] });
	});

	test('keeps a field called __proto__ a field', () => {
		const json = JSON.parse(`{"__proto__":{"polluted":"${TOKEN}"}}`) as unknown;
		expect(JSON.stringify(redact(json))).toBe('{"__proto__":{"polluted":"***"}}');
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	});

	test.each([
		['a date', new Date(0)],
		['bytes', Buffer.from('Hello')],
	])('stays as it is: %s', (_, value) => {
		expect(redact({ value })).toEqual({ value });
		expect(redact({ value }).value).toBe(value);
	});

	test('does not bring the redactor down, however deep it is nested', () => {
		const deep = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as unknown;
		expect(Array.isArray(redact(deep))).toBe(true);
	});

	test('stays as it is down to the hundredth level, and below stands a mark', () => {
		const nested = (levels: number, innermost: unknown): unknown =>
			levels === 0 ? innermost : [nested(levels - 1, innermost)];
		expect(redact(nested(101, TOKEN))).toEqual(nested(101, '***'));
		expect(redact(nested(101, 5))).toEqual(nested(101, 5));
		expect(redact(nested(102, TOKEN))).toEqual(nested(101, '…'));
		expect(redact(nested(101, { a: TOKEN }))).toEqual(nested(101, '…'));
	});
});
