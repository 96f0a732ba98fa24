import { type FormField, readAnswer } from '../../../nodes/MessagingGateway/ask/question';

type Type = FormField['type'];

const asked = { title: '', text: '', language: 'en' as const, buttons: {} };
const field = (type: Type, isRequired = false): FormField => ({
	...{ name: 'x', label: 'X', type, isRequired, placeholder: '', choices: ['A', 'B\r\nb', 'C'] },
});
const form = (...fields: FormField[]) => ({ ...asked, fields });
const answer = (type: Type, entered: unknown, isRequired?: boolean) =>
	readAnswer(form(field(type, isRequired)), { 'field-0': entered });

test.each<[Type, unknown, unknown]>([
	// Without losing digits.
	['number', ' 9007199254740991 ', 9007199254740991],
	['number', '12345678901234567890', '12345678901234567890'],
	['number', '12.50', 12.5],
	['number', '+.5', 0.5],
	['number', '0151234567', '0151234567'],
	['number', '0012.50', '0012.50'],
	['date', ' 2028-02-29 ', '2028-02-29'],
	['email', ' ada@example.com ', 'ada@example.com'],
	['textarea', 'a\r\nb', 'a\nb'],
	// The text of a choice is what the owner entered, although browsers change some characters.
	['dropdown', 'choice-1', 'B\r\nb'],
	['checkbox', ['choice-2', 'choice-0', 'choice-2'], ['A', 'C']],
	['checkbox', undefined, []],
	['dropdown', '', null],
	['text', ' ', null],
])('the answer to a %s of %j is %j', (type, entered, value) => {
	expect(answer(type, entered)).toEqual({ data: [{ x: value }] });
});

test.each<[Type, unknown, string]>([
	['number', '0x10', 'enterNumber'],
	['number', '1e999', 'enterNumber'],
	['number', ['1', '2'], 'enterNumber'],
	['email', 'ada', 'enterEmail'],
	['date', '2027-02-29', 'enterDate'],
	['dropdown', 'choice-3', 'chooseListed'],
	['dropdown', 'A', 'chooseListed'],
	['dropdown', ['choice-0', 'choice-1'], 'chooseOne'],
	['checkbox', ['choice-0', 'choice-3'], 'chooseListed'],
])('a %s does not accept %j: %s', (type, entered, error) => {
	expect(answer(type, entered)).toMatchObject({ errors: [error] });
});

test.each<[Type, string]>([
	['checkbox', 'chooseSome'],
	['date', 'enterDate'],
	['dropdown', 'chooseOne'],
	['email', 'enterEmail'],
	['number', 'enterNumber'],
	['text', 'enterText'],
	['textarea', 'enterText'],
])('a required %s must not be empty: %s', (type, error) => {
	for (const entered of [undefined, ' \r\n', { filepath: '/etc/passwd' }])
		expect(answer(type, entered, true)).toMatchObject({ errors: [error] });
});

test('an answer has at most 100,000 characters and values, all fields together', () => {
	const both = (first: number, second: unknown) =>
		readAnswer(form(field('text'), { ...field('textarea'), name: 'y' }), {
			data: { 'field-0': 'x'.repeat(first), 'field-1': second },
		});
	expect(both(50_000, 'x'.repeat(50_000))).toHaveProperty('data.0.y');
	expect(both(50_001, 'x'.repeat(50_000))).toBe('tooLong');
	expect(both(1, Array(100_001).fill(''))).toBe('tooLong');
});

test('an approval is decided by one value that the question offers', () => {
	const both = { approve: 'Yes', decline: 'No' };
	const decision = (buttons: Partial<typeof both>, body: unknown) =>
		readAnswer({ ...asked, fields: [], buttons }, body);
	expect(decision(both, { approved: 'true' })).toEqual({ data: [{ approved: true }] });
	expect(decision(both, { data: { approved: 'false' } })).toEqual({ data: [{ approved: false }] });
	const undecided = { entered: [], errors: [] };
	expect(decision({ approve: 'Yes' }, { approved: 'false' })).toEqual(undecided);
	for (const body of [
		{},
		...[['maybe', 'true'], ['false', 'true'], 'all'].map((approved) => ({ approved })),
	])
		expect(decision(both, body)).toEqual(undecided);
});
