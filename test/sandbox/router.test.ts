import { startSandbox } from '../../dev/sandbox/sandbox';
import { get, sendRequest, signatureHeaders, urlOf } from '../harness/client';
import { FROM_PAGE } from '../harness/eventStream';
import { useGateway } from '../harness/sandboxAccount';

const sandbox = useGateway({ token: 'tok-123', basePath: '/gw/v1' });

const API = '/gw/v1/api/whatsapp';
const SEND = `${API}/tok-123/sendMessage`;
const TIME = { 'X-API-Timestamp': '1700000000000' };
const errorBody = (error: string) => ({ error, message: expect.any(String) });

it.each<[string, string, Record<string, string>, number, string, string]>([
	['GET', '/', {}, 404, 'not_found', ''],
	['GET', '/gw/v1/../v1/api/whatsapp/tok-123/ping', {}, 404, 'not_found', ''],
	['GET', SEND, {}, 405, 'method_not_allowed', 'POST'],
	['PUT', `${API}/tok-123/deferred/x`, {}, 405, 'method_not_allowed', 'GET, DELETE'],
	['GET', `${API}/tok-12/ping`, {}, 401, 'invalid_token', ''],
	['GET', `${API}/%E0%A4%A/ping`, {}, 401, 'invalid_token', ''],
	['POST', SEND, {}, 401, 'missing_auth_headers', ''],
	['POST', SEND, TIME, 401, 'missing_signature', ''],
	['GET', `${API}/tok-123/qr`, {}, 409, 'already_online', ''],
	['GET', `${API}/tok-123/qr/image`, {}, 409, 'already_online', ''],
	['DELETE', '/_sandbox/state', {}, 405, 'method_not_allowed', 'GET'],
	['GET', '/_sandbox/state', { Host: 'evil.example' }, 403, 'loopback_only', ''],
	['POST', '/_sandbox/reset', { 'Content-Type': 'text/plain' }, 415, 'json_only', ''],
	['GET', '/_sandbox/phone', { Host: 'evil.example' }, 403, 'loopback_only', ''],
	['GET', `/_sandbox/phone/files/${'0'.repeat(64)}`, FROM_PAGE, 404, 'not_found', ''],
])('%s %s with the headers %j: %i %s', async (method, path, headers, status, error, allow) => {
	const response = await sendRequest(`http://127.0.0.1:${sandbox.port}${path}`, {
		...{ method, headers },
	});
	expect([response.status, response.headers.allow ?? '']).toEqual([status, allow]);
	expect(response.json).toEqual(errorBody(error));
});

it('verifies the signature of a deferred endpoint if there is one, or requires it', async () => {
	const url = urlOf(sandbox, 'deferred');
	expect((await sendRequest(url)).json).toEqual({ deferred: [] });
	const headers = signatureHeaders(sandbox, 'another body');
	expect((await sendRequest(url, { headers })).json).toEqual(errorBody('invalid_signature'));
	const strict = await startSandbox({ signDeferred: 'required' });
	const unsigned = await get(strict, 'deferred');
	expect(unsigned.json).toEqual(errorBody('missing_auth_headers'));
	const signed = { headers: signatureHeaders(strict, '') };
	expect((await sendRequest(urlOf(strict, 'deferred'), signed)).status).toBe(200);
	await strict.close();
});
