import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import type { PhoneView } from '../../sandbox/phone/view';
import { sendRequest } from '../harness/client';
import { EventStream } from '../harness/eventStream';
import { useNewGateways } from '../harness/sandboxAccount';

interface Received {
	url: string;
	headers: IncomingHttpHeaders;
	body: string;
}

const sandbox = useNewGateways({ token: 'the-token', secret: 'the-secret' });
let n8n: Server;
let n8nUrl: string;
let received: Received[];
/** The paths at which the other end listens. */
let listening: string[];

beforeEach(async () => {
	received = [];
	listening = [];
	n8n = createServer((request, response) => {
		void text(request).then((body) => {
			const { url = '', headers } = request;
			received.push({ url, headers, body });
			response.statusCode = listening.includes(url) ? 200 : 404;
			response.end('{"sent":true}');
		});
	}).listen(0, '127.0.0.1');
	await once(n8n, 'listening');
	n8nUrl = `http://127.0.0.1:${(n8n.address() as AddressInfo).port}`;
});
afterEach(() => n8n.close());

const control = async (path: string, body: unknown) =>
	await sendRequest(`${sandbox.controlUrl}${path}`, {
		method: 'POST',
		headers: { 'X-Sandbox-Key': sandbox.controlKey, 'Content-Type': 'application/json' },
		body: JSON.stringify(body),
	});

async function view(query = ''): Promise<PhoneView> {
	const stream = await EventStream.open(sandbox.phoneUrl, query);
	const first = await stream.view();
	stream.close();
	return first;
}

function example(request: object = {}) {
	return {
		name: '2. CRM',
		url: `${n8nUrl}/workflow/abc`,
		steps: ['Click *Execute workflow*.'],
		values: [{ label: 'Secret', value: 'crm-secret' }],
		request: {
			label: 'Send',
			url: `${n8nUrl}/webhook/crm`,
			body: '{"eventId":{id},"again":"{id}"}',
			...request,
		},
	};
}

const setExample = async (request: object = {}) =>
	await control('/guide', { examples: [example(request)] });
const send = async (id = '17', name = '2. CRM') =>
	await control('/guide/request', { example: name, id });

describe('the guide', () => {
	it('is in the view of a page that shows it, with the credential of the sandbox', async () => {
		const credential = { baseUrl: sandbox.baseUrl, token: 'the-token', secret: 'the-secret' };
		expect((await view('?guide=true')).guide).toEqual({ credential, examples: [] });
		expect((await setExample({ hubspotSecret: 'not-shown' })).json).toEqual({ examples: 1 });
		const { name, url, steps, values } = example();
		expect((await view('?guide=true')).guide).toEqual({
			credential,
			examples: [{ name, url, steps, values, request: 'Send' }],
		});
		expect(JSON.stringify(await view('?guide=true'))).not.toContain('not-shown');
	});

	it('has the link for pairing, which all pages show, and stays after a reset', async () => {
		expect(await view()).not.toHaveProperty('pairingUrl');
		const pairingUrl = `${n8nUrl}/webhook/pair-a-phone?a=1`;
		await control('/guide', { pairingUrl, examples: [example()] });
		await control('/reset', {});
		expect((await view('?guide=true')).guide?.examples).toHaveLength(1);
		const others = await view('?requests=true');
		expect(others.pairingUrl).toBe(pairingUrl);
		expect(JSON.stringify(others)).not.toMatch(/the-token|the-secret|crm-secret/);
	});

	it('keeps the guide if another one is invalid', async () => {
		await setExample();
		const invalid = { examples: [{ name: 'a', url: 'javascript:alert(1)' }] };
		const response = await control('/guide', invalid);
		expect([response.status, response.json.message]).toEqual([
			...[422, 'examples[0].url must be an http or https URL.'],
		]);
		expect((await view('?guide=true')).guide?.examples).toHaveLength(1);
	});
});

describe('the request of an example', () => {
	it('goes to the published workflow, with the id in its body, and signed', async () => {
		listening = ['/webhook/crm'];
		const basicAuth = { user: 'example', password: 'pass:word' };
		await setExample({ hubspotSecret: 'crm-secret', basicAuth });
		expect((await send('17')).json).toEqual({ status: 200, text: '{"sent":true}' });
		const [{ headers, body }, ...more] = received as [Received];
		expect(more).toEqual([]);
		expect(body).toBe('{"eventId":17,"again":"17"}');
		expect(headers['content-type']).toBe('application/json');
		// printf '%s' 'example:pass:word' | base64
		expect(headers.authorization).toBe('Basic ZXhhbXBsZTpwYXNzOndvcmQ=');
		// As HubSpot documents it for version 3, over the URL.
		const timestamp = String(headers['x-hubspot-request-timestamp']);
		expect(Math.abs(Date.now() - Number(timestamp))).toBeLessThan(60_000);
		const signature = createHmac('sha256', 'crm-secret')
			.update(`POST${n8nUrl}/webhook/crm${body}${timestamp}`)
			.digest('base64');
		expect(headers['x-hubspot-signature-v3']).toBe(signature);
	});

	it('says what to do if the workflow is not published', async () => {
		await setExample();
		const notPublished = await send();
		expect(notPublished.status).toBe(409);
		expect(notPublished.json.message).toMatch(/not published\. Open it, click Publish, then/);
	});
});
