/**
 * A page of another origin, in the browser in which the user has opened the examples with user and password, and is signed in to
 * n8n. The browser then sends both with requests of the foreign page.
 */
import { BROWSER_HEADERS, browserTest, useBrowser } from './browser';
import { executionsOf } from './executions';
import { attack, attackInTabs, type Target } from './foreignSite';
import { live } from './live';
import { startServer } from './localServer';
import { sandbox } from './sandbox';
import { idOf, publish, setFields, withPassword } from './examples/examples';

useBrowser();

let site: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
	site = await startServer(() => '<!doctype html><title>Foreign page</title>', 'text/html');
});
afterAll(() => site.close());

const PHONE = '+44 7700 900123';
const CSV = `phone,name,appointment\n${PHONE},D,now\n`;
const form = (...values: string[]) => ({
	fields: Object.fromEntries(values.map((value, index) => [`field-${index}`, value])),
});
const clientInfo = { name: 'x', version: '1' };
const initialize = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo };
const send = { name: 'Send_message', arguments: { recipient: PHONE, text: 'Hi' } };
const rpc = [
	{ json: { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize } },
	{ json: { jsonrpc: '2.0', id: 2, method: 'tools/call', params: send } },
];
const deal = { eventId: 1, properties: { firstname: 'M', phone: PHONE, amount: '1' } };
const shown = ['?shown=', '?shown=2@x'].map((query) => ({ query }));

type Tried = Omit<Target, 'url'> & { query?: string };

/** `accepted` is the response that only a request with user and password gets, if users open the address in a browser. */
const EXAMPLES: Array<[file: string, path: string, accepted: string, ...targets: Tried[]]> = [
	['1-form-to-message', '/form/send-a-message', 'POST 200', form('Mallory', PHONE, 'Send money')],
	['2-crm-webhook-to-message', '/webhook/crm-event', '', { json: deal }],
	['3-pair-a-phone', '/webhook/pair-a-phone', 'GET 403', {}, ...shown],
	['4-bulk-send-from-csv', '/form/bulk-send', 'POST 200', form(CSV)],
	['10-approval', '/form/discount-request', 'POST 200', form('Eve', PHONE, 'Ada', '10', 'x')],
	['7b-mcp-server', '/mcp/messaging-gateway', '', ...rpc],
];

// As its note asks users to do.
beforeAll(async () => await setFields('4-bulk-send-from-csv', 'Upload', {}));

// Another port and another host.
describe.each(['127.0.0.1', 'localhost'])('a page on another port of %s', (host) => {
	const origin = () => `http://${host}:${site.port}`;

	for (const [file, path, accepted, ...targets] of EXAMPLES) {
		browserTest(`gets nothing from ${file}`, async (page) => {
			const url = await publish(file, path);
			await page.setExtraHTTPHeaders(BROWSER_HEADERS);
			// Opens the page as the user does, so that the browser remembers user and password.
			if (accepted) expect((await page.goto(withPassword(url)))?.status()).toBe(200);
			await page.goto(origin());
			await sandbox.reset();
			await sandbox.setStatus('AWAITING_QR');
			// What n8n responds to the foreign page, including the responses that its script cannot read.
			const statuses = new Set<string>();
			page.context().on('response', (response) => {
				const method = response.request().method();
				if (response.url().startsWith(url)) statuses.add(`${method} ${response.status()}`);
			});

			for (const { query = '', ...target } of targets) {
				const readable = await attack(page, { ...target, url: url + query });
				expect(readable.filter((status) => status < 400)).toEqual([]);
				await attackInTabs(page, { ...target, url: url + query });
			}
			// Otherwise the browser has not sent the password, and the test proves nothing.
			if (accepted) expect([...statuses]).toContain(accepted);
			// Waits until all have ended.
			await executionsOf(idOf(file));
			expect(await sandbox.requests()).toEqual([]);
		});
	}

	browserTest("gets nothing from n8n's own API", async (page) => {
		await page.goto(origin());
		for (const path of ['/rest/workflows', '/rest/credentials', '/rest/settings']) {
			expect(await attack(page, { url: `${live.urls.n8n}${path}` })).toEqual([]);
		}
	});
});
