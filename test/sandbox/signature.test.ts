import { startSandbox } from '../../sandbox/sandbox';
import { sendRequest, urlOf } from '../harness/client';
import { useNewGateways } from '../harness/sandboxAccount';

// Every signature in this file was computed by the openssl command line, with
//   printf '%s' 'TIMESTAMP''TOKEN''BODY' | openssl dgst -sha256 -hmac 'sandbox-secret' -hex
const NOW = 1_700_000_000_000;
const TEXT = '{"chatId":"4915112345678","type":"text","text":"Hello"}';
const TEXT_SIGNATURE = 'e4e00bcab55e13fd4b65b4489d2346419c982451d6637f86c89259eee3ce9810';

const OPTIONS = { token: 'tok-123', secret: 'sandbox-secret', now: () => NOW };
const sandbox = useNewGateways(OPTIONS);

async function send(timestamp?: string, signature?: string, body = TEXT) {
	return await sendRequest(urlOf(sandbox, 'sendMessage'), {
		method: 'POST',
		headers: {
			'Content-Type': 'application/json',
			...(timestamp !== undefined && { 'X-API-Timestamp': timestamp }),
			...(signature !== undefined && { 'X-API-Signature': signature }),
		},
		body,
	});
}

describe('signature', () => {
	it('covers the body as sent: spaces, other key order, letters beyond ASCII', async () => {
		const body = '{ "type" : "text", "text" : "Grüße 👋", "chatId" : "4915112345678" }';
		const signature = 'f27b750450324212ee0d3036e14f1c33119a5b15c9e51eef7bc861673cc1f089';
		const response = await send('1700000000000', signature, body);
		expect(response.json).toMatchObject({ success: true, status: 'sent', chatId: '4915112345678' });
	});

	it('covers the decoded token, which the URL contains percent-encoded', async () => {
		const other = await startSandbox({ ...OPTIONS, token: 'a/b c+ü', basePath: 'gw/v1/' });
		expect(other.baseUrl).toBe(`http://127.0.0.1:${other.port}/gw/v1`);
		const response = await sendRequest(
			`${other.baseUrl}/api/whatsapp/a%2Fb%20c%2B%C3%BC/invite-info`,
			{
				method: 'POST',
				headers: {
					'Content-Type': 'application/json',
					'X-API-Timestamp': '1700000000000',
					'X-API-Signature': 'cd9de2f1a64b232b9ad19f7af81ea57e980c15aeda15701303d4ee67ae0ae8f8',
				},
				body: '{"inviteCode":"AbC"}',
			},
		);
		expect(response.status).toBe(200);
		expect(response.json).toEqual({ inviteCode: 'AbC', subject: expect.any(String), size: 12 });
		await other.close();
	});

	it.each([
		['both missing', undefined, undefined, 'missing_auth_headers'],
		['signature missing', '1700000000000', undefined, 'missing_signature'],
		['wrong', '1700000000000', TEXT_SIGNATURE.replace('e', 'f'), 'invalid_signature'],
	])('is rejected: %s', async (_, timestamp, signature, code) => {
		const response = await send(timestamp, signature);
		expect(response.status).toBe(401);
		expect(response.json).toEqual({ error: code, message: expect.any(String) });
		expect(sandbox.state().delivered).toEqual([]);
	});

	it.each([
		['1700000300000', 'b0bc8ad7e08bcaefeaf705f4461c509548276a30c9f6b56a418c563bb6fa2a08', 200],
		['1699999699999', '1588ad80a5dde4e4320e3c70f91b803e832659670717fbffb31d696fb6a4fe45', 401],
		['1700000300001', '9c7f660faa729eb34c9b16273c970b8b0893431916679f26203de64d824312dc', 401],
	])('is valid for five minutes before and after: %s', async (timestamp, signature, status) => {
		const response = await send(timestamp, signature);
		expect(response.status).toBe(status);
		if (status === 401) expect(response.json.error).toBe('signature_expired');
	});
});

describe('signature of the deferred endpoints', () => {
	// Of an empty body.
	const SIGNATURE = '6081ff877f7f12adf19f9e92e4c161470ead3e2ffd1916948c0a23c48229400e';
	const signed = { 'X-API-Timestamp': '1700000000000', 'X-API-Signature': SIGNATURE };

	it('is verified if present', async () => {
		const url = urlOf(sandbox, 'deferred');
		expect((await sendRequest(url)).json).toEqual({ deferred: [] });
		const wrong = { ...signed, 'X-API-Signature': '0'.repeat(64) };
		expect((await sendRequest(url, { headers: wrong })).json.error).toBe('invalid_signature');
	});

	it('can be required', async () => {
		const strict = await startSandbox({ ...OPTIONS, signDeferred: 'required' });
		const url = urlOf(strict, 'deferred');
		expect((await sendRequest(url)).json.error).toBe('missing_auth_headers');
		expect((await sendRequest(url, { headers: signed })).status).toBe(200);
		await strict.close();
	});
});
