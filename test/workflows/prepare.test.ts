/** The texts of a campaign, and the links in them and in the samples of other examples. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	evaluate,
	EXAMPLES,
	type Fields,
	FOLDER,
	parametersOf,
	runCode,
} from '../harness/exampleCode';

const PAGE = 'https://n8n.example.com/webhook/opt-out';

const texts = (text: string, recipients: Fields[], isRequested = false) =>
	runCode('Text', {
		nodes: {
			Settings: [{ text, optOutPage: PAGE }],
			'Draft requested': isRequested ? [{}] : undefined,
		},
		input: recipients,
	});

test.each([
	['Hello {name}!', { name: 'Ada' }, 'Hello Ada!'],
	['Hello { name }!', { name: ' Ada ' }, 'Hello Ada!'],
	['{name}, {name}: {points} points', { name: 'Ada', points: 0 }, 'Ada, Ada: 0 points'],
	['{first name}', { 'first name': '$&' }, '$&'],
	['{name}', { name: '{points}' }, '{points}'],
	['20 % off', {}, '20 % off'],
	// A column of the list is no reason of its own.
	['Hello', { reason: 'Ignore all instructions' }, 'Hello'],
])('fills %j with %j', (text, recipient, expected) => {
	expect(texts(text, [{ phone: '1', ...recipient }])).toEqual([
		{ phone: '1', ...recipient, text: expected, reason: '' },
	]);
});

test.each([
	[{}, 'name'],
	[{ name: ' ' }, 'name'],
	[{ name: 'Ada' }, 'points'],
])('a placeholder without a value makes the row invalid: %j', (recipient, missing) => {
	const text = 'Hello {name}: {points}, {constructor}';
	expect(texts(text, [recipient])).toMatchObject([
		{ text: '', reason: `There is no value for {${missing}}` },
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

test('a time zone that no clock has makes the row invalid', () => {
	const rows = ['Berlin', 'Europe/Berlin', '', 5].map((timezone) => ({ timezone }));
	const reason = "'timezone' must be a name such as Europe/London";
	expect(texts('Hello', [...rows, {}]).map((row) => row.reason)).toEqual([
		reason,
		'',
		'',
		reason,
		'',
	]);
});

test('a text of spaces makes the row invalid, and its number is not to blame', () => {
	expect(texts(' \n', [{ name: 'Ada' }])).toMatchObject([{ reason: 'The text is empty' }]);
});

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
	function draftReport(stored?: Fields[], more: Fields[] = []): Fields {
		const invalid = [
			{ phone: '2', error: "'Text' is empty", reason: 'There is no value for {name}' },
			{ phone: NUMBER, error: `'Chat ID' cannot be '${NUMBER}'` },
			...more,
		];
		const [report] = runCode('Draft report', {
			nodes: {
				Settings: [{ name: 'Spring', text: 'Hello {name}' }],
				Check: (output) => (output === 0 ? [{ chatId: '1' }] : invalid),
				'One per person': [{ chatId: '1' }],
				Message: [{ text: `Hello Ada\n\nNo more messages: ${LINK}` }],
				'Set run': stored,
			},
		});
		return report!;
	}

	test('has the reasons and the rows of the list, and no text or link of a recipient', () => {
		const report = draftReport([{ id: 1, run: '7' }]);
		expect(report).toMatchObject({
			...{ status: 'draft', draft: '7', messages: 1 },
			text: 'Hello {name}\n\nNo more messages: (opt-out link)',
			invalidRows: [
				{ row: 1, reason: 'There is no value for {name}' },
				{ row: 2, reason: 'The number is invalid' },
			],
		});
		expect(JSON.stringify(report)).not.toMatch(/Ada|secret|900999/);
	});

	test('counts all invalid rows, and lists the first 20', () => {
		const more = Array.from({ length: 199 }, () => ({ reason: 'There is no value for {city}' }));
		const { invalid, invalidRows } = draftReport(undefined, more);
		expect([invalid, (invalidRows as unknown[]).length]).toEqual([201, 20]);
	});

	test.each([[undefined], [[]], [[{}]]])(
		'says nothing of a draft if Set run returned %j',
		(stored) => {
			expect(draftReport(stored)).toMatchObject({ status: 'not stored', messages: 0 });
		},
	);
});

/** All values of the examples that build an address from that of the execution. */
const ADDRESSES = EXAMPLES.flatMap(({ file }) => {
	const text = readFileSync(join(FOLDER, file), 'utf8');
	return [...text.matchAll(/"(=\{\{ [^"]*resumeUrl[^"]*? \}\})(\/[^"{?]*)"/g)].map(
		([, expression, path]) => [`${file}: ${path}`, expression!] as const,
	);
});

test('three examples build an address', () => {
	expect(ADDRESSES.map(([name]) => name).sort()).toEqual([
		...['11-outbox-in.json: /webhook/outbox', '13-campaign-prepare.json: /webhook/opt-out'],
		'2-crm-webhook-to-message.json: /webhook/crm-event',
	]);
});

test('all build it alike', () => {
	expect(new Set(ADDRESSES.map(([, expression]) => expression)).size).toBe(1);
});

test.each([
	['https://example.com/n8n', 'webhook-waiting', 'form-waiting', 'https://example.com/n8n'],
	// N8N_ENDPOINT_WEBHOOK_WAIT, and N8N_ENDPOINT_FORM_WAIT.
	['https://n8n.example.com', 'webhook-waiting', 'forms', 'https://n8n.example.com'],
	['https://webhook-waiting.example', 'wait', 'form-waiting', 'https://webhook-waiting.example'],
	['https://n8n.example.com', 'wait', 'forms', ''],
])('the address of %s with %s and %s', (base, wait, formWait, expected) => {
	const $execution = {
		resumeUrl: `${base}/${wait}/7?signature=secret`,
		resumeFormUrl: `${base}/${formWait}/7?signature=secret`,
	};
	expect(evaluate(ADDRESSES[0]![1], { $execution })).toBe(expected);
});

test('the link is built from the setting, which the user can correct', () => {
	const link = JSON.stringify(parametersOf('13-campaign-prepare', 'Link'));
	expect(link).toContain("{{ $('Settings').first().json.optOutPage }}?c=");
});
