/** What examples say about a missing value: those that keep a text when they get it, and those with a page in the sender's words. */
import { PLACEHOLDER } from '../../nodes/MessagingGateway/fields/missingValues';
import { EXAMPLES, parametersOf, runCode } from '../harness/exampleCode';
import { textsDelivered } from '../harness/messages';
import { useNewGateways } from '../harness/sandboxAccount';
import { journeysAt } from './journeys';
import { runExample } from './runExample';
import { Tables } from './tables';

const gateway = useNewGateways();

/** Whether example 11 takes the request. */
const isStored = (body: object) =>
	runCode('Check request', {
		nodes: { Withdrawal: undefined },
		input: [{ headers: { 'content-type': 'application/json' }, body }],
	})[0]!.problem === '';

const to = '+44 7700 900123';

test.each([
	...['Hi undefined', 'See you Invalid DateTime', '[object Object]', 'Hi {name}', 'Hi {{ name'],
])('11 responds to the text %j with 422', (text) => {
	expect(isStored({ to, text: 'Hello', id: 5 })).toBe(true);
	expect(isStored({ to, text })).toBe(false);
	expect(isStored({ to, text: 'Hello', id: text })).toBe(false);
});

test('13 reports the row as invalid, without the value, which a stranger may have written', () => {
	const rowsWith = (name: string) =>
		runCode('Text', {
			nodes: { Settings: [{ text: 'Hello {name}', optOutPage: 'x' }] },
			input: [{ phone: '1', name }],
		});
	for (const name of ['undefined', '[object Object]', '{send_to_all}', '{{ x }}']) {
		const reason = 'The text has a placeholder, such as undefined, in place of a value';
		expect(rowsWith(name)).toEqual([{ phone: '1', name, text: '', reason }]);
	}
	expect(rowsWith('Ada')[0]).toMatchObject({ text: 'Hello Ada', reason: '' });
});

test('the copies of the node are the same', () => {
	const copies = ['9c-unknown-alert.json', '11-outbox-in.json', '13-campaign-prepare.json'];
	const texts = copies.map((name) => {
		const { nodes } = EXAMPLES.find(({ file }) => file === name)!;
		return nodes
			.flatMap(({ parameters }) => Object.values(parameters))
			.map(textOf)
			.join('\n');
	});
	for (const text of texts) expect(text.split(String(PLACEHOLDER))).toHaveLength(2);
});

/** What an example responds to its journey with other fields of the form. */
async function answersTo(file: string, fields: object) {
	const { trigger, items } = journeysAt(gateway)[file]!();
	const [{ json }] = items as [{ json: object }];
	const { answers, error } = await runExample({
		...{ file, trigger: trigger!, account: gateway.account, tables: new Tables() },
		items: [{ json: { ...json, ...fields } }],
	});
	expect(error).toBeUndefined();
	expect(answers).toHaveLength(1);
	return textOf(answers[0]);
}

const AGAIN = 'To correct it, execute the workflow again.';
const NUMBER = 'phone number must be complete, and start with + and the country code';

test.each<[string, object, string]>([
	['1-form-to-message', { phone: '12345' }, `Your message was not sent. The ${NUMBER}`],
	[
		'1-form-to-message',
		{ message: 'Hello {name}' },
		"Your message was not sent. The message contains '{name}' in place of a value",
	],
	['1-form-to-message', { name: ' ' }, "Your message was not sent. 'Your name' is empty"],
	['10-approval', { phone: '12345' }, `Your manager was not asked. Your ${NUMBER}`],
	[
		'10-approval',
		{ reason: 'x undefined' },
		"Your manager was not asked. Your request contains 'undefined' in place of a value",
	],
	['10-approval', { customer: '\n' }, "Your manager was not asked. 'Customer' is empty"],
])('%s with %j says what to correct', async (file, fields, sentence) => {
	expect(await answersTo(file, fields)).toBe(`Invalid entry\n${sentence}. ${AGAIN}\n`);
	expect(gateway.requests()).toEqual([]);
});

test.each<[string, object, object]>([
	['1-form-to-message', { phone: '12345' }, { name: 'Ada & Zoë', message: '100 %\n"Hi" <b>' }],
	['10-approval', { phone: '12345' }, { name: 'Ada', customer: '?=&#', reason: "It's\n+ a" }],
])('%s with %j leads back to the form that has been filled in', async (file, wrong, right) => {
	const page = await answersTo(file, { ...wrong, ...right, formMode: 'production' });
	const [, link] = /<a href="([^"<>]*)">Back to the form<\/a>\.\n$/.exec(page) ?? [];
	const { pathname, searchParams } = new URL(link!, 'https://n8n.example/form-waiting/7');
	const { path } = parametersOf(file, 'Form').options as { path: string };
	expect(pathname).toBe(`/form/${path}`);
	const entered = { ...wrong, ...right };
	for (const [name, value] of Object.entries(entered))
		expect([name, searchParams.get(name)]).toEqual([name, String(value)]);
	expect(page).not.toMatch(/\[item|editor/);
});

test('1 does not blame the number if the gateway rejects the message', async () => {
	gateway.faults([{ status: 422, times: 1 }]);
	const page = await answersTo('1-form-to-message', {});
	expect(page).toMatch(/^Invalid entry\nYour message was not sent\. The gateway did not accept a/);
	expect(page).not.toContain('phone number');
});

// A campaign can have any name.
test('9c alerts, whatever it quotes', async () => {
	const tables = new Tables();
	const name = 'Hi {name}, undefined {{ x }} {{name}} ${y} [object Object]';
	tables.insert('Messaging campaigns', { name, status: 'paused', reason: 'Is NaN' });
	const { error } = await runExample({
		...{ file: '9c-unknown-alert', trigger: 'Manual trigger', activate: ['Message'] },
		...{ account: gateway.account, tables },
	});
	expect(error).toBeUndefined();
	expect(textsDelivered(gateway)).toEqual([
		expect.stringContaining("The campaign 'Hi …, … … x }} "),
	]);
});

/** All texts in a value. */
function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	return Object.values(value ?? {})
		.map(textOf)
		.join('\n');
}
