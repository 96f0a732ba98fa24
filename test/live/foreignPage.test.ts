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
import { idOf, publish, setFields, withPassword } from './workflows/examples';

useBrowser();

let site: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
	site = await startServer(() => '<!doctype html><title>Foreign page</title>', 'text/html');
});
afterAll(() => site.close());

const PHONE = '+44 7700 900123';
const form = (...values: string[]) => ({
	fields: Object.fromEntries(values.map((value, index) => [`field-${index}`, value])),
});
const rpc = (id: number, method: string, params: object) => ({
	json: { jsonrpc: '2.0', id, method, params },
});
const initialize = {
	protocolVersion: '2025-03-26',
	capabilities: {},
	clientInfo: { name: 'x', version: '1' },
};
const send = { name: 'Send_message', arguments: { recipient: PHONE, text: 'Hi' } };
const deal = { eventId: 1, properties: { firstname: 'M', phone: PHONE, amount: '1' } };

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
		targets: [form('Mallory', PHONE, 'Send me money')],
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
		targets: [form('phone,name,appointment\n447700900126,D,now\n')],
	},
	{
		file: '10-approval',
		path: '/form/discount-request',
		passwordAccepted: 'POST 200',
		targets: [form('Mallory', PHONE, 'Ada', '10', 'Please')],
	},
	{
		file: '7b-mcp-server',
		path: '/mcp/messaging-gateway',
		targets: [rpc(1, 'initialize', initialize), rpc(2, 'tools/call', send)],
	},
];

// Another port and another host.
describe.each(['127.0.0.1', 'localhost'])('a page on another port of %s', (host) => {
	const origin = () => `http://${host}:${site.port}`;

	for (const { file, path, deactivated, passwordAccepted, targets } of EXAMPLES) {
		browserTest(`gets nothing from ${file}`, async (page) => {
			if (deactivated) await setFields(file, deactivated, {});
			const url = await publish(file, path);
			await page.setExtraHTTPHeaders(BROWSER_HEADERS);
			// Opens the page as the user does, so that the browser remembers user and password.
			if (passwordAccepted) expect((await page.goto(withPassword(url)))?.status()).toBe(200);
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

	browserTest("gets nothing from n8n's own API", async (page) => {
		await page.goto(origin());
		for (const path of ['/rest/workflows', '/rest/credentials', '/rest/settings']) {
			expect(await attack(page, { url: `${live.urls.n8n}${path}` })).toEqual([]);
		}
	});
});
