import fc from 'fast-check';

import { jsonObject, jsonText } from '../../gateway/json';
import { refused } from './refused';

const WHAT_TO_DO = 'Enter a JSON object, e.g. {"quotedMessageId": "abc"}.';

describe('a JSON object', () => {
	test('may be entered as text', () => {
		expect(jsonObject(' {"a": [1, "x"]} ', 'Additional Fields', WHAT_TO_DO)).toEqual({
			a: [1, 'x'],
		});
	});

	test('may come from an expression as it is', () => {
		const object = { a: { b: 1 } };
		expect(jsonObject(object, 'Additional Fields', WHAT_TO_DO)).toEqual({ a: { b: 1 } });
	});

	test.each([
		['a list as text', '[1]'],
		['a number as text', '5'],
		['null as text', 'null'],
		['a text in quotes', '"x"'],
		['a list', [1]],
		['null', null],
		['nothing', undefined],
		['a number', 5],
		['a boolean', true],
		['a date', new Date(0)],
		['bytes', Buffer.from('{}')],
		['a map', new Map()],
		['a function', () => ({})],
	])('is not %s, and the field is named', (_, entered) => {
		const { message, description } = refused(() =>
			jsonObject(entered, 'Additional Fields', WHAT_TO_DO),
		);
		expect(message).toBe("'Additional Fields' is not a JSON object");
		expect(description).toBe(WHAT_TO_DO);
	});

	test.each(['', '{', '{a:1}', "{'a':1}", '{"a":1,}', 'undefined'])(
		'is not the text %j, and the field is named',
		(entered) => {
			const { message, description } = refused(() =>
				jsonObject(entered, 'Additional Fields', WHAT_TO_DO),
			);
			expect(message).toMatch(/^'Additional Fields' is not valid JSON: ./);
			expect(description).toBe(WHAT_TO_DO);
		},
	);

	test('keeps a field called __proto__ a field', () => {
		const object = jsonObject('{"__proto__": {"polluted": 1}}', 'Additional Fields', WHAT_TO_DO);
		expect(Object.keys(object)).toEqual(['__proto__']);
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	});

	test('or a refusal comes of whatever is typed', () => {
		fc.assert(
			fc.property(fc.oneof(fc.string(), fc.json(), fc.anything()), (entered) => {
				try {
					const object = jsonObject(entered, 'Additional Fields', WHAT_TO_DO);
					expect(typeof object).toBe('object');
					expect(Array.isArray(object)).toBe(false);
				} catch (thrown) {
					refused(() => {
						throw thrown;
					});
				}
			}),
		);
	});
});

test('text that is not JSON is refused with the place where it goes wrong', () => {
	const { message, description } = refused(() => jsonObject('{"a" 1}', 'Body', 'Mend it.'));
	expect(message).toMatch(/^'Body' is not valid JSON: .*position 5/);
	expect(description).toBe('Mend it.');
});

describe('an object as JSON text', () => {
	test.each<[Record<string, unknown>, string]>([
		[{}, '{}'],
		[{ b: 1, a: ['é', { c: null }] }, '{"b":1,"a":["é",{"c":null}]}'],
		[{ at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
		[{ none: undefined, callback: () => 1, rest: 1 }, '{"rest":1}'],
	])('is compact, in the order of its names: %j', (object, written) => {
		expect(jsonText(object, 'Body', 'Mend it.')).toBe(written);
	});

	const circular: Record<string, unknown> = {};
	circular.self = { circular };

	test.each([
		['a big integer', { id: 10n }],
		['a circle', circular],
	])('is refused with the name of its field where it has %s', (_, object) => {
		const { message, description } = refused(() => jsonText(object, 'Body', 'Mend it.'));
		expect(message).toMatch(/^'Body' cannot be written as JSON: ./);
		expect(description).toBe('Mend it.');
	});
});
