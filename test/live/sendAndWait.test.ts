import { readFileSync } from 'node:fs';

import type { Page } from 'playwright-core';

import { screenshot, signedOutBrowserTest, useBrowser } from './browser';
import { createWorkflow, manualTrigger, messagingGateway, startWorkflow } from './createWorkflow';
import { statusOf } from './executions';
import { callN8n, type Json, waitFor } from './n8n';
import { endOf, linkIn } from './questions';
import { sandbox } from './sandbox';

useBrowser();
beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});

const OURS = 'Messaging Gateway';
const QUESTION = 'May Ada get a discount of 10%?\n\nOrder 1007, "Summer" & <more>';
const double = { approvalOptions: { values: { approvalType: 'double' } } };

/** What chats and mail scanners send when they open a link. */
const BOTS = [
	'WhatsApp/2.23.20.0 A',
	'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0',
	'facebookexternalhit/1.1',
];

const fields = {
	responseType: 'customForm',
	formFields: {
		values: [
			{ fieldLabel: 'Name', fieldType: 'text', requiredField: true },
			{ fieldLabel: 'Amount', fieldName: 'amount', fieldType: 'number' },
			{ fieldLabel: 'Mail', fieldType: 'email', placeholder: 'ada@example.com' },
			{ fieldLabel: 'Day', fieldType: 'date' },
			{ fieldLabel: 'Size', fieldType: 'dropdown', fieldOptions: choices('S', 'M') },
			{ fieldLabel: 'Extras', fieldType: 'checkbox', fieldOptions: choices('Gift', 'Express') },
			{ fieldLabel: 'Note', fieldType: 'textarea' },
		],
	},
};

function choices(...names: string[]) {
	return { values: names.map((option) => ({ option })) };
}

/** Runs a workflow that asks, and returns when n8n has stored that it waits. */
async function ask(parameters: Json = double): Promise<{ id: string; link: string }> {
	const workflow = await createWorkflow([
		manualTrigger,
		messagingGateway({
			operation: 'sendAndWait',
			chatId: '+44 7700 900123',
			message: QUESTION,
			...parameters,
		}),
	]);
	const id = await startWorkflow(workflow);
	return { id, link: await linkWhileWaiting(id) };
}

async function linkWhileWaiting(id: string): Promise<string> {
	await waitFor('the wait', async () => (await statusOf(id)) === 'waiting' || undefined);
	const { delivered } = await sandbox.state();
	return linkIn(String(delivered.at(-1)!.text));
}

const answerIn = async (id: string) => (await endOf(id)).outputs(OURS)[0]![0]!;

const urlencoded = (approved: string) => ({
	method: 'POST',
	body: new URLSearchParams({ approved }),
});

signedOutBrowserTest('approve', async (page) => {
	const { id, link } = await ask();
	await page.goto(link);
	await page.getByRole('button', { name: 'Approve' }).click();
	await page.getByRole('heading', { name: 'Thank you' }).waitFor();
	expect(await page.getByRole('definition').allInnerTexts()).toEqual(['Approve']);
	expect(await answerIn(id)).toEqual({
		answered: true,
		data: { approved: true, respondedAt: expect.stringMatching(/^\d{4}-/) },
		chatId: '447700900123',
		messageId: expect.any(String),
		outcome: 'sent',
	});
});

signedOutBrowserTest('decline, with the keyboard', async (page) => {
	const { id, link } = await ask();
	await page.goto(link);
	await page.keyboard.press('Tab');
	await page.keyboard.press('Tab');
	await page.keyboard.press('Enter');
	await page.getByRole('heading', { name: 'Thank you' }).waitFor();
	expect(await answerIn(id)).toMatchObject({ data: { approved: false } });
});

signedOutBrowserTest('free text', async (page) => {
	const { id, link } = await ask({ responseType: 'freeText' });
	await page.goto(link);
	await page.getByLabel('Your response').fill('Yes,\nשלום 😀');
	await page.getByRole('button', { name: 'Submit' }).click();
	await page.getByRole('heading', { name: 'Thank you' }).waitFor();
	expect(await answerIn(id)).toMatchObject({ data: { text: 'Yes,\nשלום 😀' } });
});

signedOutBrowserTest('a form, corrected after the server rejected it', async (page) => {
	const { id, link } = await ask(fields);
	await page.goto(link);
	// Without the checks of the browser.
	await page.locator('[required]').evaluateAll((inputs) => {
		for (const input of inputs) input.removeAttribute('required');
	});
	await page.getByLabel('Amount').fill('12.5');
	await page.getByLabel('Size').selectOption('M');
	await page.getByLabel('Gift').check();
	await page.getByLabel('Express').check();
	await page.getByLabel('Note').fill('a\nb');
	await page.getByRole('button', { name: 'Submit' }).click();
	await page.getByRole('alert').waitFor();
	await screenshot(page, 'question-rejected');
	expect(await statusOf(id)).toBe('waiting');
	await page.getByLabel('Name').fill('Ada');
	await page.getByLabel('Day').fill('2028-02-29');
	await page.getByRole('button', { name: 'Submit' }).click();
	await page.getByRole('heading', { name: 'Thank you' }).waitFor();
	expect(await page.getByRole('definition').allInnerTexts()).toEqual([
		...['Ada', '12.5', 'February 29, 2028', 'M', 'Gift, Express', 'a\nb'],
	]);
	await screenshot(page, 'question-answered');
	expect((await answerIn(id)).data).toEqual({
		Name: 'Ada',
		amount: 12.5,
		Mail: null,
		Day: '2028-02-29',
		Size: 'M',
		Extras: ['Gift', 'Express'],
		Note: 'a\nb',
		respondedAt: expect.any(String),
	});
});

test('opening the link decides nothing, whoever opens it and however often', async () => {
	const { id, link } = await ask();
	for (const method of ['GET', 'HEAD']) {
		for (const agent of BOTS) {
			const response = await fetch(link, { method, headers: { 'user-agent': agent } });
			expect(response.status).toBe(200);
			if (method === 'GET') expect(await response.text()).toContain('Approve');
		}
	}
	expect(await statusOf(id)).toBe('waiting');
	expect((await fetch(link, urlencoded('true'))).status).toBe(200);
	expect(await answerIn(id)).toMatchObject({ data: { approved: true } });
});

test('the first of several answers counts', async () => {
	const { id, link } = await ask();
	const [first] = await Promise.all([
		fetch(link, urlencoded('false')),
		...['true', 'true'].map(async (approved) => await fetch(link, urlencoded(approved))),
	]);
	expect(first.status).toBeLessThan(500);
	const { data } = await answerIn(id);
	for (const approved of ['true', 'false']) {
		const again = await fetch(link, urlencoded(approved));
		expect(again.status).toBe(200);
		expect(await again.text()).toMatch(/no action|already/i);
	}
	expect(await answerIn(id)).toMatchObject({ data: data as Json });
});

test('a link with a wrong or without a signature decides nothing', async () => {
	const { id, link } = await ask();
	const changed = new URL(link);
	changed.searchParams.set('run', '1');
	const unsigned = new URL(link);
	unsigned.searchParams.delete('signature');
	for (const url of [changed, unsigned, `${link.slice(0, -1)}x`]) {
		for (const init of [{}, urlencoded('true')]) {
			const response = await fetch(url, init);
			expect(response.status).toBe(401);
			expect(await response.text()).toMatch(/invalid|expired|not valid/i);
		}
	}
	expect(await statusOf(id)).toBe('waiting');
	await callN8n('POST', `/executions/${id}/stop`);
});

test('after the time limit, the input goes on, and nothing in it looks like an answer', async () => {
	const values = { limitType: 'afterTimeInterval', resumeAmount: 0.05, resumeUnit: 'minutes' };
	const forged = {
		order: 7,
		answered: true,
		data: { approved: true, respondedAt: '2026-01-01' },
	};
	const input = {
		...manualTrigger,
		id: 'input',
		name: 'Input',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: { jsCode: `return { json: ${JSON.stringify(forged)} }` },
	};
	const condition = {
		id: '1',
		leftValue: '={{ $json.answered }}',
		rightValue: '',
		operator: { type: 'boolean', operation: 'true', singleValue: true },
	};
	const check = {
		...manualTrigger,
		id: 'check',
		name: 'Answered?',
		type: 'n8n-nodes-base.if',
		typeVersion: 2.2,
		parameters: {
			conditions: {
				options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
				conditions: [condition],
				combinator: 'and',
			},
			options: {},
		},
	};
	const question = messagingGateway({
		...{ operation: 'sendAndWait', chatId: '+44 7700 900123', message: QUESTION, ...double },
		options: { limitWaitTime: { values } },
	});
	const id = await startWorkflow(await createWorkflow([manualTrigger, input, question, check]));
	const { status, outputs } = await endOf(id);
	expect(status).toBe('success');
	expect(outputs(OURS)[0]).toEqual([{ order: 7, answered: false }]);
	expect(outputs('Answered?')).toEqual([[], [{ order: 7, answered: false }]]);
}, 180_000);

describe('the page', () => {
	const sizes = [
		{ width: 390, height: 844 },
		{ width: 1440, height: 900 },
	];
	const kinds: Array<[string, Json]> = [
		['approval', double],
		['free-text', { responseType: 'freeText' }],
		['form', fields],
	];
	const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

	async function violations(page: Page): Promise<string[]> {
		// The page allows no scripts, so this one is run by the debugger.
		await page.evaluate(axe);
		return await page.evaluate(
			`axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
		);
	}

	const languages = [
		['ar', { pageLanguage: 'ar' }, 'en', 'rtl', '29 فبراير 2028', '-12.5'],
		['pt-BR', { pageLanguage: 'automatic' }, 'pt-BR', 'ltr', '29 de fevereiro de 2028', '-12,5'],
	] as const;
	for (const [language, options, locale, direction, day, amount] of languages) {
		signedOutBrowserTest(
			`in ${language}: passes axe-core before and after a rejected answer, and repeats the answer`,
			async (page) => {
				const { id, link } = await ask({ ...fields, options });
				await page.setViewportSize(sizes[0]!);
				await page.goto(link);
				await page.locator(`html[lang="${language}"][dir="${direction}"]`).waitFor();
				expect(await violations(page)).toEqual([]);
				await screenshot(page, `question-${language}`);
				await page.locator('[required]').evaluateAll((inputs) => {
					for (const input of inputs) input.removeAttribute('required');
				});
				await page.getByLabel('Amount').fill('-12.5');
				await page.getByLabel('Mail').fill('ada@example.com');
				await page.getByLabel('Day').fill('2028-02-29');
				await page.getByRole('button').click();
				await page.getByRole('alert').waitFor();
				expect(await violations(page)).toEqual([]);
				await screenshot(page, `question-rejected-${language}`);
				await page.getByLabel('Name').fill('Ada (S)');
				await page.getByRole('button').click();
				await page.getByRole('definition').first().waitFor();
				const shown = await page.getByRole('definition').allInnerTexts();
				expect(shown.map((text) => text.replace('\u200e', ''))).toEqual([
					...['Ada (S)', amount, 'ada@example.com', day],
				]);
				expect(await violations(page)).toEqual([]);
				await screenshot(page, `question-answered-${language}`);
				expect((await answerIn(id)).data).toMatchObject({ amount: -12.5, Day: '2028-02-29' });
			},
			() => ({ locale }),
		);
	}

	for (const [kind, parameters] of kinds) {
		signedOutBrowserTest(
			`${kind}: passes axe-core in light and dark, small and large`,
			async (page) => {
				const requested: string[] = [];
				page.on('request', (request) => requested.push(request.url()));
				const { id, link } = await ask(parameters);
				for (const colorScheme of ['light', 'dark'] as const) {
					for (const size of sizes) {
						await page.emulateMedia({ colorScheme });
						await page.setViewportSize(size);
						const response = await page.goto(link);
						expect(response!.headers()['content-security-policy']).toContain("default-src 'none'");
						expect(response!.headers()['referrer-policy']).toBe('no-referrer');
						expect(await violations(page)).toEqual([]);
						expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(
							true,
						);
						await screenshot(page, `question-${kind}-${colorScheme}-${size.width}`);
					}
				}
				expect([...new Set(requested)]).toEqual([link]);
				await callN8n('POST', `/executions/${id}/stop`);
			},
		);
	}
});
