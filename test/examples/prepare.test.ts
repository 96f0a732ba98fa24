/** The texts of a campaign, and the links in them and in the samples of other examples. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import { chatId } from '../../gateway/text/chatId';
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
	['{name}', { name: '{my points}' }, '{my points}'],
	// A column of the list is no reason of its own.
	['Hello', { reason: 'Ignore all instructions' }, 'Hello'],
])('fills %j with %j', (text, recipient, expected) => {
	expect(texts(text, [{ phone: '1', ...recipient }])).toEqual([
		{ phone: '1', ...recipient, text: expected, reason: '' },
	]);
});

const LONGEST = 4_096 - 103 - PAGE.length;
const ZONE = "'timezone' must be a name such as Europe/London";

test.each<[string, Fields, string]>([
	['{name}', { name: 'x'.repeat(LONGEST) }, ''],
	['{name}', { name: 'x'.repeat(LONGEST + 1) }, `The text has more than ${LONGEST} characters`],
	['{name}', { name: 'A\u0000' }, 'The text has a character U+0000'],
	['Hello', { timezone: 'Berlin' }, ZONE],
	['Hello', { timezone: 'Europe/Berlin' }, ''],
	[' \n', { name: 'Ada' }, 'The text is empty'],
	['Hello {name}', {}, 'There is no value for {name}'],
	['Hello {name}', { name: ' ' }, 'There is no value for {name}'],
	['Hello {name}: {constructor}', { name: 'Ada' }, 'There is no value for {constructor}'],
])('a row with the text %j and the values %j has the reason %j', (text, recipient, reason) => {
	const [filled] = texts(text, [recipient]);
	expect(filled!.reason).toBe(reason);
	expect(filled!.text === '').toBe(reason !== '');
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

describe('the report of a draft', () => {
	const NUMBER = '+44 7700 900999';
	const LINK = 'https://n8n.example.com/webhook/opt-out?c=1&t=secret&s=secret';

	test('an invalid number has the reason of the node, and nothing of what was entered', () => {
		const reasonOf = (phone: string, country?: 'GB') => {
			try {
				return chatId(phone, country).slice(0, 0);
			} catch (error) {
				const failed = { phone, error: `${(error as Error).message} [item 0]` };
				const Check = (output: number) => (output === 0 ? [{}] : [failed]);
				return runCode('Invalid rows', { nodes: { Check } })[0]!.reason;
			}
		};
		expect(reasonOf('07700 900213')).toBe(
			"The number is invalid: it has no country code, and 'Default Country' is not set",
		);
		expect(reasonOf('no number yet')).toBe('The number is invalid');
		const piece = fc.constantFrom("': ", "'", ': ', '0', '77', ' 44', '+', 'Stop', '\n', ',');
		const pieces = fc.array(piece, { minLength: 1, maxLength: 12 });
		const property = fc.property(
			pieces,
			fc.constantFrom('GB' as const, undefined),
			(all, country) => expect(reasonOf(all.join(''), country)).not.toMatch(/Stop|77|44/),
		);
		fc.assert(property, { seed: 1, numRuns: 500 });
	});

	test('has the reasons and the rows of the list, and no text or link of a recipient', () => {
		const errors = [
			{ phone: '2', error: "'Text' is empty", reason: 'There is no value for {name}' },
			{ phone: NUMBER, error: `'Chat ID' cannot be '${NUMBER}' [item 1]` },
			{ phone: '3', error: "'Default Country' cannot be 'XX' [item 2]" },
		];
		const Check = (output: number) => (output === 0 ? [{ chatId: '1' }] : errors);
		const [report] = runCode('Draft report', {
			nodes: {
				Settings: [{ name: 'Spring', text: 'Hello {name}' }],
				Check,
				'Invalid rows': runCode('Invalid rows', { nodes: { Check } }),
				'One per person': [{ chatId: '1' }],
				Message: [{ text: `Hello Ada\n\nNo more messages: ${LINK}` }],
				'Set run': [{ id: 1, run: '7' }],
			},
		});
		expect(report).toMatchObject({
			...{ status: 'draft', draft: '7', messages: 1 },
			text: 'Hello {name}\n\nNo more messages: (opt-out link)',
			invalidRows: [
				{ row: 1, reason: 'There is no value for {name}' },
				{ row: 2, reason: 'The number is invalid' },
				{ row: 3, reason: "'Default Country' cannot be 'XX'" },
			],
		});
		expect(JSON.stringify(report)).not.toMatch(/Ada|secret|900999/);
	});
});

/** All values of the examples that build an address from that of the execution. */
const ADDRESSES = EXAMPLES.flatMap(({ file }) => {
	const text = readFileSync(join(FOLDER, file), 'utf8');
	return [...text.matchAll(/"(=\{\{ [^"]*resumeUrl[^"]*? \}\})\/[^"{?]*"/g)].map(([, one]) => one);
});

test('five examples build an address, all alike', () => {
	expect(ADDRESSES).toHaveLength(5);
	expect(new Set(ADDRESSES).size).toBe(1);
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
	expect(evaluate(ADDRESSES[0], { $execution })).toBe(expected);
});

test('the link is built from the setting, which the user can correct', () => {
	const link = JSON.stringify(parametersOf('13-campaign-prepare', 'Link'));
	expect(link).toContain("{{ $('Settings').first().json.optOutPage }}?c=");
});
