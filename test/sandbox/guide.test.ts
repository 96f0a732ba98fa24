import { createHmac } from 'node:crypto';
import { text } from 'node:stream/consumers';

import { postJson } from '../harness/client';
import { viewOf } from '../harness/eventStream';
import { useFileServer } from '../harness/fileServer';
import { useNewGateways } from '../harness/sandboxAccount';

const sandbox = useNewGateways({ token: 'the-token', secret: 'the-secret' });
const n8n = useFileServer();

const control = async (path: string, body: unknown) =>
	await postJson(`${sandbox.controlUrl}${path}`, body, { 'X-Sandbox-Key': sandbox.controlKey });
const view = async (query = '') => await viewOf(sandbox.phoneUrl, query);

function example(request: object = {}) {
	return {
		name: '2. CRM',
		url: `${n8n.url}/workflow/abc`,
		steps: ['Click *Execute workflow*.'],
		values: [{ label: 'Secret', value: 'crm-secret' }],
		request: {
			label: 'Send',
			url: `${n8n.url}/webhook/crm`,
			body: '{"eventId":{id},"again":"{id}"}',
			...request,
		},
	};
}

const setExample = async (request: object = {}) =>
	await control('/guide', { examples: [example(request)] });
const send = async () => await control('/guide/request', { example: '2. CRM', id: '17' });

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
});

describe('the request of an example', () => {
	it('goes to the published workflow, with the id in its body, and signed', async () => {
		let body = '';
		n8n.on('/webhook/crm', (request, response) => {
			void text(request).then((received) => {
				body = received;
				response.end('{"sent":true}');
			});
		});
		const basicAuth = { user: 'example', password: 'pass:word' };
		await setExample({ hubspotSecret: 'crm-secret', basicAuth });
		expect((await send()).json).toEqual({ status: 200, text: '{"sent":true}' });
		expect(n8n.requests).toHaveLength(1);
		const { headers } = n8n.requests[0]!;
		expect(body).toBe('{"eventId":17,"again":"17"}');
		expect(headers['content-type']).toBe('application/json');
		// printf '%s' 'example:pass:word' | base64
		expect(headers.authorization).toBe('Basic ZXhhbXBsZTpwYXNzOndvcmQ=');
		// As HubSpot documents it for version 3, over the URL.
		const timestamp = String(headers['x-hubspot-request-timestamp']);
		expect(Math.abs(Date.now() - Number(timestamp))).toBeLessThan(60_000);
		const signature = createHmac('sha256', 'crm-secret')
			.update(`POST${n8n.url}/webhook/crm${body}${timestamp}`)
			.digest('base64');
		expect(headers['x-hubspot-signature-v3']).toBe(signature);
	});
});
