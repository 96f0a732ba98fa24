import { useGateway } from '../../harness/sandboxAccount';
import { runAndWait } from '../../harness/waiting';

const gateway = useGateway();

let later = 0;
beforeEach(() => {
	const now = Date.now.bind(Date);
	later = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => now() + later);
});
afterEach(() => jest.restoreAllMocks());

async function ask(parameters: Record<string, string | object> = {}) {
	const waiting = await runAndWait({
		account: gateway.account,
		parameters: {
			resource: 'message',
			operation: 'sendAndWait',
			chatId: '4915123456789',
			message: 'May we?',
			...parameters,
		},
	});
	const { text } = JSON.parse(gateway.requests().at(-1)!.bodyText!) as { text: string };
	return { ...waiting, link: /https:\S+/.exec(text)![0] };
}

const form = (...values: object[]) => ({ responseType: 'customForm', formFields: { values } });
const choices = (...names: string[]) => ({ values: names.map((option) => ({ option })) });
const all = form(
	{ fieldLabel: 'Name', fieldType: 'text', requiredField: true },
	{ fieldLabel: 'Extras', fieldType: 'checkbox', fieldOptions: choices('A', 'B', 'C') },
	{ fieldLabel: 'Note', fieldType: 'textarea' },
);

describe('a link', () => {
	// n8n checks only the token in front of the slash, and `$execution.resumeUrl` contains it.
	test.each([
		['the resume token and the node', [`${'a'.repeat(64)}/gateway`]],
		['no signature', []],
		['two signatures', ['a'.repeat(64), 'b'.repeat(64)]],
		['uppercase letters', ['A'.repeat(64)]],
	])('with %s instead of its signature shows and answers nothing', async (_name, signatures) => {
		const { get, post, link } = await ask();
		const other = new URL(link);
		other.searchParams.delete('signature');
		for (const signature of signatures) other.searchParams.append('signature', signature);
		const pages = [await get(other.href), await post(other.href, { approved: 'true' })];
		expect(pages.map(({ status, resumed }) => [status, resumed])).toEqual([
			[403, undefined],
			[403, undefined],
		]);
		expect(pages[0]!.html).not.toContain('May we?');
	});
});

describe('a form', () => {
	test.each<[string, number | string]>([
		['12345678901234567890', '12345678901234567890'],
		['-9007199254740993', '-9007199254740993'],
		['0.1234567890123456789', '0.1234567890123456789'],
		['1e-999', '1e-999'],
		[' 9007199254740991 ', 9007199254740991],
		['12.50', 12.5],
		['0.5', 0.5],
		['0151234567', '0151234567'],
		['007', '007'],
		['-007', '-007'],
		['0012.50', '0012.50'],
		['+.5', 0.5],
		['1e21', 1e21],
		['0.0', 0],
	])('continues with the number %s as %j, without losing digits', async (entered, value) => {
		const { post, link } = await ask(form({ fieldLabel: 'n', fieldType: 'number' }));
		const { resumed } = await post(link, { data: { 'field-0': entered } });
		expect(resumed!.items[0]!.json.data).toMatchObject({ n: value });
	});

	// Browsers change line breaks, zero bytes and lone surrogates in the values of a form.
	test.each(['dropdown', 'checkbox'])('continues with any text of a %s', async (fieldType) => {
		const names = ['a\r\nb', 'a\nb', 'a\rb', 'a\0b', 'a\ud800', 'a  b', '0', '"><b>'];
		const { get, post, link } = await ask(
			form({ fieldLabel: 'c', fieldType, fieldOptions: choices(...names) }),
		);
		const { html } = await get(link);
		const values = [...html.matchAll(/<(?:option|input)[^>]* value="([^"]+)"/g)].map(
			([, value]) => value,
		);
		expect(values).toHaveLength(names.length);
		for (const [index, value] of values.entries()) {
			const { resumed } = await post(link, { data: { 'field-0': value } });
			const chosen = fieldType === 'checkbox' ? [names[index]] : names[index];
			expect(resumed!.items[0]!.json.data).toMatchObject({ c: chosen });
			later += 6_000;
		}
	});

	test.each([
		['one field', { 'field-0': 'x'.repeat(100_001) }],
		['all fields together', { 'field-0': 'x'.repeat(50_001), 'field-2': 'x'.repeat(50_000) }],
		['many values', { 'field-1': Array.from({ length: 100_001 }, () => '0') }],
		['values without text', { 'field-1': Array(100_001).fill('') }],
	])('does not repeat an answer that is too long in %s', async (_name, fields) => {
		const { post, link } = await ask(all);
		const { status, html, resumed } = await post(link, { data: fields });
		expect([status, resumed]).toEqual([413, undefined]);
		expect(html).toContain('100,000 characters');
		expect(html.length).toBeLessThan(10_000);
	});

	test('accepts an answer of the greatest length', async () => {
		const { post, link } = await ask({ responseType: 'freeText' });
		const { resumed } = await post(link, { 'field-0': 'x'.repeat(100_000) });
		expect(resumed).toBeDefined();
	});

	test('shows ten rejected answers a minute again, and still takes a valid one', async () => {
		const { post, link } = await ask(all);
		const reject = async () => (await post(link, { data: { 'field-2': 'My note' } })).status;
		const statuses: number[] = [];
		for (let times = 0; times < 12; times++) statuses.push(await reject());
		expect(statuses).toEqual([...Array<number>(10).fill(422), 429, 429]);
		const { resumed } = await post(link, { data: { 'field-0': 'Ada' } });
		expect(resumed).toBeDefined();
		later += 60_001;
		expect(await reject()).toBe(422);
	});
});
