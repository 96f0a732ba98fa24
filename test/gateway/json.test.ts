import fc from 'fast-check';

import { firstValues, jsonObject, jsonText, parseExactly } from '../../gateway/json';
import { depth } from '../harness/depth';
import { refused } from '../harness/refused';
import { anyCharacter } from '../harness/anyText';

const WHAT_TO_DO = 'Enter a JSON object, e.g. {"quotedMessageId": "abc"}.';

describe('a JSON object', () => {
	test('may be entered as text', () => {
		expect(jsonObject(' {"a": [1, "x"]} ', 'Additional Fields', WHAT_TO_DO)).toEqual({
			a: [1, 'x'],
		});
	});

	test.each<[string, unknown, string | RegExp]>([
		['null', null, "'Additional Fields' is not a JSON object"],
		['a map', new Map(), "'Additional Fields' is not a JSON object"],
		['an empty text', '', /^'Additional Fields' is not valid JSON: ./],
		['invalid JSON', '{"a":1,}', /^'Additional Fields' is not valid JSON: ./],
	])('rejects %s and names the field', (_, entered, expected) => {
		const { message, description } = refused(() =>
			jsonObject(entered, 'Additional Fields', WHAT_TO_DO),
		);
		expect(message).toMatch(expected);
		expect(description).toBe(WHAT_TO_DO);
	});
});

describe('an object as JSON text', () => {
	test('is compact and keeps the order of keys', () => {
		const object = { none: undefined, callback: () => 1, rest: 1, a: 2 };
		expect(jsonText(object, 'Body', 'Fix it.')).toBe('{"rest":1,"a":2}');
	});

	const circular: Record<string, unknown> = {};
	circular.self = { circular };

	// n8n writes a big integer as text.
	test('is rejected with the name of its field if it has a circular reference', () => {
		const { message, description } = refused(() => jsonText(circular, 'Body', 'Fix it.'));
		expect(message).toMatch(/^'Body' cannot be written as JSON: ./);
		expect(description).toBe('Fix it.');
	});
});

describe('exact parsing', () => {
	test.each<[string, unknown]>([
		['{"id":9007199254740993}', { id: '9007199254740993' }],
		['[-9007199254740993, 12345678901234567890 ]', ['-9007199254740993', '12345678901234567890']],
		['[9007199254740991,-9007199254740991,7]', [9007199254740991, -9007199254740991, 7]],
		[
			'[1234567890123456.5,1e30,0.1234567890123456789]',
			[1234567890123456.5, 1e30, 0.12345678901234568],
		],
		[
			'["9007199254740993","a\\"9007199254740993\\\\",1]',
			['9007199254740993', 'a"9007199254740993\\', 1],
		],
		['{"9007199254740993":{"a":true}}', { '9007199254740993': { a: true } }],
	])('keeps all digits of whole numbers: %s', (text, value) => {
		expect(parseExactly(text)).toEqual(value);
	});

	test('is the same as JSON.parse for everything else', () => {
		const json = fc.json({ stringUnit: anyCharacter });
		fc.assert(
			fc.property(json, fc.boolean(), (text, hasDigits) => {
				fc.pre(!/\d{16}/.test(text));
				const entered = hasDigits ? `{"a": ${text}, "digits": "1234567890123456"}` : text;
				expect(parseExactly(entered)).toEqual(JSON.parse(entered));
			}),
			{ numRuns: depth(50, 1_000) },
		);
	});
});

describe('the first values', () => {
	const count = (value: unknown): number =>
		typeof value === 'object' && value !== null
			? Object.values(value).reduce((sum: number, member) => sum + 1 + count(member), 0)
			: 0;

	test.each<[number, unknown, unknown]>([
		[2, [1, 2, 3], [1, 2, '…']],
		[2, { a: 1, b: 2, c: 3 }, { a: 1, b: 2, '…': '…' }],
		[3, [{ a: 1 }, { a: 2 }, {}], [{ a: 1 }, { '…': '…' }, '…']],
		[0, [[]], ['…']],
	])('of at most %d in %j are %j', (max, value, kept) => {
		expect(firstValues(value, max)).toEqual(kept);
	});

	test('are all values if there are no more, and never more than allowed', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.nat(20), (value, max) => {
				const kept: unknown = firstValues(value, max);
				if (count(value) <= max) expect(JSON.stringify(kept)).toBe(JSON.stringify(value));
				const marks = JSON.stringify(kept).split('"…"').length - 1;
				expect(count(kept)).toBeLessThanOrEqual(max + marks);
			}),
		);
	});
});
