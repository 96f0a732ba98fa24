import type { BrowserContext, Page } from 'playwright-core';

import { BROWSER_HEADERS, browserTest, useBrowser } from './browser';
import { executionsOf } from './executions';
import { attack, startForeignSite, type Target } from './foreignSite';
import { live } from './live';
import { sandbox } from './sandbox';
import { idOf, publish } from './workflows/examples';

/**
 * A page of another origin, in the browser in which the user has opened the examples with user and password, and is signed in to
 * n8n. The browser then sends both with requests of the foreign page.
 */

useBrowser();

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
	/** Whether people open it in a browser, with user and password. */
	isPage: boolean;
	targets: Array<Omit<Target, 'url'> & { query?: string }>;
}

const EXAMPLES: Example[] = [
	{
		file: '1-form-to-message',
		path: '/form/send-a-message',
		isPage: true,
		targets: [{ fields: FORM }],
	},
	{
		file: '2-crm-webhook-to-message',
		path: '/webhook/crm-event',
		isPage: false,
		targets: [{ json: deal }],
	},
	{
		file: '3-pair-a-phone',
		path: '/webhook/pair-a-phone',
		isPage: true,
		targets: [{}, { query: '?shown=' }, { query: '?shown=2@x' }],
	},
	{
		file: '4-bulk-send-from-csv',
		path: '/form/bulk-send',
		isPage: true,
		targets: [{ fields: { 'field-0': 'phone,name,appointment\n447700900126,D,now\n' } }],
	},
	{
		file: '7b-mcp-server',
		path: '/mcp/messaging-gateway',
		isPage: false,
		targets: [{ json: initialize }, { json: send }],
	},
];

/** Opens the page as the user does, so that the browser remembers user and password. */
async function openWithPassword(page: Page, url: string): Promise<void> {
	const { user, password } = live.entryKeys;
	const response = await page.goto(url.replace('://', `://${user}:${password}@`));
	expect(response?.status()).toBe(200);
	await page.goto('about:blank');
}

/** What n8n responded to the foreign page, including the responses that its script cannot read. */
function recordResponses(context: BrowserContext, url: string): Array<[string, number]> {
	const responses: Array<[string, number]> = [];
	context.on('response', (response) => {
		const method = response.request().method();
		if (method !== 'OPTIONS' && response.url().startsWith(url)) {
			responses.push([method, response.status()]);
		}
	});
	return responses;
}

describe.each(EXAMPLES)('$file', ({ file, path, isPage, targets }) => {
	let url: string;
	beforeAll(async () => {
		url = await publish(file, path);
	});

	for (const [index, host] of ['another port', 'another host'].entries()) {
		browserTest(`gives nothing to a page on ${host}`, async (page) => {
			await page.setExtraHTTPHeaders(BROWSER_HEADERS);
			if (isPage) await openWithPassword(page, url);
			await page.goto(site.origins[index]!);
			await sandbox.reset();
			await sandbox.setStatus('AWAITING_QR');
			const responses = recordResponses(page.context(), url);

			for (const { query = '', ...target } of targets) {
				const readable = await attack(page, { ...target, url: url + query });
				console.log(file, host, JSON.stringify(readable).slice(0, 3000));
				expect(
					readable.map(({ by, status }) => ({ by, status })).filter(({ status }) => status < 400),
				).toEqual([]);
				await openInNewTab(page, url + query);
			}
			console.log(JSON.stringify(responses));
			await executionsOf(idOf(file));
			expect(await sandbox.requests()).toEqual([]);
		});
	}
});

/** A top-level navigation, as after a click on a link of the foreign page. */
async function openInNewTab(page: Page, url: string): Promise<void> {
	const opened = page.waitForEvent('popup');
	await page.evaluate((address) => void window.open(address), url);
	const tab = await opened;
	await tab.waitForLoadState();
	await tab.close();
}
