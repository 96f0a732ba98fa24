import { createHmac } from 'node:crypto';

import { get, post, sendRequest, signatureHeaders, textTo, urlOf } from '../harness/client';
import { EventStream } from '../harness/eventStream';
import { useNewGateways } from '../harness/sandboxAccount';

const TOKEN = 'tok 123';
const SECRET = 'sandbox-secret';
const body = JSON.stringify(textTo('4915112345678'));

// Its clock stands still, so that the difference of clocks does not depend on the machine.
const now = Date.now();
const sandbox = useNewGateways({ token: TOKEN, secret: SECRET, now: () => now });

/** As the phone page receives them: newest first. */
async function shownRequests() {
	const stream = await EventStream.open(sandbox.phoneUrl, '?requests=true');
	const { requests } = await stream.view();
	stream.close();
	return requests ?? [];
}

async function sendSigned(headers: Record<string, string>, sent = body) {
	return await sendRequest(urlOf(sandbox, 'sendMessage'), {
		method: 'POST',
		headers: { 'Content-Type': 'application/json', ...headers },
		body: sent,
	});
}

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
	const other = await EventStream.open(sandbox.phoneUrl);
	expect((await other.view()).requests).toBeUndefined();
	other.close();
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
	const [other, second, first, wrongSecret] = await shownRequests();
	expect(first).toMatchObject({
		...{ status: 422, isAccepted: true },
		reason: expect.stringContaining("The test of n8n's credential"),
	});
	expect(second).toMatchObject({
		...{ status: 401, isAccepted: true },
		reason: expect.stringContaining('Its signature is wrong on purpose'),
	});
	expect(wrongSecret).toMatchObject({
		...{ status: 401, isAccepted: false },
		reason: expect.stringMatching(/^invalid_signature/),
	});
	expect(other).toMatchObject({
		...{ status: 422, isAccepted: false },
		reason: expect.stringContaining('inviteCode must be'),
	});
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
