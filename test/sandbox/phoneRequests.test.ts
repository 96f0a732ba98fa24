import { createHmac } from 'node:crypto';

import {
	get,
	post,
	postJson,
	sendRequest,
	signatureHeaders,
	textTo,
	urlOf,
} from '../harness/client';
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

it('shows the newest 100 requests, and only to a page that asks for them', async () => {
	// Deletions of what is not there. GET requests would share a row.
	const missing = urlOf(sandbox, 'deferred/none');
	for (let i = 0; i < 105; i += 1) await sendRequest(missing, { method: 'DELETE' });
	sandbox.faults([{ status: 503 }]);
	await post(sandbox, 'sendMessage', textTo('4915112345678@c.us'));
	sandbox.faults([{ cut: 'before' }]);
	await get(sandbox, 'status').catch(() => {});

	const requests = await shownRequests();
	expect(requests).toHaveLength(100);
	expect(requests.slice(0, 2)).toEqual([
		expect.objectContaining({ id: '107', outcome: 'cut', status: null, isAccepted: false }),
		{
			...{ id: '106', at: expect.stringMatching(/Z$/), count: 1, outcome: 'answered', status: 503 },
			...{ method: 'POST', path: '/api/whatsapp/•••/sendMessage', isSigned: true },
			...{ to: { id: '4915112345678', kind: 'person' }, isAccepted: false },
			reason: 'service_unavailable: The sandbox simulates this error.',
		},
	]);
	expect((await viewOf(sandbox.phoneUrl)).requests).toBeUndefined();
});

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

it('explains both requests of a credential test', async () => {
	const wrong = { ...sandbox, secret: 'another' };
	await post(wrong, 'invite-info', { inviteCode: '' });
	await post(sandbox, 'invite-info', { inviteCode: '' });
	await post(wrong, 'invite-info', { inviteCode: '' });
	await post(sandbox, 'invite-info', { inviteCode: 7 });
	const shown = (await shownRequests()).map(({ status, isAccepted, reason }) => [
		...[status, isAccepted, reason],
	]);
	expect(shown).toEqual([
		[422, false, expect.stringContaining('inviteCode must be')],
		[401, true, expect.stringContaining('Its signature is wrong on purpose')],
		[422, true, expect.stringContaining("The test of n8n's credential")],
		[401, false, expect.stringMatching(/^invalid_signature/)],
	]);
});

it.each([
	[300_000, 200],
	[300_001, 401],
	[-300_001, 401],
])('a timestamp that is %i ms ahead of the clock: %i', async (ahead, expected) => {
	const { status } = await sendSigned(signatureHeaders(sandbox, body, now + ahead));
	expect(status).toBe(expected);
});

describe('a 401 says what was wrong', () => {
	it('for a clock that is off', async () => {
		await sendSigned(signatureHeaders(sandbox, body, now + 723_000));
		expect((await shownRequests())[0]?.reason).toMatch(
			/^signature_expired: X-API-Timestamp is 12 min 3 s ahead of the gateway's clock/,
		);
	});

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
