import fc from 'fast-check';

import { jsonObject, parseJson } from '../../gateway/json';
import { refused } from './refused';

const EXAMPLE = 'e.g. {"quotedMessageId": "abc"}';

describe('a JSON object', () => {
	test('may be entered as text', () => {
		expect(jsonObject(' {"a": [1, "x"]} ', 'Additional Fields', EXAMPLE)).toEqual({ a: [1, 'x'] });
	});

	test('may come from an expression as it is', () => {
		const object = { a: { b: 1 } };
		expect(jsonObject(object, 'Additional Fields', EXAMPLE)).toEqual({ a: { b: 1 } });
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
	])('is not %s, and the field is named', (_, entered) => {
		const { message, description } = refused(() =>
			jsonObject(entered, 'Additional Fields', EXAMPLE),
		);
		expect(message).toBe("'Additional Fields' is not a JSON object");
		expect(description).toBe(`Enter a JSON object in braces, ${EXAMPLE}.`);
	});

	test.each(['', '{', '{a:1}', "{'a':1}", '{"a":1,}', 'undefined'])(
		'is not the text %j, and the field is named',
		(entered) => {
			const { message, description } = refused(() =>
				jsonObject(entered, 'Additional Fields', EXAMPLE),
			);
			expect(message).toMatch(/^'Additional Fields' is not valid JSON: ./);
			expect(description).toContain(EXAMPLE);
		},
	);

	test('keeps a field called __proto__ a field', () => {
		const object = jsonObject('{"__proto__": {"polluted": 1}}', 'Additional Fields', EXAMPLE);
		expect(Object.keys(object)).toEqual(['__proto__']);
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	});

	test('or a refusal comes of whatever is typed', () => {
		fc.assert(
			fc.property(fc.oneof(fc.string(), fc.json(), fc.anything()), (entered) => {
				try {
					const object = jsonObject(entered, 'Additional Fields', EXAMPLE);
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
	const { message, description } = refused(() => parseJson('{"a" 1}', 'Body', 'Mend it.'));
	expect(message).toMatch(/^'Body' is not valid JSON: .*position 5/);
	expect(description).toBe('Mend it.');
});
