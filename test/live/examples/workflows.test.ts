import { createHash, createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { post, textTo } from '../../harness/client';
import { signedOutBrowserTest, BROWSER_HEADERS, useBrowser } from '../browser';
import { openCamera, currentQrCode } from '../camera';
import { live } from '../live';
import { type Json, waitFor } from '../n8n';
import { sandbox, useSandbox } from '../sandbox';
import {
	basicAuth,
	chat,
	publish,
	run,
	setCredential,
	setFields,
	setValues,
	submitted,
	withPassword,
} from './examples';
import { McpClient } from './mcpClient';
import { startScriptedModel } from './scriptedModel';

const FOLDER = join(__dirname, '../../../examples');
/** The gateway accepts the message, but the response is lost. */
const LOST_RESPONSE = { cut: 'after' } as const;

useBrowser();
useSandbox();

const delivered = async () => (await sandbox.state()).delivered;

test('imports every example into n8n', () => {
	const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
	expect(Object.keys(live.workflows).sort()).toEqual(files.sort());
});

describe('1. Send a message from a form', () => {
	let form: string;
	beforeAll(async () => {
		form = await publish('1-form-to-message', '/form/send-a-message');
	});

	/** Submits the form and returns the heading of the final page. */
	async function submit(phone: string): Promise<string> {
		const page = await submitted(form, ['Ada', phone, 'Hello there']);
		return /<h1>(.*)<\/h1>/.exec(page)![1]!;
	}

	test('sends what a visitor enters, and confirms it on the final page', async () => {
		expect(await submit('+44 (7700) 900-123')).toBe('Sent');
		expect(await delivered()).toMatchObject([
			{ chatId: '447700900123', type: 'text', text: 'Hello there\n\nAda' },
		]);
	});

	test('reports an unknown result on the final page if the connection is lost', async () => {
		await sandbox.faults([{ endpoint: 'sendMessage', ...LOST_RESPONSE }]);
		expect(await submit('+447700900123')).toBe('Possibly sent');
	});
});

describe('2. Send a message when a CRM reports a won deal', () => {
	let url: string;
	beforeAll(async () => {
		url = await publish('2-crm-webhook-to-message', '/webhook/crm-event');
	});

	const properties = { firstname: 'Zoë', phone: '+44 7700 900123', amount: '249.50' };
	const event = { eventId: 3816279340, subscriptionType: 'deal.propertyChange', properties };

	/** Calls the webhook like HubSpot. The body is indented, so that reserializing it breaks the signature. */
	async function callWebhook(
		payload: unknown,
		{ minutesOff = 0, secret = live.entryKeys.secret } = {},
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
				'x-hubspot-signature-v3': signature,
			},
			body,
		});
		return { status: response.status, json: (await response.json()) as Json };
	}

	test('sends one message even if the same valid call arrives twice', async () => {
		for (const outcome of ['sent', 'duplicate'])
			expect(await callWebhook(event)).toEqual({ status: 200, json: { sent: true, outcome } });
		expect(await delivered()).toMatchObject([
			{
				chatId: '447700900123',
				text: "Hello Zoë, thank you for your order of 249.50 €. We'll be in touch soon.",
				idempotencyKey: '3816279340',
			},
		]);
	});

	test.each([
		['with another secret', { secret: 'guessed' }],
		['that is six minutes old', { minutesOff: -6 }],
		['with an invalid timestamp', { minutesOff: NaN }],
	])('rejects a signature %s', async (_, choices) => {
		expect((await callWebhook(event, choices)).status).toBe(401);
		expect(await sandbox.requests()).toEqual([]);
	});
});

describe('3. Pair a phone on a web page', () => {
	const FILE = '3-pair-a-phone';
	let url: string;
	beforeAll(async () => {
		url = await publish(FILE, '/webhook/pair-a-phone');
	});

	/** What a browser sends when the user enters the address. */
	const USER_HEADERS = { 'sec-fetch-site': 'none' };

	const request = async (query: string, headers: Record<string, string> = USER_HEADERS) =>
		await fetch(url + query, { headers: { ...BROWSER_HEADERS, ...basicAuth(), ...headers } });

	/** The part of the query that identifies a page which the user has opened. */
	const openedPage = async () => /&until=(\d+)&token=\w+/.exec(await (await request('')).text())!;

	async function waitForCurrentCode(read: () => Promise<string | undefined>): Promise<void> {
		await waitFor('the current QR code', async () => {
			const code = await read();
			return (code !== undefined && code === (await currentQrCode())) || undefined;
		});
	}

	signedOutBrowserTest('shows the QR code, refreshes it, and ends with “Paired”', async (page) => {
		await sandbox.setStatus('DISCONNECTED');
		await page.setExtraHTTPHeaders(BROWSER_HEADERS);
		const addresses: string[] = [];
		page.on('framenavigated', (frame) => addresses.push(new URL(frame.url()).search));
		const read = await openCamera(page);
		await page.goto(withPassword(url));
		await waitForCurrentCode(read);
		const first = await currentQrCode();
		await waitFor('another code', async () => (await currentQrCode()) !== first || undefined);
		await waitForCurrentCode(read);
		const phone = await page.context().newPage();
		await phone.goto(live.urls.phone);
		await phone.getByTestId('scan').click();
		await page.getByRole('heading', { name: 'Paired' }).waitFor();
		await page.getByText('The phone is linked.').waitFor();
		// No address has a code.
		expect(addresses.join()).toMatch(/shown=[0-9a-f]{64}&/);
		expect(decodeURIComponent(addresses.join())).not.toContain('2@');
	});

	test.each(['cross-site', 'same-site', undefined])(
		'asks before it shows a code to a page that another site opened (%s), also with the password',
		async (site) => {
			const headers: Record<string, string> = site === undefined ? {} : { 'sec-fetch-site': site };
			for (const query of ['', '?shown=2@x', '?shown=&until=9999999999999&token=', '?token=']) {
				const response = await request(query, headers);
				expect(response.status).toBe(403);
				expect(response.headers.get('x-frame-options')).toBe('DENY');
				const html = await response.text();
				expect(html).toContain('<h1>Pair a phone</h1>');
				// Otherwise another site could choose how long the address is valid.
				expect(html.includes('token=')).toBe(!query.includes('until='));
			}
			expect(await sandbox.requests()).toEqual([]);
		},
	);

	test('expires after ten minutes', async () => {
		const [, until] = await openedPage();
		const minutes = (Number(until) - Date.now()) / 60_000;
		expect(Math.ceil(minutes)).toBe(10);

		const past = String(Date.now() - 1);
		const token = createHmac('sha256', live.entryKeys.secret)
			.update(`pairing page until ${past}`)
			.digest('hex');
		const response = await request(`?shown=2@x&until=${past}&token=${token}`);
		expect(response.status).toBe(410);
		expect(await response.text()).toMatch(/^This page has expired/);
		expect(await sandbox.requests()).toEqual([]);
	});

	test('escapes HTML in values from the gateway', async () => {
		await sandbox.setStatus('AWAITING_QR');
		const qr = `2@'"><b>bold</b>`;
		const body = { contentType: 'application/json', text: JSON.stringify({ qr }) };
		await sandbox.faults([{ endpoint: 'qr', body }]);
		const [opened] = await openedPage();
		// A browser reports another site when the page refreshes, because n8n sandboxes it.
		const response = await request(`?shown=${opened}`, { 'sec-fetch-site': 'cross-site' });
		expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
		const html = await response.text();
		const hash = createHash('sha256').update(qr).digest('hex');
		expect(html).toContain(`http-equiv="refresh" content="1; url=?shown=${hash}&until=`);
		expect(html).not.toMatch(/<b>|2@/);
	});
});

describe('4. Send messages to a list from a CSV file', () => {
	const FILE = '4-bulk-send-from-csv';

	test('reports sent, unknown and not sent for the sample rows', async () => {
		await sandbox.faults([{ endpoint: 'sendMessage', chatId: '447700900124', ...LOST_RESPONSE }]);
		const { status, outputs } = await run(FILE);
		expect(status).toBe('success');
		expect(outputs('Report')[0]).toMatchObject([
			{ row: 2, phone: '+44 7700 900123', name: 'Ada', result: 'sent', reason: '' },
			{ row: 3, result: 'unknown', reason: expect.stringMatching(/it may have been sent$/) },
			{ row: 4, phone: '+44 7700 900125', name: 'Katherine', result: 'sent', reason: '' },
			{ row: 5, result: 'not sent', reason: expect.stringMatching(/^'phone'[^[]*$/) },
		]);
		expect(outputs('Report as CSV')[0]).toHaveLength(1);
		const messages = await delivered();
		expect(messages.map(({ text }) => text).sort()[0]).toBe(
			'Hello Ada, we look forward to seeing you on Monday at 9.',
		);
		const keys = messages.map(({ idempotencyKey }) => idempotencyKey as string);
		expect(new Set(keys.filter(Boolean)).size).toBe(3);
	});

	describe('with an uploaded file', () => {
		test('reads a file in Windows-1252, as Excel saves it without “UTF-8”', async () => {
			await setFields(FILE, 'Upload', {});
			const form = await publish(FILE, '/form/bulk-send');
			const rows = 'phone;name;appointment\r\n447700900126;Jürgen;Monday – € 5\r\n';
			const bytes = [...rows].map((character) => {
				const special: Record<string, number> = { '€': 0x80, '–': 0x96 };
				return special[character] ?? character.charCodeAt(0);
			});
			const type = 'text/csv';
			await submitted(form, [new File([Uint8Array.from(bytes)], 'rows.csv', { type })]);
			expect(await delivered()).toMatchObject([
				{ text: 'Hello Jürgen, we look forward to seeing you on Monday – € 5.' },
			]);
		});
	});
});

test('5. Send an image and an invoice to a chat', async () => {
	expect((await run('5-image-and-invoice')).status).toBe('success');
	const workflow = readFileSync(join(FOLDER, '5-image-and-invoice.json'), 'utf8');
	const base64 = /"(iVBOR[^"]+)"/.exec(workflow)![1]!;
	const sha256 = createHash('sha256').update(Buffer.from(base64, 'base64')).digest('hex');
	expect(await delivered()).toMatchObject([
		{ type: 'media', media: { mimetype: 'image/png', filename: 'voucher.png', sha256 } },
		{ type: 'file', media: { mimetype: 'text/html', filename: 'invoice-1001.html' } },
	]);
});

test('6. Cancel deferred deliveries older than an hour cancels old deliveries and keeps new ones and those without a valid date', async () => {
	const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
	const dates: Record<string, unknown> = {
		...{ old: minutesAgo(61), 'as old': minutesAgo(3 * 24 * 60), new: minutesAgo(59) },
		...{ undated: undefined, odd: 'last Monday', nothing: null },
	};
	await sandbox.setStatus('DISCONNECTED');
	for (const text of Object.keys(dates)) {
		await post(live.account, 'sendMessage', { ...textTo('447700900123', text), windowMs: 9e7 });
	}
	const { deferred } = await sandbox.state();
	const listed = deferred.map((delivery) => ({ ...delivery, createdAt: dates[delivery.text!] }));
	const body = { contentType: 'application/json', text: JSON.stringify(listed) };
	await sandbox.faults([{ endpoint: 'listDeferred', body }]);

	const { status, outputs } = await run('6-cancel-old-deferred-deliveries');
	expect(status).toBe('success');
	expect(outputs('Summary')[0]).toEqual([{ waiting: 6, cancelled: 2, notCancelled: [] }]);
	const remaining = (await sandbox.state()).deferred.map(({ text }) => text);
	expect(remaining).toEqual(['new', 'undated', 'odd', 'nothing']);
});

test('7a. Send messages with an AI agent', async () => {
	const model = await startScriptedModel([
		{ tool: 'Session_status', args: {} },
		{ tool: 'Send_message', args: { recipient: '+44 7700 900123', text: 'Ten minutes late' } },
		'It is on its way.',
	]);
	try {
		await setCredential('7a-ai-agent', 'Model', 'openAiApi', model.credential);
		const response = await chat('7a-ai-agent', 'Chat', 'Tell +44 7700 900123 that I am late');
		expect(response).toEqual({ output: 'It is on its way.' });
	} finally {
		model.close();
	}

	const tools = model.requests[0]!.tools.map(({ function: tool }) => tool);
	const sendTool = tools.find(({ name }) => name === 'Send_message')!;
	expect(Object.keys(sendTool.parameters.properties).sort()).toEqual(['recipient', 'text']);
	expect(model.toolResults()).toEqual([
		expect.stringContaining('ONLINE'),
		expect.stringContaining('"outcome":"sent"'),
	]);
	expect(await delivered()).toMatchObject([{ chatId: '447700900123', text: 'Ten minutes late' }]);
});

test('7b. Offer messaging tools to AI clients as an MCP server', async () => {
	const client = new McpClient(await publish('7b-mcp-server', '/mcp/messaging-gateway'), {
		authorization: `Bearer ${live.entryKeys.token}`,
	});
	expect(await client.initialize()).toMatch(/call Check message .* never send the message again/);
	const tools = await client.tools();
	expect(tools.map(({ name }) => name).sort()).toEqual([
		...['Check_message', 'Deferred_deliveries', 'Send_message', 'Session_status'],
	]);
	expect(await client.callTool('Session_status', {})).toContain('ONLINE');
	const message = { recipient: '+44 7700 900123', text: '**Hello** from a model' };
	expect(await client.callTool('Check_message', message)).toContain('"chatId":"447700900123"');
	expect(await delivered()).toEqual([]);
	expect(await client.callTool('Send_message', message)).toContain('"outcome":"sent"');
	expect(await delivered()).toMatchObject([
		{ chatId: '447700900123', text: '*Hello* from a model' },
	]);

	const rejected = await client.callTool('Send_message', { ...message, recipient: 'Bob' });
	expect(rejected).toContain("'Chat ID' cannot be 'Bob'");

	await sandbox.setStatus('DISCONNECTED');
	await post(live.account, 'sendMessage', { ...textTo('447700900123', 'Later'), windowMs: 60_000 });
	expect(await client.callTool('Deferred_deliveries', {})).toContain('Later');
});

// The base URL of the credential may end like this, too.
test.each(['', '/api/whatsapp'])('8. Call a new endpoint below <base URL>%s', async (end) => {
	await setValues('8-new-endpoint', 'Settings', { baseUrl: live.account.baseUrl + end });
	const { status, outputs } = await run('8-new-endpoint');
	expect(status).toBe('success');
	expect(outputs('HTTP Request')[0]).toMatchObject([{ inviteCode: 'AbC123', size: 12 }]);
	expect(await sandbox.requests()).toMatchObject([{ endpoint: 'inviteInfo', status: 200 }]);
});

test('12. Defer a message makes a deferred delivery', async () => {
	const { status, outputs } = await run('12-defer-a-message');
	expect(status).toBe('success');
	expect(outputs('Deferred until the phone is online')[0]).toMatchObject([{ outcome: 'deferred' }]);
	const { deferred } = await sandbox.state();
	expect(deferred).toMatchObject([{ chatId: '447700900123', text: 'Your offer is ready.' }]);
	const { createdAt, expiresAt } = deferred[0]!;
	expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(3_600_000);
});
