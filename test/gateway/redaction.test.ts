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
	])('are redacted in text: %s', (_, text, clean) => {
		expect(redact(text)).toBe(clean);
	});

	test('are redacted in values and keys, at any depth', () => {
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

	test('are matched literally, whatever characters they contain', () => {
		const signs = redactor(['a.*$&(b', '$1^[x]+']);
		expect(signs('a.*$&(b and $1^[x]+, but not aXX$&(b')).toBe('*** and ***, but not aXX$&(b');
	});

	test('that a URL cannot contain are redacted as they are', () => {
		expect(redactor(['tok-\ud83d-123'])('a tok-\ud83d-123 b')).toBe('a *** b');
	});

	test('that are too short are not redacted', () => {
		expect(redactor(['', 'a', 'ab12'])({ text: 'a tab12 costs 1.50' })).toEqual({
			text: 'a tab12 costs 1.50',
		});
	});

	const characters = fc.constantFrom(...'abzAZ019-_.~+/=%&é 👋"\\$');
	const key = fc.array(characters, { minLength: 6, maxLength: 20 }).map((parts) => parts.join(''));

	const lowerCaseHex = (text: string) => text.replace(/%[\dA-F]{2}/g, (hex) => hex.toLowerCase());

	test('are redacted in any JSON, however they are encoded', () => {
		const property = fc.property(key, fc.jsonValue(), fc.nat(7), (token, json, where) => {
			const spellings = [
				token,
				encodeURIComponent(token),
				encodeURIComponent(token).replaceAll('%20', '+'),
				encodeURI(token),
				lowerCaseHex(encodeURIComponent(token)),
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

	// Otherwise the rest of the secret would be visible in the execution data.
	test('are redacted completely if they overlap', () => {
		for (const secrets of [
			['tok-123', 'tok-123-secret'],
			['tok-123-secret', 'tok-123'],
			['123-sec', 'tok-123-secret'],
		]) {
			expect(redactor(secrets)('key: tok-123-secret')).toBe('key: ***');
		}
	});

	test('are redacted in URLs with lowercase hexadecimal digits', () => {
		expect(redact('https://h/tok%2f123%2b%c3%a9/ping')).toBe('https://h/***/ping');
	});

	test.each([
		['in a form', 'tok 1/2', 'a=tok+1%2F2&b=', 'a=***&b='],
		['in a form with lowercase digits', 'tok 1/2', 'a=tok+1%2f2&b=', 'a=***&b='],
		['in a partly escaped URL', 'tok é/2?', 'https://h/tok%20%C3%A9/2?/x', 'https://h/***/x'],
		['inside a JSON string', 'tok"1\\2', 'body: {"a":"tok\\"1\\\\2"}', 'body: {"a":"***"}'],
		['with line breaks in JSON', 'tok\n123', '{"a":"tok\\n123"}', '{"a":"***"}'],
	])('are redacted as written %s', (_, secret, text, clean) => {
		expect(redactor([secret])(text)).toBe(clean);
	});

	// Forms and many programs escape more characters than encodeURIComponent does.
	test.each(['tok~123', 'tok!123', "tok'123", 'tok(123)', 'tok 1!2'])(
		'are redacted in a form, whatever characters they contain: %s',
		(secret) => {
			const form = new URLSearchParams({ a: secret }).toString();
			expect(redactor([secret])(form)).toBe('a=***');
		},
	);
});

describe('a secret of digits', () => {
	test.each([
		['a number', '491512345', 491512345],
		['a negative number', '491512345', -491512345],
		['a number that JSON.parse rounds', '12345678901234567891', 12345678901234567891],
		['a number with an exponent', '1234567890123456789012345', 1234567890123456789012345],
		['a number without its leading zeros', '00491512345', 491512345],
	])('is redacted as %s', (_how, secret, number) => {
		const clean: unknown = redactor([secret])({ list: [{ id: number }], id: number, ok: true });
		expect(JSON.stringify(clean)).not.toMatch(/\d/);
		expect(clean).toEqual({ list: [{ id: expect.any(String) }], id: expect.any(String), ok: true });
	});

	test('is redacted in a longer number', () => {
		expect(redactor(['123456'])({ id: 91234567 })).toEqual({ id: '9***7' });
	});

	test.each(['12345', '000001', '0', '9'.repeat(400)])(
		'leaves other numbers unchanged: %s',
		(secret) => {
			const value = { a: 12345, b: 1, c: 0, d: 1e300, e: Infinity, f: 'Infinity', g: 12.5 };
			expect(redactor([secret])(value)).toEqual(value);
		},
	);
});

describe('everything else', () => {
	test.each([
		['a text', 'Hello'],
		['an empty text', ''],
		['a number', 12.5],
		['true', true],
		['null', null],
		['undefined', undefined],
		['an empty list', []],
		['an empty object', {}],
	])('is unchanged: %s', (_, value) => {
		expect(redact(value)).toEqual(value);
	});

	test('is unchanged in any JSON, including the order of keys', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (json) => {
				expect(JSON.stringify(redactor(['not-in-there-at-all'])(json))).toBe(JSON.stringify(json));
			}),
		);
	});

	test('is not modified in place', () => {
		const given = { list: [TOKEN] };
		redact(given);
		expect(given).toEqual({ list: [TOKEN] });
	});

	test('keeps __proto__ as an ordinary key', () => {
		const json = JSON.parse(`{"__proto__":{"polluted":"${TOKEN}"}}`) as unknown;
		expect(JSON.stringify(redact(json))).toBe('{"__proto__":{"polluted":"***"}}');
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	});

	test.each([
		['a date', new Date(0)],
		['bytes', Buffer.from('Hello')],
	])('is unchanged: %s', (_, value) => {
		expect(redact({ value })).toEqual({ value });
		expect(redact({ value }).value).toBe(value);
	});

	test('does not overflow the stack if it is deeply nested', () => {
		const deep = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as unknown;
		expect(Array.isArray(redact(deep))).toBe(true);
	});

	test('is unchanged down to level 100 and replaced by … below', () => {
		const nested = (levels: number, innermost: unknown): unknown =>
			levels === 0 ? innermost : [nested(levels - 1, innermost)];
		expect(redact(nested(101, TOKEN))).toEqual(nested(101, '***'));
		expect(redact(nested(101, 5))).toEqual(nested(101, 5));
		expect(redact(nested(102, TOKEN))).toEqual(nested(101, '…'));
		expect(redact(nested(101, { a: TOKEN }))).toEqual(nested(101, '…'));
	});
});
