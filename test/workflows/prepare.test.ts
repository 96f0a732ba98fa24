/** The texts of a campaign, and the links in them and in the samples of other examples. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { codeOf } from '../harness/exampleCode';

type Fields = Record<string, unknown>;

const FOLDER = join(__dirname, '../../workflows');

/** Runs the node's code as n8n does. */
function texts(text: string, recipients: Fields[]): Fields[] {
	const $ = () => ({ first: () => ({ json: { text } }) });
	const $input = { all: () => recipients.map((json) => ({ json })) };
	const output = runInNewContext(`(() => {${codeOf('Text')}\n})()`, { $, $input }) as Array<{
		json: Fields;
		pairedItem: { item: number };
	}>;
	expect(output.map(({ pairedItem }) => pairedItem.item)).toEqual(recipients.map((_, i) => i));
	return output.map(({ json }) => ({ ...json }));
}

test.each([
	['Hello {name}!', { name: 'Ada' }, 'Hello Ada!'],
	['Hello { name }!', { name: ' Ada ' }, 'Hello Ada!'],
	['{name}, {name}: {points} points', { name: 'Ada', points: 0 }, 'Ada, Ada: 0 points'],
	['{first name}', { 'first name': '$&' }, '$&'],
	['{name}', { name: '{points}' }, '{points}'],
	['20 % off', {}, '20 % off'],
	['{}', {}, '{}'],
])('fills %j with %j', (text, recipient, expected) => {
	expect(texts(text, [{ phone: '1', ...recipient }])).toEqual([
		{ phone: '1', ...recipient, text: expected },
	]);
});

test.each([
	[{}, 'name'],
	[{ name: undefined }, 'name'],
	[{ name: null }, 'name'],
	[{ name: ' ' }, 'name'],
	[{ name: 'Ada' }, 'points'],
])('a placeholder without a value makes the row invalid: %j', (recipient, missing) => {
	const text = 'Hello {name}: {points}, {constructor}';
	expect(texts(text, [recipient])).toMatchObject([
		{ text: '', reason: `There is no value for {${missing}}` },
	]);
});

test('the other rows stay valid', () => {
	const recipients = [{ name: 'Ada' }, { name: '' }, { name: 'Grace' }];
	expect(texts('Hello {name}', recipients).map(({ text }) => text)).toEqual([
		...['Hello Ada', '', 'Hello Grace'],
	]);
});

test('an invalid row is in the report with its reason', () => {
	const nodes: Record<string, Fields[][]> = {
		Settings: [[{ name: 'Spring' }]],
		Check: [
			[{ chatId: '1' }],
			[
				{ phone: '2', error: "'Text' is empty", reason: 'There is no value for {name}' },
				{ phone: 'no number', error: "'Chat ID' cannot be 'no number'" },
			],
		],
		'One per person': [[{ chatId: '1' }]],
		Message: [[{ text: 'Hello Ada' }]],
	};
	const $ = (name: string) => ({
		all: (output = 0) => nodes[name]![output]!.map((json) => ({ json })),
		first: () => ({ json: nodes[name]![0]![0] }),
		isExecuted: true,
	});
	const [item] = runInNewContext(`(() => {${codeOf('Draft report')}\n})()`, { $ }) as [
		{ json: Fields },
	];
	expect(item.json).toMatchObject({
		messages: 1,
		invalidRows: [
			{ number: '2', reason: 'There is no value for {name}' },
			{ number: 'no number', reason: "'Chat ID' cannot be 'no number'" },
		],
	});
});

/** All values of the examples that build an address from that of the execution. */
const ADDRESSES = readdirSync(FOLDER)
	.filter((name) => name.endsWith('.json'))
	.flatMap((name) => {
		const file = readFileSync(join(FOLDER, name), 'utf8');
		return [...file.matchAll(/"=\{\{ ([^"]*resumeUrl[^"]*?) \}\}(\/[^"{?]*)"/g)].map(
			([, expression, path]) => [`${name}: ${path}`, expression!, path!] as const,
		);
	});

test('three examples build an address', () => {
	expect(ADDRESSES.map(([name]) => name).sort()).toEqual([
		...['11-outbox-in.json: /webhook/outbox', '13-campaign-prepare.json: /webhook/opt-out'],
		'2-crm-webhook-to-message.json: /webhook/crm-event',
	]);
});

describe.each(ADDRESSES)('%s', (_, expression, path) => {
	const SIGNATURE = '7?signature=secret';
	test.each([
		['https://n8n.example.com', 'webhook-waiting', 'form-waiting', 'https://n8n.example.com'],
		['http://localhost:5678', 'webhook-waiting', 'form-waiting', 'http://localhost:5678'],
		['https://example.com/n8n', 'webhook-waiting', 'form-waiting', 'https://example.com/n8n'],
		// N8N_ENDPOINT_WEBHOOK_WAIT, and N8N_ENDPOINT_FORM_WAIT.
		['https://n8n.example.com', 'wait', 'form-waiting', 'https://n8n.example.com'],
		['https://n8n.example.com', 'webhook-waiting', 'forms', 'https://n8n.example.com'],
		['https://webhook-waiting.example', 'wait', 'form-waiting', 'https://webhook-waiting.example'],
		['https://n8n.example.com', 'wait', 'forms', ''],
	])('of %s with %s and %s', (base, wait, formWait, expected) => {
		const $execution = {
			resumeUrl: `${base}/${wait}/${SIGNATURE}`,
			resumeFormUrl: `${base}/${formWait}/${SIGNATURE}`,
		};
		expect(`${runInNewContext(expression, { $execution }) as string}${path}`).toBe(
			`${expected}${path}`,
		);
	});
});

test('the link is built from the setting, which the user can correct', () => {
	const { nodes } = JSON.parse(readFileSync(join(FOLDER, '13-campaign-prepare.json'), 'utf8')) as {
		nodes: Array<{ name: string; parameters: object }>;
	};
	const link = JSON.stringify(nodes.find(({ name }) => name === 'Link')!.parameters);
	expect(link).toContain("{{ $('Settings').first().json.optOutPage }}?c=");
});
