import type { BrowserContext, Page } from 'playwright-core';

import { BROWSER_HEADERS, browserTest, useBrowser } from './browser';
import { executionsOf } from './executions';
import { attack, attackInTabs, startForeignSite, type Target } from './foreignSite';
import { live } from './live';
import { sandbox } from './sandbox';
import { idOf, publish, setFields, withPassword } from './workflows/examples';

/**
 * A page of another origin, in the browser in which the user has opened the examples with user and password, and is signed in to
 * n8n. The browser then sends both with requests of the foreign page.
 */

useBrowser();

const ORIGINS = {
	'another port': (port: number) => `http://127.0.0.1:${port}`,
	'another host': (port: number) => `http://localhost:${port}`,
};
let site: Awaited<ReturnType<typeof startForeignSite>>;
beforeAll(async () => {
	site = await startForeignSite();
});
afterAll(() => site.close());

const FORM = { 'field-0': 'Mallory', 'field-1': '+44 7700 900123', 'field-2': 'Send me money' };
const initialize = {
	jsonrpc: '2.0',
	id: 1,
	method: 'initialize',
	params: {
		protocolVersion: '2025-03-26',
		capabilities: {},
		clientInfo: { name: 'x', version: '1' },
	},
};
const send = {
	jsonrpc: '2.0',
	id: 2,
	method: 'tools/call',
	params: { name: 'Send_message', arguments: { recipient: '+44 7700 900123', text: 'Hi' } },
};
const deal = { eventId: 1, properties: { firstname: 'M', phone: '+44 7700 900123', amount: '1' } };

interface Example {
	file: string;
	path: string;
	/** The trigger, if users have to activate it. */
	deactivated?: string;
	/** The response that only a request with user and password gets, if users open it in a browser. */
	passwordAccepted?: string;
	targets: Array<Omit<Target, 'url'> & { query?: string }>;
}

const EXAMPLES: Example[] = [
	{
		file: '1-form-to-message',
		path: '/form/send-a-message',
		passwordAccepted: 'POST 200',
		targets: [{ fields: FORM }],
	},
	{
		file: '2-crm-webhook-to-message',
		path: '/webhook/crm-event',
		targets: [{ json: deal }],
	},
	{
		file: '3-pair-a-phone',
		path: '/webhook/pair-a-phone',
		passwordAccepted: 'GET 403',
		targets: [{}, { query: '?shown=' }, { query: '?shown=2@x' }],
	},
	{
		file: '4-bulk-send-from-csv',
		deactivated: 'Upload',
		path: '/form/bulk-send',
		passwordAccepted: 'POST 200',
		targets: [{ fields: { 'field-0': 'phone,name,appointment\n447700900126,D,now\n' } }],
	},
	{
		file: '10-approval',
		path: '/form/discount-request',
		passwordAccepted: 'POST 200',
		targets: [{ fields: { ...FORM, 'field-2': 'Ada', 'field-3': '10', 'field-4': 'Please' } }],
	},
	{
		file: '7b-mcp-server',
		path: '/mcp/messaging-gateway',
		targets: [{ json: initialize }, { json: send }],
	},
];

/** Opens the page as the user does, so that the browser remembers user and password. */
async function openWithPassword(page: Page, url: string): Promise<void> {
	const response = await page.goto(withPassword(url));
	expect(response?.status()).toBe(200);
	await page.goto('about:blank');
}

/** What n8n responds to the foreign page, including the responses that its script cannot read. */
function recordStatuses(context: BrowserContext, url: string): Set<string> {
	const statuses = new Set<string>();
	context.on('response', (response) => {
		const method = response.request().method();
		if (response.url().startsWith(url)) statuses.add(`${method} ${response.status()}`);
	});
	return statuses;
}

describe.each(EXAMPLES)('$file', ({ file, path, deactivated, passwordAccepted, targets }) => {
	let url: string;
	beforeAll(async () => {
		if (deactivated) await setFields(file, deactivated, {});
		url = await publish(file, path);
	});

	for (const [host, origin] of Object.entries(ORIGINS)) {
		browserTest(`gives nothing to a page on ${host}`, async (page) => {
			await page.setExtraHTTPHeaders(BROWSER_HEADERS);
			if (passwordAccepted) await openWithPassword(page, url);
			await page.goto(origin(site.port));
			await sandbox.reset();
			await sandbox.setStatus('AWAITING_QR');
			const statuses = recordStatuses(page.context(), url);

			for (const { query = '', ...target } of targets) {
				const readable = await attack(page, { ...target, url: url + query });
				expect(readable.filter(({ status }) => status < 400)).toEqual([]);
				await attackInTabs(page, { ...target, url: url + query });
			}
			// Otherwise the browser has not sent the password, and the test proves nothing.
			if (passwordAccepted) expect([...statuses]).toContain(passwordAccepted);
			// Waits until all have ended.
			await executionsOf(idOf(file));
			expect(await sandbox.requests()).toEqual([]);
		});
	}
});

describe("n8n's own API", () => {
	for (const [host, origin] of Object.entries(ORIGINS)) {
		browserTest(`gives nothing to a page on ${host}`, async (page) => {
			await page.goto(origin(site.port));
			for (const path of ['/rest/workflows', '/rest/credentials', '/rest/settings']) {
				expect(await attack(page, { url: `${live.urls.n8n}${path}` })).toEqual([]);
			}
		});
	}
});
