import { createHmac } from 'node:crypto';

import { postJson, sendRequest, signatureHeaders, textTo, urlOf } from '../harness/client';
import { viewOf } from '../harness/eventStream';
import { useNewGateways } from '../harness/sandboxAccount';

const TOKEN = 'tok 123';
const SECRET = 'sandbox-secret';
const message = textTo('4915112345678');
const body = JSON.stringify(message);

// Its clock stands still, so that the difference of clocks does not depend on the machine.
const now = Date.now();
const sandbox = useNewGateways({ token: TOKEN, secret: SECRET, now: () => now });

/** As the phone page receives them: newest first. */
const shownRequests = async () => (await viewOf(sandbox.phoneUrl, '?requests=true')).requests ?? [];

const sendSigned = async (headers: Record<string, string>) =>
	await postJson(urlOf(sandbox, 'sendMessage'), message, headers);

function signed(...parts: string[]): Record<string, string> {
	const timestamp = String(Date.now());
	const text = parts.map((part) => (part === 'timestamp' ? timestamp : part)).join('');
	const signature = createHmac('sha256', SECRET).update(text).digest('hex');
	return { 'X-API-Timestamp': timestamp, 'X-API-Signature': signature };
}

it.each([
	['/api/whatsapp/tok%20123/ping?token=x', '/api/whatsapp/•••/ping?•••'],
	['/api/whatsapp/of-another-gateway/ping', '/api/whatsapp/•••/ping'],
	['/v1/t%6fk%20123/ping', '/v1/•••/ping'],
	['/v1/sandbox-secret', '/v1/•••'],
	['/v1/abcdefghijklmnopqrstuvwx/ping', '/v1/•••/ping'],
])('shows %s as %s', async (url, path) => {
	await sendRequest(`${sandbox.baseUrl}${url}`);
	expect((await shownRequests())[0]?.path).toBe(path);
});

it.each([
	[300_000, 200, undefined],
	[723_000, 401, /^signature_expired: X-API-Timestamp is 12 min 3 s ahead of the gateway's clock/],
	[-300_001, 401, /^signature_expired: /],
])('a timestamp that is %i ms ahead of the clock: %i', async (ahead, expected, reason) => {
	const { status } = await sendSigned(signatureHeaders(sandbox, body, now + ahead));
	expect(status).toBe(expected);
	if (reason) expect((await shownRequests())[0]?.reason).toMatch(reason);
});

describe('a 401 says what was wrong', () => {
	it.each([
		['It was made without the body.', ['timestamp', TOKEN]],
		['It was made with the percent-encoded token.', ['timestamp', 'tok%20123', body]],
		['It was made with dots between the parts.', ['timestamp', '.', TOKEN, '.', body]],
		[
			'the same JSON in other bytes',
			['timestamp', TOKEN, JSON.stringify(JSON.parse(body), null, 2)],
		],
		['The API secret is another one, or the body changed', ['timestamp', TOKEN, 'x']],
	])('%s', async (cause, parts) => {
		const { status, json } = await sendSigned(signed(...parts));
		expect([status, json.error]).toEqual([401, 'invalid_signature']);
		const [request] = await shownRequests();
		expect(request?.reason).toContain(cause);
		expect(JSON.stringify(request)).not.toMatch(/tok.?123|sandbox-secret/);
	});
});
