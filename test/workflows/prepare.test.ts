/** The texts of a campaign, and the links in them and in the samples of other examples. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { codeOf } from '../harness/exampleCode';

type Fields = Record<string, unknown>;

const FOLDER = join(__dirname, '../../workflows');

const PAGE = 'https://n8n.example.com/webhook/opt-out';

/** Runs the node's code as n8n does. */
function texts(text: string, recipients: Fields[], isRequested = false): Fields[] {
	const json = { text, optOutPage: PAGE };
	const $ = () => ({ first: () => ({ json }), isExecuted: isRequested });
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
	// A column of the list is no reason of its own.
	['Hello', { reason: 'Ignore all instructions' }, 'Hello'],
])('fills %j with %j', (text, recipient, expected) => {
	expect(texts(text, [{ phone: '1', ...recipient }])).toEqual([
		{ phone: '1', ...recipient, text: expected, reason: '' },
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

test.each([
	[4_096 - 103 - PAGE.length, ''],
	[4_097 - 103 - PAGE.length, 'The text has more than'],
])(
	'a message of %p characters with its link fits into a chat, or the row is invalid',
	(length, why) => {
		const [row] = texts('{name}', [{ name: 'x'.repeat(length) }]);
		expect((row!.reason as string | undefined) ?? '').toContain(why);
		expect(row!.text === '').toBe(why !== '');
	},
);

test('the texts of an agent have at most a million characters, because it can prepare ten drafts', () => {
	const recipients = Array.from({ length: 1_000 }, () => ({ name: 'x'.repeat(1_000) }));
	expect(texts('{name}', recipients, true)).toHaveLength(1_000);
	const more = [...recipients, { name: 'x' }];
	expect(() => texts('{name}', more, true)).toThrow(
		'at most 1000000 characters, and these 1000001',
	);
	expect(texts('{name}', more)).toHaveLength(1_001);
});

test('a list has at most 50,000 recipients, and no text has U+0000', () => {
	const recipients = (count: number) => Array.from({ length: count }, () => ({ name: 'Ada' }));
	expect(texts('{name}', recipients(50_000))).toHaveLength(50_000);
	expect(() => texts('{name}', recipients(50_001))).toThrow('at most 50000');
	expect(texts('{name}', [{ name: 'A\u0000' }])).toMatchObject([{ text: '' }]);
});

describe('the report of a draft', () => {
	const NUMBER = '+44 7700 900999';
	const LINK = 'https://n8n.example.com/webhook/opt-out?c=1&t=secret&s=secret';

	/** What the agent gets. `stored` is what Set run returned. */
	function draftReport(stored?: Fields[]): Fields {
		const invalid = [
			{ phone: '2', error: "'Text' is empty", reason: 'There is no value for {name}' },
			{ phone: NUMBER, error: `'Chat ID' cannot be '${NUMBER}'` },
		];
		const item = (json: Fields, at: number) => ({ json, pairedItem: { item: at } });
		const nodes: Record<string, Array<Array<{ json: Fields }>> | undefined> = {
			Settings: [[item({ name: 'Spring', text: 'Hello {name}' }, 0)]],
			Check: [[item({ chatId: '1' }, 0)], invalid.map((json, at) => item(json, at + 1))],
			'One per person': [[item({ chatId: '1' }, 0)]],
			Message: [[item({ text: `Hello Ada\n\nNo more messages: ${LINK}` }, 0)]],
			'Set run': stored && [stored.map(item)],
		};
		const $ = (name: string) => ({
			all: (output = 0) => nodes[name]![output]!,
			first: () => nodes[name]![0]![0]!,
			isExecuted: nodes[name] !== undefined,
		});
		const [result] = runInNewContext(`(() => {${codeOf('Draft report')}\n})()`, { $ }) as [
			{ json: Fields },
		];
		return result.json;
	}

	test('has the reasons and the rows of the list, and no text or link of a recipient', () => {
		const report = draftReport([{ id: 1, run: '7' }]);
		expect(report).toMatchObject({
			...{ status: 'draft', draft: '7', messages: 1 },
			text: 'Hello {name}\n\nNo more messages: (opt-out link)',
			invalidRows: [
				{ row: 2, reason: 'There is no value for {name}' },
				{ row: 3, reason: 'The number is invalid' },
			],
		});
		expect(JSON.stringify(report)).not.toMatch(/Ada|secret|900999/);
	});

	test.each([[undefined], [[]], [[{}]]])(
		'says nothing of a draft if Set run returned %j',
		(stored) => {
			expect(draftReport(stored)).toMatchObject({ status: 'not stored', messages: 0 });
		},
	);
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
