import fc from 'fast-check';

import { redactor } from '../../../gateway/wire/redaction';
import { anyCharacter } from '../../harness/anyText';
import { depth } from '../../harness/depth';

const TOKEN = 'tok/123+é';
const ENCODED = 'tok%2F123%2B%C3%A9';
const SECRET = 'very-secret';
const redact = redactor([TOKEN, SECRET]);

describe('token and secret', () => {
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

	test.each([
		['that a URL cannot contain', ['tok-\ud83d-123'], 'a tok-\ud83d-123 b', 'a *** b'],
		[
			'with characters that JSON escapes',
			['ve"ry\\sec'],
			'a {"b":"ve\\"ry\\\\sec"}',
			'a {"b":"***"}',
		],
		['that are long enough', ['', 'a', 'ab12'], 'a tab12 for 1.50', 'a tab12 for 1.50'],
		// Otherwise the rest of the secret would be visible in the execution data.
		...[
			['tok-123', 'tok-123-secret'],
			['tok-123-secret', 'tok-123'],
			['123-sec', 'tok-123-secret'],
		].map((secrets): [string, string[], string, string] => [
			`that overlap (${secrets.join(', ')})`,
			secrets,
			'key: tok-123-secret',
			'key: ***',
		]),
	])('%s are redacted, and the rest of the text is not', (_, secrets, text, clean) => {
		expect(redactor(secrets)(text)).toBe(clean);
	});

	const signature = '0f'.repeat(32);
	test.each([
		['of a question', 'https://n8n/webhook-waiting/1/gateway?run=0&signature=', '&approved=true'],
		[
			'with escaped characters',
			String.raw`https://n8n/webhook-waiting/1?a=b\u0026signature\u003d`,
			'"',
		],
		[
			'that is a parameter',
			'https://h/?to=https%3A%2F%2Fn8n%2Fwebhook-waiting%2F1%3Fsignature%3D',
			'&b=c',
		],
		[
			'to opt out',
			'No more messages: https://n8n/webhook/opt-out?c=June&t=4915112345678-x1&s=',
			'\nBye',
		],
	])('with them, signatures of links: %s', (_, before, after) => {
		expect(redact({ text: before + signature + after })).toEqual({ text: `${before}***${after}` });
	});

	test.each([
		`https%253A%252F%252Fn8n%252Fwebhook-waiting%252F1%253Fsignature%253D${signature}`,
		String.raw`{\"a\":\"https:\\/\\/n8n\\/webhook-waiting\\/1?signature=${signature}\"}`,
	])('a text with a link that is escaped twice is hidden: %s', (text) => {
		expect(redact(text)).not.toContain(signature);
	});

	test.each([
		`https://cdn/picture.jpg?id=1&signature=${signature}`,
		'https://x.com/a/status/1?t=Ab1_cDeFgHiJkLmNoPqRsT&s=19',
		'-waiting/signature=short',
	])('other links stay whole: %s', (text) => {
		expect(redact(text)).toBe(text);
	});

	const hex = (bytes: Iterable<number>, prefix: string, length: number) =>
		[...bytes].map((byte) => prefix + byte.toString(16).padStart(length, '0')).join('');
	const units = (character: string) =>
		Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
	/** How programs write a single character of a text. */
	const SPELLINGS: Array<(character: string) => string> = [
		(character) => character,
		(character) => encodeURIComponent(character),
		(character) => encodeURI(character),
		(character) => encodeURIComponent(character).replace(/%../g, (byte) => byte.toLowerCase()),
		(character) => new URLSearchParams([['', character]]).toString().slice(1),
		(character) => hex(Buffer.from(character), '%', 2),
		(character) => hex(Buffer.from(character), '%', 2).toUpperCase(),
		(character) => hex(Buffer.from(character), '\\x', 2),
		(character) => hex(units(character), '\\u', 4),
		(character) => hex(units(character), '\\u', 4).toUpperCase().replaceAll('U', 'u'),
		(character) => JSON.stringify(character).slice(1, -1),
		(character) => character.replace(/[^\w\s]/u, '\\$&'),
	];
	/** How programs write a text within another one. */
	const WRAPPINGS: Array<(text: string) => string> = [
		(text) => encodeURIComponent(text),
		(text) => new URLSearchParams([['', text]]).toString().slice(1),
		(text) => JSON.stringify(text).slice(1, -1),
		(text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
	];
	const character = fc.oneof(
		fc.constantFrom(...'abzAZ019cefxu-_.~+/=%&é€👋ö"\'\\$*!()[]{} \n\t\u2028\x7f'),
		anyCharacter.filter((text) => text.isWellFormed()),
	);
	const spelledCharacter = fc.tuple(character, fc.constantFrom(...SPELLINGS));
	const spelledSecret = fc
		.array(spelledCharacter, { minLength: 6, maxLength: 30 })
		.map((spelled) => ({
			secret: spelled.map(([plain]) => plain).join(''),
			text: spelled.map(([plain, spell]) => spell(plain)).join(''),
		}))
		// A secret that looks escaped itself is recognised only in the usual spellings.
		.filter(({ secret }) => !/\\[\\bfnrtux%]|%[\\\da-fu%]/i.test(secret))
		// Of a secret, backslashes and percent signs are not recognised.
		.filter(({ secret }) => secret.replace(/[\\%]/g, '').length >= 6);
	const wrappings = fc.array(fc.constantFrom(...WRAPPINGS), { maxLength: 3 });

	test('are redacted however their characters are escaped', () => {
		const property = fc.property(spelledSecret, wrappings, ({ secret, text }, wrap) => {
			const wrapped = (inner: string) => wrap.reduce((all, next) => next(all), inner);
			const clean: unknown = redactor([secret])({ [wrapped(`<${text}>`)]: wrapped(`<${text}>`) });
			const [[name, value] = []] = Object.entries(clean as object);
			expect(name).toBe(value);
			expect(value).toContain('***');
			// The first character may be the end of an escape, of which the rest stays.
			expect(String(value).replace('***', '').length).toBeLessThan(wrapped('<\\u0000>').length);
		});
		fc.assert(property, { numRuns: depth(300, 10_000) });
	});

	test.each(['100 % off', 'a\\b and 50%25', '\\u0041bc%', 'tok/12%33', 'x%'.repeat(10), '%E9%'])(
		'are not seen in other escapes: %s',
		(text) => {
			expect(redact({ text })).toEqual({ text });
		},
	);

	test('do not overflow the stack: 16 MB of %C3%A9', () => {
		const text = '%C3%A9'.repeat(2 ** 24 / 6);
		expect(redact(text) === text).toBe(true);
	});
});

test('are redacted anywhere in a long row of encoded characters', () => {
	const encoded = '%74%6F%6B%2F%31%32%33%2B%C3%A9';
	for (let before = 980; before <= 1_010; before++) {
		const text = '%C3%A9'.repeat(before % 7) + '%41'.repeat(before) + encoded;
		expect([before, redact(text)]).toEqual([before, '***']);
	}
});

describe('a secret of digits', () => {
	test.each([
		['a negative number', '491512345', -491512345],
		['a number that JSON.parse rounds', '12345678901234567891', 12345678901234567891],
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
	test('keeps __proto__ as an ordinary key', () => {
		const json = JSON.parse(`{"__proto__":{"polluted":"${TOKEN}"}}`) as unknown;
		expect(JSON.stringify(redact(json))).toBe('{"__proto__":{"polluted":"***"}}');
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	});

	test.each([['bytes', Buffer.from('Hello')]])('is unchanged: %s', (_, value) => {
		expect(redact({ value })).toEqual({ value });
		expect(redact({ value }).value).toBe(value);
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

test('hides the signatures of all requests, if it has to', () => {
	const signature = '0123456789abcdef'.repeat(4);
	const listed = { key: `k-${signature}`, headers: { 'x-api-signature': signature.toUpperCase() } };
	expect(redactor(['token-1'], true)(listed)).toEqual({
		key: 'k-***',
		headers: { 'x-api-signature': '***' },
	});
	expect(redactor(['token-1'])(listed)).toEqual(listed);
	// A gateway may write it next to the timestamp or the name of its hash.
	expect(redactor(['token-1'], true)(`hmac_sha256${signature}`)).toBe('hmac_sh***');
	const shorter = signature.slice(1);
	expect(redactor(['token-1'], true)(shorter)).toBe(shorter);
});
