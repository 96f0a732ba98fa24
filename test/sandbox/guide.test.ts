import { createHmac } from 'node:crypto';
import { text } from 'node:stream/consumers';

import { postJson } from '../harness/client';
import { useFileServer } from '../harness/fileServer';
import { useNewGateways } from '../harness/sandboxAccount';

const sandbox = useNewGateways({ token: 'the-token', secret: 'the-secret' });
const n8n = useFileServer();

const control = async (path: string, body: unknown) =>
	await postJson(`${sandbox.controlUrl}${path}`, body, { 'X-Sandbox-Key': sandbox.controlKey });

const EXAMPLE = {
	name: '2. CRM',
	steps: ['Click *Execute workflow*.'],
	values: [{ label: 'Secret', value: 'crm-secret' }],
};

it('sends the request of an example, signed and with an id in its body', async () => {
	let body = '';
	n8n.on('/webhook/crm', (request, response) => {
		void text(request).then((received) => {
			body = received;
			response.end('{"sent":true}');
		});
	});
	const url = `${n8n.url}/webhook/crm`;
	const request = {
		...{ label: 'Send', url, body: '{"eventId":{id},"again":"{id}"}' },
		...{ hubspotSecret: 'crm-secret', basicAuth: { user: 'example', password: 'pass:word' } },
	};
	await control('/guide', { examples: [{ ...EXAMPLE, url: n8n.url, request }] });
	const sent = await control('/guide/request', { example: '2. CRM', id: '17' });
	expect(sent.json).toEqual({ status: 200, text: '{"sent":true}' });
	const { headers } = n8n.requests[0]!;
	expect(body).toBe('{"eventId":17,"again":"17"}');
	// printf '%s' 'example:pass:word' | base64
	expect(headers.authorization).toBe('Basic ZXhhbXBsZTpwYXNzOndvcmQ=');
	// As HubSpot documents it for version 3, over the URL.
	const timestamp = String(headers['x-hubspot-request-timestamp']);
	const signature = createHmac('sha256', 'crm-secret')
		.update(`POST${url}${body}${timestamp}`)
		.digest('base64');
	expect(headers['x-hubspot-signature-v3']).toBe(signature);
});
