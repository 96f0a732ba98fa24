import { createHash, createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { post, textTo } from '../../sandbox/client';
import { inNewBrowser, PERSON, picture, useBrowser } from '../browser';
import { cameraOn, codeInForce } from '../camera';
import { live } from '../live';
import { type Json, until } from '../n8n';
import { sandbox } from '../sandbox';
import { chat, fillIn, giveCredential, publish, run } from './examples';
import { McpClient } from './mcpClient';
import { scriptedModel } from './scriptedModel';

const FOLDER = join(__dirname, '../../../workflows');
const UNKNOWN = { cut: 'after' } as const;

beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});

useBrowser();

const delivered = async () => (await sandbox.state()).delivered;

test('n8n was given every example', () => {
	const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
	expect(Object.keys(live.workflows).sort()).toEqual(files.sort());
});

describe('1. Form to message', () => {
	let form: string;
	beforeAll(async () => {
		form = await publish('1-form-to-message', '/form/send-a-message');
	});

	/** Fills in the form, and reads the page that comes after it. */
	async function submitted(phone: string): Promise<string> {
		const fields = new FormData();
		for (const [index, value] of ['Ada', phone, 'Hello there'].entries()) {
			fields.set(`field-${index}`, value);
		}
		const answer = await fetch(form, { method: 'POST', body: fields });
		const { formWaitingUrl } = (await answer.json()) as { formWaitingUrl: string };
		await until('the end of the sending', async () => {
			const url = new URL(formWaitingUrl);
			url.pathname += '/n8n-execution-status';
			return (await (await fetch(url)).text()) === 'form-waiting' || undefined;
		});
		const page = await (await fetch(formWaitingUrl)).text();
		return /<h1>(.*)<\/h1>/.exec(page)![1]!;
	}

	test('what a visitor enters arrives, and the last page says so', async () => {
		expect(await submitted('+44 (7700) 900-123')).toBe('Sent');
		expect(await delivered()).toMatchObject([
			{ chatId: '447700900123', type: 'text', text: 'Hello there\n\nAda' },
		]);
	});

	test('a number that is none: the last page says that nothing was sent', async () => {
		expect(await submitted('call me')).toBe('Not sent');
		expect(await delivered()).toEqual([]);
	});

	test('a lost connection: the last page says that nobody knows', async () => {
		await sandbox.faults([{ endpoint: 'sendMessage', ...UNKNOWN }]);
		expect(await submitted('+447700900123')).toBe('Perhaps sent');
	});
});

describe('2. CRM webhook to message', () => {
	const SECRET = 'client secret of a CRM app';
	let url: string;
	beforeAll(async () => {
		await giveCredential('2-crm-webhook-to-message', 'Expected signature', 'crypto', {
			hmacSecret: SECRET,
		});
		url = await publish('2-crm-webhook-to-message', '/webhook/crm-event');
	});

	const event = (properties: Json = {}) => ({
		eventId: 3816279340,
		subscriptionType: 'deal.propertyChange',
		properties: { firstname: 'Zoë', phone: '+44 7700 900123', amount: '249.50', ...properties },
	});

	/** Calls as HubSpot does. The blanks are there to be lost by whoever writes the body anew. */
	async function called(
		payload: unknown,
		{ minutesOff = 0, secret = SECRET, isSigned = true } = {},
	) {
		const timestamp = Date.now() + minutesOff * 60_000;
		const body = JSON.stringify(payload, null, 3);
		const signature = createHmac('sha256', secret)
			.update(`POST${url}${body}${timestamp}`)
			.digest('base64');
		const response = await fetch(url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				'x-hubspot-request-timestamp': String(timestamp),
				...(isSigned && { 'x-hubspot-signature-v3': signature }),
			},
			body,
		});
		return { status: response.status, json: (await response.json()) as Json };
	}

	test('a genuine call becomes one message, however often it comes', async () => {
		expect(await called(event())).toEqual({ status: 200, json: { sent: true, outcome: 'sent' } });
		expect(await called(event())).toEqual({
			status: 200,
			json: { sent: true, outcome: 'duplicate' },
		});
		expect(await delivered()).toMatchObject([
			{
				chatId: '447700900123',
				text: "Hello Zoë, thank you for your order of 249.50 €. We'll be in touch soon.",
				idempotencyKey: '3816279340',
			},
		]);
	});

	test.each([
		['of another secret', { secret: 'guessed' }],
		['that is missing', { isSigned: false }],
		['from six minutes ago', { minutesOff: -6 }],
		['from six minutes ahead', { minutesOff: 6 }],
		['with a timestamp that is none', { minutesOff: NaN }],
	])('a signature %s is refused', async (_, choices) => {
		expect((await called(event(), choices)).status).toBe(401);
		expect(await sandbox.requests()).toEqual([]);
	});

	test.each([
		['without a phone', { phone: undefined }],
		['without a name', { firstname: '' }],
		['without an amount', { amount: undefined }],
		['with an amount that is no number', { amount: 'a lot' }],
	])('a genuine call %s is told so', async (_, properties) => {
		expect((await called(event(properties))).status).toBe(422);
		expect(await sandbox.requests()).toEqual([]);
	});

	test('the CRM hears that the gateway did not take the message', async () => {
		await sandbox.setStatus('DISCONNECTED');
		const { status, json } = await called(event());
		expect(status).toBe(502);
		expect(json).toEqual({ sent: false, reason: expect.stringContaining('not online') });
	});
});

describe('3. Pair a phone on a web page', () => {
	const FILE = '3-pair-a-phone';
	let url: string;
	beforeAll(async () => {
		url = await publish(FILE, '/webhook/pair-a-phone');
	});

	async function opened(visit: string) {
		const response = await fetch(url + visit, { headers: PERSON });
		expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
		const html = await response.text();
		return {
			title: /<h1>(.*)<\/h1>/.exec(html)?.[1],
			text: /role="status">(.*)<\/p>/.exec(html)?.[1],
			next: /http-equiv="refresh" content="([^"]*)"/.exec(html)?.[1],
			html,
		};
	}

	type Camera = Awaited<ReturnType<typeof cameraOn>>;

	/** The page, and the phone beside it. */
	async function paired(
		page: Page,
		address: string,
		whenShown: (read: Camera) => Promise<void> = async () => {},
	): Promise<void> {
		await sandbox.setStatus('DISCONNECTED');
		await page.setExtraHTTPHeaders(PERSON);
		const read = await cameraOn(page);
		await page.goto(address);
		await showsCodeInForce(read);
		await whenShown(read);
		const phone = await page.context().newPage();
		await phone.goto(live.urls.phone);
		await phone.getByTestId('scan').click();
		await page.getByRole('heading', { name: 'Paired' }).waitFor();
		await page.getByText('The phone is linked.').waitFor();
	}

	async function showsCodeInForce(read: Camera): Promise<void> {
		await until('the code of the moment', async () => {
			const code = await read();
			return (code !== undefined && code === (await codeInForce())) || undefined;
		});
	}

	inNewBrowser('it shows a code, renews it by itself, and ends in “Paired”', async (page) => {
		await paired(page, url, async (read) => {
			const first = await codeInForce();
			await until('another code', async () => (await codeInForce()) !== first || undefined);
			const expiredAt = Date.now();
			await showsCodeInForce(read);
			// Up to three on an idle machine: that is how often the gateway is asked.
			expect(Date.now() - expiredAt).toBeLessThan(10_000);
		});
		await picture(page, 'paired');
	});

	inNewBrowser('the gateway is away for a while: it says so, and goes on', async (page) => {
		await paired(page, url, async (read) => {
			await sandbox.faults([{ cut: 'before' }]);
			// Long before anybody can say what is wrong: it may have expired by then.
			await until(
				'a code that is gone',
				async () => (await read()) === undefined || undefined,
				20_000,
			);
			await page.getByRole('heading', { name: 'No code to show' }).waitFor({ timeout: 45_000 });
			await picture(page, 'pair-a-phone-gateway-away');
			await sandbox.faults([]);
			await showsCodeInForce(read);
		});
	});

	test('it says that a code was renewed, and waits for that no longer than it takes', async () => {
		await sandbox.setStatus('AWAITING_QR');
		const { title, text } = await opened('?shown=2@the-one-before');
		expect(title).toBe('Scan this code');
		expect(text).toContain('The code was renewed');
		const paths = (await sandbox.requests()).map(({ endpoint }) => endpoint);
		expect(paths).toEqual(['status', 'qr', 'status', 'qr']);
	});

	test('online already: it says so, and starts nothing', async () => {
		expect(await opened('')).toMatchObject({ title: 'One moment', next: '1; url=?shown=' });
		const page = await opened('?shown=');
		expect(page).toMatchObject({ title: 'Paired', next: undefined });
		expect(page.text).toContain('a phone is linked already');
		const paths = (await sandbox.requests()).map(({ endpoint }) => endpoint);
		expect(paths).toEqual(['status']);
	});

	test('a program that previews links gets no code', async () => {
		expect((await fetch(url)).status).toBe(403);
		expect(await sandbox.requests()).toEqual([]);
	});

	test('what only a person can set right is said at once', async () => {
		await sandbox.faults([{ endpoint: 'status', status: 401, code: 'invalid_token' }]);
		expect(await opened('?shown=')).toMatchObject({
			title: 'No code to show',
			text: 'The gateway does not know the token (401, invalid_token)',
			next: '3; url=?shown=',
		});
	});

	test('nothing of the gateway becomes a part of the page itself', async () => {
		await sandbox.setStatus('AWAITING_QR');
		const text = JSON.stringify({ qr: `2@'"><b>bold</b>` });
		await sandbox.faults([{ endpoint: 'qr', body: { contentType: 'application/json', text } }]);
		const { html, next } = await opened('?shown=');
		expect(next).toBe(`1; url=?shown=2%40'%22%3E%3Cb%3Ebold%3C%2Fb%3E`);
		expect(html).not.toContain('<b>');
	});

	inNewBrowser('behind Basic Auth, as its note advises', async (page) => {
		const person = { user: 'anna', password: 'a password' };
		await giveCredential(FILE, 'Open the page', 'httpBasicAuth', person);
		await fillIn(FILE, 'Open the page', { authentication: 'basicAuth' });
		await publish(FILE, '/webhook/pair-a-phone');
		expect((await fetch(url, { headers: PERSON })).status).toBe(401);
		await paired(page, url.replace('://', '://anna:a%20password@'));
	});
});

describe('4. Bulk send from a CSV file', () => {
	const FILE = '4-bulk-send-from-csv';

	test('the sample: the report tells sent, unknown and not sent apart', async () => {
		await sandbox.faults([{ endpoint: 'sendMessage', chatId: '447700900124', ...UNKNOWN }]);
		const { status, outputs } = await run(FILE);
		expect(status).toBe('success');
		expect(outputs('Report')[0]).toEqual([
			{ phone: '+44 7700 900123', name: 'Ada', result: 'sent', reason: '' },
			{ phone: '+44 7700 900125', name: 'Katherine', result: 'sent', reason: '' },
			{
				phone: '+44 7700 900124',
				name: 'Grace',
				result: 'unknown',
				reason: expect.stringContaining('it may have been sent'),
			},
			{
				phone: 'no number yet',
				name: 'Mary',
				result: 'not sent',
				reason: expect.stringContaining("'Chat ID'"),
			},
		]);
		expect(outputs('Report as CSV')[0]).toHaveLength(1);

		const messages = await delivered();
		expect(messages.map(({ text }) => text).sort()).toEqual([
			'Hello Ada, we look forward to seeing you on Monday at 9.',
			'Hello Grace, we look forward to seeing you on Monday at 10.',
			'Hello Katherine, we look forward to seeing you on Monday at 11.',
		]);
		const keys = messages.map(({ idempotencyKey }) => idempotencyKey);
		expect(new Set(keys).size).toBe(3);
		expect(keys).not.toContain(undefined);
	});

	test('an uploaded file', async () => {
		const form = await publish(FILE, '/form/bulk-send');
		const rows = 'phone,name,appointment\n447700900126,Dorothy,"Friday, at noon"\n';
		const fields = new FormData();
		fields.set('field-0', new Blob([rows], { type: 'text/csv' }), 'rows.csv');
		expect((await fetch(form, { method: 'POST', body: fields })).status).toBe(200);
		const messages = await until('the message', async () => {
			const found = await delivered();
			return found.length > 0 ? found : undefined;
		});
		expect(messages).toMatchObject([
			{
				chatId: '447700900126',
				text: 'Hello Dorothy, we look forward to seeing you on Friday, at noon.',
			},
		]);
	});
});

test('5. Send a picture and an invoice', async () => {
	expect((await run('5-picture-and-invoice')).status).toBe('success');
	const workflow = readFileSync(join(FOLDER, '5-picture-and-invoice.json'), 'utf8');
	const base64 = /"(iVBOR[^"]+)"/.exec(workflow)![1]!;
	const sha256 = createHash('sha256').update(Buffer.from(base64, 'base64')).digest('hex');
	expect(await delivered()).toMatchObject([
		{
			chatId: '447700900123',
			type: 'media',
			caption: 'Thank you, Ada: this is for you',
			media: { mimetype: 'image/png', filename: 'voucher.png', sha256 },
		},
		{
			chatId: '447700900123',
			type: 'file',
			caption: 'Your invoice 1001',
			media: { mimetype: 'text/html', filename: 'invoice-1001.html' },
		},
	]);
});

describe('6. Cancel deferred deliveries older than an hour', () => {
	const FILE = '6-cancel-old-deferred-deliveries';
	const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

	/** Messages that wait, of which the gateway tells other dates than the true ones. */
	async function waiting(dates: Record<string, unknown>): Promise<void> {
		await sandbox.setStatus('DISCONNECTED');
		for (const text of Object.keys(dates)) {
			await post(live.account, 'sendMessage', { ...textTo('447700900123', text), windowMs: 9e7 });
		}
		const { deferred } = await sandbox.state();
		const told = deferred.map((delivery) => ({ ...delivery, createdAt: dates[delivery.text!] }));
		const body = { contentType: 'application/json', text: JSON.stringify(told) };
		await sandbox.faults([{ endpoint: 'listDeferred', body }]);
	}

	const stillThere = async () => (await sandbox.state()).deferred.map(({ text }) => text);

	test('old ones go; new ones, and those without a date, stay', async () => {
		await waiting({
			old: minutesAgo(61),
			'as old': minutesAgo(3 * 24 * 60),
			new: minutesAgo(59),
			undated: undefined,
			odd: 'last Monday',
			nothing: null,
		});
		const { status, outputs } = await run(FILE);
		expect(status).toBe('success');
		expect(outputs('Summary')[0]).toEqual([{ waiting: 6, cancelled: 2, notCancelled: [] }]);
		expect(await stillThere()).toEqual(['new', 'undated', 'odd', 'nothing']);
	});

	test('one that went out meanwhile keeps none of the others', async () => {
		await waiting({ gone: minutesAgo(90), old: minutesAgo(80) });
		const gone = (await sandbox.state()).deferred.find(({ text }) => text === 'gone')!;
		const answer = await fetch(
			`${live.account.baseUrl}/api/whatsapp/${live.account.token}/deferred/${gone.deliveryKey}`,
			{ method: 'DELETE' },
		);
		expect(answer.ok).toBe(true);
		const { outputs } = await run(FILE);
		expect(outputs('Summary')[0]).toEqual([
			{
				waiting: 2,
				cancelled: 1,
				notCancelled: [
					{
						deliveryKey: gone.deliveryKey,
						result: expect.stringContaining('There is no deferred delivery with this key'),
					},
				],
			},
		]);
		expect(await stillThere()).toEqual([]);
	});

	test('nothing waits: nothing happens', async () => {
		expect((await run(FILE)).status).toBe('success');
		expect((await sandbox.requests()).map(({ endpoint }) => endpoint)).toEqual(['listDeferred']);
	});
});

test('7a. AI agent that sends messages', async () => {
	const model = await scriptedModel([
		{ tool: 'Session_status', args: {} },
		{ tool: 'Send_message', args: { recipient: '+44 7700 900123', text: 'Ten minutes late' } },
		'It is on its way.',
	]);
	try {
		await giveCredential('7a-ai-agent', 'Model', 'openAiApi', {
			apiKey: 'placeholder',
			url: model.baseUrl,
		});
		const answer = await chat('7a-ai-agent', 'Chat', 'Tell +44 7700 900123 that I am late');
		expect(answer).toEqual({ output: 'It is on its way.' });
	} finally {
		await model.close();
	}

	const tools = model.asked[0]!.tools.map(({ function: tool }) => tool);
	const sendTool = tools.find(({ name }) => name === 'Send_message')!;
	expect(Object.keys(sendTool.parameters.properties).sort()).toEqual(['recipient', 'text']);
	const told = model.asked.at(-1)!.messages.filter(({ role }) => role === 'tool');
	expect(told.map(({ content }) => content)).toEqual([
		expect.stringContaining('ONLINE'),
		expect.stringContaining('"outcome":"sent"'),
	]);
	expect(await delivered()).toMatchObject([{ chatId: '447700900123', text: 'Ten minutes late' }]);
});

test('7b. MCP server for AI clients', async () => {
	const client = new McpClient(await publish('7b-mcp-server', '/mcp/messaging-gateway'));
	await client.initialize();
	const tools = await client.tools();
	expect(tools.map(({ name }) => name).sort()).toEqual([
		'Send_message',
		'Session_status',
		'Waiting_messages',
	]);
	const sendTool = tools.find(({ name }) => name === 'Send_message')!;
	expect(Object.keys(sendTool.inputSchema.properties).sort()).toEqual(['recipient', 'text']);

	expect(await client.callTool('Session_status', {})).toContain('ONLINE');
	const message = { recipient: '+44 7700 900123', text: 'Hello from a model' };
	expect(await client.callTool('Send_message', message)).toContain('"outcome":"sent"');
	expect(await delivered()).toMatchObject([{ chatId: '447700900123', text: message.text }]);

	const refused = await client.callTool('Send_message', { ...message, recipient: 'Bob' });
	expect(refused).toContain("'Chat ID' cannot be 'Bob'");

	await sandbox.setStatus('DISCONNECTED');
	await post(live.account, 'sendMessage', { ...textTo('447700900123', 'Later'), windowMs: 60_000 });
	expect(await client.callTool('Waiting_messages', {})).toContain('Later');
});

test('8. A new endpoint through HTTP Request', async () => {
	const { status, outputs } = await run('8-new-endpoint');
	expect(status).toBe('success');
	expect(outputs('HTTP Request')[0]).toMatchObject([{ inviteCode: 'AbC123', size: 12 }]);
	expect(await sandbox.requests()).toMatchObject([{ endpoint: 'inviteInfo', status: 200 }]);
});
