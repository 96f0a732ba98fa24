import { createHash } from 'node:crypto';

import { type IDataObject, WAIT_INDEFINITELY } from 'n8n-workflow';

import { run, type RunOptions } from '../../harness/engine';
import { bodyOf, deliveryWindow } from '../../harness/messages';
import { useGateway } from '../../harness/sandboxAccount';
import { ask as askIn, choices, form, question } from './ask';

const gateway = useGateway();

const options = (parameters: object = {}, others: Partial<RunOptions> = {}) =>
	question(gateway, parameters, others);
const ask = (parameters: object = {}, others: Partial<RunOptions> = {}) =>
	askIn(gateway, parameters, others);

const sentTexts = () => gateway.requests().map((request) => bodyOf(request).text as string);

const double = { approvalOptions: { values: { approvalType: 'double' } } };
const sent = { chatId: '4915123456789', messageId: expect.any(String) as string, outcome: 'sent' };

describe('the message', () => {
	test('ends with one signed link on its own line, with the label of the option or none', async () => {
		const { link } = await ask({}, { executionId: '1' });
		const { link: labelled } = await ask({ options: { linkLabel: 'Hier:' } });
		const { link: alone } = await ask({ options: { linkLabel: '' } });
		expect(sentTexts()).toEqual([
			`May we?\n\nAnswer here:\n${link}`,
			`May we?\n\nHier:\n${labelled}`,
			`May we?\n\n${alone}`,
		]);
		expect(link).toMatch(
			/^https:\/\/n8n\.example\.com\/webhook-waiting\/1\/gateway\?run=0&signature=[0-9a-f]{64}$/,
		);
	});

	test('keeps the link intact in Markdown, and in one part if it is split', async () => {
		const webhookUrl = 'https://my_n8n_host.example.com/a*b*c';
		const message = `**May** we? ${'Ten words or so that fill the parts. '.repeat(20)}`;
		const parameters = { message, options: { textFormat: 'markdown', splitLongText: 100 } };
		const { link } = await ask(parameters, { webhookUrl });
		expect(link.startsWith(`${webhookUrl}/`)).toBe(true);
		expect(sentTexts().slice(0, -1).join()).toMatch(/^\*May\* we((?!http).)*$/s);
	});
});

describe('while it waits', () => {
	test('the execution waits without end, shows what was sent, and stores neither link nor secrets', async () => {
		const { outcome, link } = await ask();
		expect(outcome.error).toBeUndefined();
		expect(new Date(outcome.run.waitTill!)).toEqual(WAIT_INDEFINITELY);
		expect(outcome.items).toEqual([{ json: sent, pairedItem: { item: 0 } }]);
		const stored = JSON.stringify(outcome.run.data);
		const { token, secret } = gateway.account;
		for (const text of [link, new URL(link).searchParams.get('signature')!, token, secret]) {
			expect(stored).not.toContain(text);
		}
	});

	test('a deferred message waits too', async () => {
		gateway.setStatus('DISCONNECTED');
		const { link, post } = await ask({ options: deliveryWindow(60) });
		const { resumed } = await post(link, { approved: 'true' });
		expect(resumed!.items[0]!.json).toMatchObject({ answered: true, outcome: 'deferred' });
	});
});

test('a test number that only the response names is none', async () => {
	const text = JSON.stringify({ success: true, messageId: 'm1', testNumber: { messageId: 'm2' } });
	gateway.answerWith({ contentType: 'application/json', text }, { status: 200 });
	const { outcome } = await ask();
	expect(outcome.items[0]!.json).toMatchObject({ messageId: 'm1', outcome: 'sent' });
});

describe('the link', () => {
	test('shows the question and decides nothing, with headers that allow nothing else', async () => {
		const { get, post, link } = await ask(double);
		const page = await get(link);
		expect([page.status, page.resumed]).toEqual([200, undefined]);
		expect(page.html).toContain('May we?');
		const classes = page.html.match(/(?<=<button class=")\w+/g);
		expect(classes?.sort()).toEqual(['primary', 'secondary']);
		const style = /<style>(.*)<\/style>/s.exec(page.html)![1]!;
		const hash = createHash('sha256').update(style).digest('base64');
		const policy = `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
		expect(page.headers).toEqual({
			...{ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
			...{ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' },
			...{ 'x-content-type-options': 'nosniff', 'content-security-policy': policy },
		});
		const { resumed } = await post(link, { approved: 'true' });
		expect(resumed!.items).toHaveLength(1);
	});

	test('escapes texts, choices and what the user entered', async () => {
		const bad = `"><script>'&`;
		const { post, link } = await ask({
			message: `*May* we${bad}`,
			...form(
				{ fieldLabel: bad, fieldType: 'text', placeholder: bad },
				{ fieldLabel: 'b', fieldType: 'dropdown', fieldOptions: choices(bad) },
				{ fieldLabel: 'c', fieldType: 'checkbox', fieldOptions: choices(bad) },
				{ fieldLabel: 'd', fieldType: 'textarea' },
				{ fieldLabel: 'e', fieldType: 'email', requiredField: true },
			),
			options: { responseFormTitle: bad, responseFormButtonLabel: bad },
		});
		const data = { 'field-0': bad, 'field-1': bad, 'field-2': bad, 'field-3': `${bad}</textarea>` };
		const { html } = await post(link, { data });
		expect(html).toContain('*May* we');
		expect(html).not.toContain(bad);
		expect(html.match(/<script|<\/textarea>/g)).toEqual(['</textarea>']);
	});

	test('gets a hint if a phone cannot open it', async () => {
		expect((await ask()).outcome.hints).toEqual([]);
		const { outcome } = await ask({}, { webhookUrl: 'http://localhost:5678' });
		const message = /which only this machine can open((?!signature).)*$/;
		expect(outcome.hints).toMatchObject([{ message: expect.stringMatching(message) as string }]);
	});
});

describe('the answer', () => {
	test('to an approval continues with the decision', async () => {
		const { post, link } = await ask(double);
		const { html, resumed } = await post(link, { approved: 'false' });
		expect(html).toContain('Thank you');
		// n8n replaces the header of this page.
		expect(html).toContain(
			'<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;;',
		);
		const respondedAt = expect.stringMatching(/^\d{4}-.*Z$/) as string;
		const json = { answered: true, data: { approved: false, respondedAt }, ...sent };
		expect(resumed!.items).toEqual([{ json, pairedItem: { item: 0 } }]);
	});

	test('that arrives twice at the same time continues once, and again if n8n lost it', async () => {
		const { post, link } = await ask(double);
		const [first, second] = await Promise.all(
			['true', 'false'].map(async (approved) => await post(link, { approved })),
		);
		expect(first!.resumed?.items).toMatchObject([{ json: { data: { approved: true } } }]);
		expect([second!.status, second!.resumed]).toEqual([410, undefined]);
		expect(second!.html).toContain('Question closed');
		const later = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
		const { resumed } = await post(link, { approved: 'true' });
		later.mockRestore();
		expect(resumed).toBeDefined();
	});

	test('as free text continues with the text', async () => {
		const { post, link } = await ask({ responseType: 'freeText' });
		const { status, html } = await post(link, { 'field-0': ' \r\n' });
		expect(status).toBe(422);
		expect(html).toContain('role="alert"');
		const { resumed } = await post(link, { 'field-0': 'Yes,\r\nplease 😀' });
		const data = { text: 'Yes,\nplease 😀', respondedAt: expect.any(String) as string };
		expect(resumed!.items[0]!.json.data).toEqual(data);
	});

	test('is asked for with the labels of the options, whatever the language of the page is', async () => {
		const labels = { responseFormTitle: 'Titel', responseFormButtonLabel: 'Senden' };
		const arabic = { pageLanguage: 'ar', ...labels };
		const text = await ask({ responseType: 'freeText', options: arabic });
		expect((await text.get(text.link)).html).toMatch(
			/dir="rtl"[^]*<h1[^>]*>Titel<[^]*>Senden<\/button>/,
		);
		const values = { approvalType: 'double', approveLabel: 'Ja', disapproveLabel: 'Nein' };
		const approval = await ask({ approvalOptions: { values } });
		const { html } = await approval.get(approval.link);
		expect(html).toMatch(/>Ja<\/button>[^]*>Nein<\/button>/);
	});
});

describe('a custom form', () => {
	const all = form(
		{ fieldLabel: 'Name', fieldType: 'text', requiredField: true },
		{ fieldLabel: 'Amount', fieldName: 'amount', fieldType: 'number', requiredField: true },
		{ fieldLabel: 'Mail', fieldType: 'email' },
		{ fieldLabel: 'Day', fieldType: 'date' },
		{ fieldLabel: 'Size', fieldType: 'dropdown', fieldOptions: choices('S', 'M') },
		{ fieldLabel: 'Extras', fieldType: 'checkbox', fieldOptions: choices('A', 'B', 'C') },
		{ fieldLabel: 'Note', fieldType: 'textarea' },
	);

	test('is shown again for an invalid answer, and continues with the values of all fields', async () => {
		const { post, link } = await ask(all);
		const choice = { 'field-4': 'choice-1', 'field-5': ['choice-0', 'choice-2'] };
		const entered = { 'field-0': 'Ada', 'field-6': 'Long note', ...choice };
		const { status, html } = await post(link, { data: { ...entered, 'field-1': 'x' } });
		expect(status).toBe(422);
		expect(html).toMatch(
			/role="alert"[^]*autofocus[^]*<p class="error" id="field-1-error">Enter a/,
		);
		expect(html).toMatch(
			/value="choice-1" selected>M<[^]*value="choice-2" checked>[^]*>\nLong note</,
		);
		const { resumed } = await post(link, { data: { ...entered, 'field-1': '12.50' } });
		expect(resumed!.items[0]!.json.data).toEqual({
			...{ Name: 'Ada', amount: 12.5, Mail: null, Day: null, Size: 'M', Extras: ['A', 'C'] },
			...{ Note: 'Long note', respondedAt: expect.any(String) as string },
		});
	});

	test.each([
		['no elements', form(), "'Form Elements' is empty"],
		['two elements with one name', form({ fieldLabel: 'a' }, { fieldLabel: 'a' }), "the name 'a'"],
		['a taken name', form({ fieldLabel: 'respondedAt' }), 'respondedAt'],
		['a name that n8n drops', form({ fieldLabel: 'x', fieldName: '__proto__' }), '__proto__'],
		['no label', form({ fieldType: 'text' }), 'Label of form element 1'],
		['no choices', form({ fieldLabel: 'Size', fieldType: 'dropdown' }), "'Size' has no choices"],
	])('with %s is rejected before anything is sent', async (_name, parameters, message) => {
		const { error, run: result } = await run(options(parameters));
		expect(error?.message).toContain(message);
		expect(result.waitTill).toBeUndefined();
		expect(gateway.requests()).toEqual([]);
	});
});

describe('the time limit', () => {
	const twoHours = { options: { limitWaitTime: 120 } };

	test('begins when the question was sent', async () => {
		gateway.faults([{ latencyMs: 300, times: 1 }]);
		const before = Date.now();
		const { outcome } = await ask(twoHours);
		const waitTill = new Date(outcome.run.waitTill!).getTime();
		expect(waitTill - before).toBeGreaterThanOrEqual(7_200_000 + 290);
		expect(waitTill - Date.now()).toBeLessThanOrEqual(7_200_000);
	});

	test('ends without an answer, even if the input looks like one', async () => {
		const json: IDataObject = { order: 7, answered: true, data: { approved: true } };
		Object.defineProperty(json, '__proto__', { value: { data: {} }, enumerable: true });
		const binary = { file: { data: 'eA==', mimeType: 'text/plain' } };
		const { timeOut } = await ask(twoHours, { items: [{ json, binary }] });
		const { items } = await timeOut();
		const left = { json: { order: 7, answered: false }, binary, pairedItem: { item: 0 } };
		expect(items).toMatchObject([left]);
		expect(Object.keys(items[0]!.json).sort()).toEqual(['answered', 'order']);
		// The previous node's output is as it was.
		expect(json).toMatchObject({ answered: true, data: { approved: true } });
	});

	test('ends without an answer for every item that Execute Once left out', async () => {
		const items = [{ json: { answered: true } }, { json: { data: { approved: true } } }];
		const { timeOut } = await ask(twoHours, { items, settings: { executeOnce: true } });
		const unanswered = { answered: false };
		expect((await timeOut()).items.map(({ json }) => json)).toEqual([unanswered, unanswered]);
	});

	test('does not end with a sub-workflow of the execution that still waits', async () => {
		const { outcome } = await ask({}, { executionId: '7' });
		const [waiting] = outcome.run.data.executionData!.nodeExecutionStack;
		// n8n then ignores the end of all others.
		expect(waiting!.metadata).toMatchObject({ waitingChildExecutionIds: ['7'] });
	});

	test('is checked when the answer comes', async () => {
		const { get, post, link } = await ask(twoHours);
		const later = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 7_200_001);
		const pages = [await get(link), await post(link, { approved: 'true' })];
		later.mockRestore();
		for (const { status, resumed, html } of pages) {
			expect([status, resumed]).toEqual([410, undefined]);
			expect(html).toContain('Expired');
		}
	});
});

describe('does not wait', () => {
	const twoItems = [{ json: {} }, { json: {} }];

	test.each<[string, Partial<RunOptions>, string]>([
		['for a message that failed', {}, 'is not online'],
		['for several items', { items: twoItems }, 'about one item, not 2'],
		['as a tool', { asTool: true }, 'cannot run as a tool'],
	])('%s, in a workflow that continues, either', async (_what, others, message) => {
		gateway.setStatus('DISCONNECTED');
		const stopped = await run(options({}, others));
		expect(stopped.error?.message).toContain(message);
		const settings = { onError: 'continueRegularOutput' as const };
		const { items, run: result } = await run(options({}, { ...others, settings }));
		expect(items).toHaveLength(others.items?.length ?? 1);
		for (const { json } of items) expect(json.error).toContain(message);
		expect([stopped.run.waitTill, result.waitTill]).toEqual([undefined, undefined]);
		expect(gateway.state().delivered).toEqual([]);
	});

	test('for a message that the gateway dropped as a duplicate', async () => {
		const withKey = options({ options: { idempotencyKey: 'order-7' } });
		await run(withKey);
		const { error, run: result } = await run({ ...withKey, executionId: '2' });
		expect(error?.message).toContain('same idempotency key');
		expect(result.waitTill).toBeUndefined();
	});
});

test('waits for a duplicate that has the same link, because its key is automatic', async () => {
	const automatic = options({ options: { idempotencyKey: 'automatic' } }, { establishedAt: 1 });
	await run(automatic);
	const again = await run(automatic);
	expect(again.error).toBeUndefined();
	expect(again.items).toMatchObject([{ json: { outcome: 'duplicate' } }]);
	expect(again.run.waitTill).toBeDefined();
	// A Retry execution has another link, and so another key.
	const retried = await run({ ...automatic, executionId: '2' });
	expect(retried.items).toMatchObject([{ json: { outcome: 'sent' } }]);
});
