import { type Page } from 'playwright-core';

import { BROWSER_HEADERS, signedOutBrowserTest, useBrowser } from '../browser';
import { executionsOf, waitForExecution } from '../executions';
import { live } from '../live';
import { waitFor } from '../n8n';
import { answer, linkIn, waitUntilWaiting } from '../questions';
import { sandbox } from '../sandbox';
import {
	finalPage,
	idOf,
	postForm,
	basicAuth,
	publish,
	setCredential,
	setFields,
	start,
	submitForm,
} from './examples';
import { startScriptedModel } from './scriptedModel';

const MANAGER = '447700900200';
const DIRECTOR = '447700900300';
const EMPLOYEE = '447700900123';
const COLLEAGUE = '447700900400';
const CUSTOMER = '447700900123';

useBrowser();
beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});

/** Waits for the first message to a chat, and returns its text. */
async function messageTo(chatId: string, count = 1, timeoutMs?: number): Promise<string> {
	return await waitFor(
		`message ${count} to ${chatId}`,
		async () => {
			const messages = (await sandbox.state()).delivered.filter((sent) => sent.chatId === chatId);
			return messages[count - 1]?.text;
		},
		timeoutMs,
	);
}

const textOf = async (response: Promise<Response>) => await (await response).text();

/** Opens the link in the chat, as the user does. */
async function openOnPhone(page: Page, chatId: string): Promise<Page> {
	await page.setViewportSize({ width: 390, height: 844 });
	await page.goto(`${live.urls.phone}#${chatId}`);
	const [opened] = await Promise.all([
		page.context().waitForEvent('page'),
		page.getByTestId('bubble').getByRole('link').click(),
	]);
	return opened;
}

describe('10. Ask for an approval in a chat', () => {
	const FILE = '10-approval';

	let form: string;
	beforeAll(async () => {
		form = await publish(FILE, '/form/discount-request');
	});

	/** Submits the form, opens its last page as a browser does, and returns the heading. */
	async function submit({
		phone = '+44 7700 900123',
		discount = '10',
		reason = 'A large order',
	} = {}): Promise<string> {
		const response = await submitForm(form, ['Grace', phone, 'Ada & Sons', discount, reason]);
		const { formWaitingUrl } = (await response.json()) as { formWaitingUrl: string };
		const page = await finalPage(formWaitingUrl);
		// The page itself sends this, and the execution continues.
		await fetch(formWaitingUrl, { method: 'POST' });
		return /<h1>(.*)<\/h1>/.exec(page)![1]!;
	}

	async function request(fields?: { reason?: string }): Promise<void> {
		expect(await submit(fields)).toBe('Request received');
	}

	async function linkToManager(): Promise<string> {
		await request();
		const link = linkIn(await messageTo(MANAGER));
		await waitUntilWaiting(link);
		return link;
	}

	signedOutBrowserTest(
		'an employee requests in the form, and the manager approves on a phone',
		async (page) => {
			await page.goto(form);
			await page.getByLabel('Your name').fill('Grace');
			await page.getByLabel('Your phone number').fill('+44 7700 900123');
			await page.getByLabel('Customer').fill('Ada & Sons');
			await page.getByLabel('Discount in percent').fill('10');
			await page.getByLabel('Reason').fill('A large order');
			await page.getByRole('button', { name: 'Request' }).click();
			await page.getByRole('heading', { name: 'Request received' }).waitFor();
			await waitUntilWaiting(linkIn(await messageTo(MANAGER)));
			const opened = await openOnPhone(page, MANAGER);
			await opened.getByText('May we give a discount of 10%?').waitFor();
			await opened.getByText('Requested by Grace for Ada & Sons: A large order').waitFor();
			await opened.getByRole('button', { name: 'Approve' }).click();
			await opened.getByRole('heading', { name: 'Thank you' }).waitFor();
			expect(await messageTo(EMPLOYEE)).toBe('The discount of 10% for Ada & Sons was approved.');
		},
		() => {
			const { user: username, password } = live.entryKeys;
			return { httpCredentials: { username, password, origin: live.urls.n8n } };
		},
	);

	test('the manager declines, and previews of the link change nothing', async () => {
		const link = await linkToManager();
		for (const agent of ['WhatsApp/2.23.20.0 A', BROWSER_HEADERS['user-agent']]) {
			for (let opened = 0; opened < 3; opened++) {
				const response = await fetch(link, { headers: { 'user-agent': agent } });
				expect(await response.text()).toContain('Approve');
			}
		}
		await waitUntilWaiting(link);
		expect((await sandbox.state()).delivered).toHaveLength(1);

		expect(await textOf(answer(link, 'false'))).toContain('Thank you');
		expect(await messageTo(EMPLOYEE)).toBe('The discount of 10% for Ada & Sons was declined.');
		await executionsOf(idOf(FILE));
		expect(await textOf(answer(link, 'true'))).not.toContain('Thank you');
		expect((await sandbox.state()).delivered).toHaveLength(2);
	});

	test.each([
		['was not sent', { status: 401, code: 'invalid_token' }],
		['may not have arrived', { cut: 'after' }],
	] as const)('tells the manager that the decision %s', async (result, fault) => {
		const link = await linkToManager();
		await sandbox.faults([{ endpoint: 'sendMessage', chatId: EMPLOYEE, ...fault }]);
		expect(await textOf(answer(link, 'true'))).toContain('Thank you');
		const [notice, request] = (await messageTo(MANAGER, 2)).split('\n\n');
		expect(notice).toMatch(new RegExp(`^The decision about the discount of 10% ${result}: .`));
		expect(notice!.includes('unknown: it may have been sent')).toBe('cut' in fault);
		expect(request).toBe('Requested by Grace for Ada & Sons: A large order');
	});

	test('ignores a request that another website sends with the password', async () => {
		const values = ['Mallory', '+44 7700 900123', 'Me', '90', 'Please'];
		expect((await postForm(form, values, {})).status).toBe(401);
		expect((await postForm(form, values, basicAuth())).status).toBe(200);
		await executionsOf(idOf(FILE));
		expect(await sandbox.requests()).toEqual([]);
	});

	// n8n looks for executions whose time is over once a minute.
	test('without an answer, the manager is reminded once, and then the director is asked', async () => {
		const values = { limitType: 'afterTimeInterval', resumeAmount: 0.05, resumeUnit: 'minutes' };
		for (const node of ['Ask the manager', 'Remind the manager']) {
			await setFields(FILE, node, { options: { limitWaitTime: { values } } });
		}
		form = await publish(FILE, '/form/discount-request');
		await request();
		const links = [linkIn(await messageTo(MANAGER))];
		const reminder = await messageTo(MANAGER, 2, 150_000);
		expect(reminder).toMatch(/^Reminder: may we give a discount of 10%/);
		links.push(linkIn(reminder));
		const question = await messageTo(DIRECTOR, 1, 150_000);
		expect(question).toContain('The manager has not answered.');
		const link = linkIn(question);
		await waitUntilWaiting(link);

		for (const earlier of links)
			expect(await textOf(answer(earlier, 'true'))).not.toContain('Thank you');
		await waitUntilWaiting(link);
		expect(await textOf(answer(link, 'false'))).toContain('Thank you');
		expect(await messageTo(EMPLOYEE)).toBe('The discount of 10% for Ada & Sons was declined.');
		expect((await sandbox.state()).delivered.map(({ chatId }) => chatId)).toEqual([
			MANAGER,
			MANAGER,
			DIRECTOR,
			EMPLOYEE,
		]);
	}, 360_000);
});

describe('7c. Approve AI replies in a chat before they are sent', () => {
	const FILE = '7c-agent-with-approval';
	const REPLY = 'Sorry about that, Ada. A new one is on its way.';

	test('runs as imported, with the scripted model of the sandbox', async () => {
		const id = await start(FILE);
		const link = linkIn(await messageTo(COLLEAGUE));
		await waitUntilWaiting(link);
		await answer(link, 'true');
		const { outputs } = await waitFor('the end', async () => {
			const execution = await waitForExecution(id);
			return execution.status === 'waiting' ? undefined : execution;
		});
		expect(outputs('AI Agent')[0]).toMatchObject([{ output: 'The message was sent.' }]);
		expect(await sentToCustomer()).toEqual([
			expect.stringMatching(/^Hello Ada, thank you for your message\./),
		]);
	});

	/** Runs the workflow until it waits for the colleague. */
	async function runWith(decide: (link: string, question: string) => Promise<void>) {
		const reply = { toolParameters: { text: REPLY }, hitlParameters: {} };
		const model = await startScriptedModel([{ tool: 'Send_reply', args: reply }, 'Done.']);
		try {
			await setCredential(FILE, 'Model', 'openAiApi', {
				apiKey: 'placeholder',
				url: model.baseUrl,
			});
			const id = await start(FILE);
			const question = await messageTo(COLLEAGUE);
			const link = linkIn(question);
			await waitUntilWaiting(link);
			await decide(link, question);
			const { status, outputs } = await waitFor('the end', async () => {
				const execution = await waitForExecution(id);
				return execution.status === 'waiting' ? undefined : execution;
			});
			expect(status).toBe('success');
			expect(outputs('AI Agent')[0]).toMatchObject([{ output: 'Done.' }]);
			const results = model.requests.at(-1)!.messages.filter(({ role }) => role === 'tool');
			expect(results).toHaveLength(1);
			return { result: results[0]!.content, request: model.requests[0]! };
		} finally {
			await model.close();
		}
	}

	const sentToCustomer = async () =>
		(await sandbox.state()).delivered
			.filter(({ chatId }) => chatId === CUSTOMER)
			.map(({ text }) => text);

	signedOutBrowserTest('an approved reply is sent', async (page) => {
		const { result, request } = await runWith(async (_link, question) => {
			expect(question).toContain(`May I send this reply?\n\n{\n  "text": "${REPLY}"\n}\n\n`);
			expect(question).toContain('without links: Ada: My order 1007 arrived broken.');
			expect(await sentToCustomer()).toEqual([]);
			const opened = await openOnPhone(page, COLLEAGUE);
			await opened.getByText(REPLY).waitFor();
			await opened.getByRole('button', { name: 'Approve' }).click();
			await opened.getByRole('heading', { name: 'Thank you' }).waitFor();
		});
		expect(result).toContain('"outcome":"sent"');
		expect(await sentToCustomer()).toEqual([REPLY]);
		expect(request.tools.map(({ function: { name } }) => name)).toEqual(['Send_reply']);
		const schema = JSON.stringify(request.tools[0]!.function.parameters);
		expect(schema).toContain('The reply, as the customer will read it');
		expect(schema).not.toContain('chatId');
	});

	test('a declined reply is not sent, and previews of the link change nothing', async () => {
		const { result } = await runWith(async (link) => {
			for (const agent of ['WhatsApp/2.23.20.0 A', BROWSER_HEADERS['user-agent']]) {
				const response = await fetch(link, { headers: { 'user-agent': agent } });
				expect(await response.text()).toContain('Approve');
			}
			await waitUntilWaiting(link);
			expect(await textOf(answer(link, 'false'))).toContain('Thank you');
		});
		expect(result).toMatch(/rejected/);
		expect(await sentToCustomer()).toEqual([]);
	});
});
