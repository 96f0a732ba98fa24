import type { SessionStatus } from '../../sandbox/sandbox';
import { sendRequest, get, urlOf } from '../harness/client';
import { useNewGateways } from '../harness/sandboxAccount';

let now = 1_700_000_000_000;
const sandbox = useNewGateways({ token: 'tok-123', now: () => now });
beforeEach(() => {
	now = 1_700_000_000_000;
	sandbox.reset();
});

async function postTo(path: string, body?: unknown) {
	return await sendRequest(urlOf(sandbox, path), {
		method: 'POST',
		...(body !== undefined && {
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify(body),
		}),
	});
}

describe('session', () => {
	it.each<[string, unknown, SessionStatus, SessionStatus]>([
		['start', {}, 'AUTH_FAILURE', 'AWAITING_QR'],
		['refresh', { withDeletion: true }, 'ONLINE', 'AWAITING_QR'],
		['terminate', undefined, 'ONLINE', 'DISCONNECTED'],
		['terminate', { withDeletion: true }, 'AUTH_FAILURE', 'DISCONNECTED'],
	])('%s %j changes %s to %s', async (path, body, from, to) => {
		sandbox.setStatus(from);
		const response = await postTo(path, body);
		expect(response.status).toBe(200);
		expect(response.json).toEqual({ success: true, status: to });
		expect(sandbox.state().status).toBe(to);
	});

	it('clears the pairing only with withDeletion', async () => {
		sandbox.setStatus('ONLINE');
		await postTo('terminate');
		expect(sandbox.state().paired).toBe(true);
		await postTo('terminate', { withDeletion: true });
		expect(sandbox.state().paired).toBe(false);
		const invalid = await postTo('refresh', { withDeletion: 'yes' });
		expect(invalid.status).toBe(422);
		expect(invalid.json.message).toMatch(/^withDeletion /);
	});
});

describe('QR code', () => {
	it('changes after twenty seconds or a refresh', async () => {
		sandbox.setStatus('AWAITING_QR');
		const code = async () => (await get(sandbox, 'qr')).json.qr;
		const first = await code();
		now += 19_999;
		expect(await code()).toBe(first);
		now += 1;
		const second = await code();
		expect(second).not.toBe(first);
		await postTo('refresh');
		expect(await code()).not.toBe(second);
	});

	it.each<[SessionStatus, number, string]>([
		['ONLINE', 409, 'already_online'],
		['DISCONNECTED', 404, 'qr_not_available'],
	])('is not available while %s', async (status, code, error) => {
		sandbox.setStatus(status);
		for (const path of ['qr', 'qr/image']) {
			const response = await get(sandbox, path);
			expect(response.status).toBe(code);
			expect(response.json).toEqual({ error, message: expect.any(String) });
		}
	});
});
