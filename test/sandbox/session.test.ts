import { type Sandbox, type SessionStatus, startSandbox } from '../../sandbox/sandbox';
import { textOf } from '../qrReader';
import { ask, get, urlOf } from './client';

let sandbox: Sandbox;
let now = 1_700_000_000_000;

beforeEach(async () => {
	now = 1_700_000_000_000;
	sandbox = await startSandbox({ token: 'tok-123', now: () => now });
});
afterEach(async () => await sandbox.close());

async function act(path: string, body?: unknown) {
	return await ask(urlOf(sandbox, path), {
		method: 'POST',
		...(body !== undefined && {
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify(body),
		}),
	});
}

describe('session', () => {
	it('is paired by starting and scanning', async () => {
		expect((await get(sandbox, 'status')).json).toEqual({ status: 'DISCONNECTED' });
		expect((await act('start')).json).toEqual({ success: true, status: 'AWAITING_QR' });
		sandbox.scan();
		expect((await get(sandbox, 'status')).json).toEqual({ status: 'ONLINE' });
		expect(sandbox.state().paired).toBe(true);
		expect((await act('start')).json).toEqual({ success: true, status: 'ONLINE' });
	});

	it.each<[string, unknown, SessionStatus, SessionStatus]>([
		['start', undefined, 'DISCONNECTED', 'AWAITING_QR'],
		['start', {}, 'AUTH_FAILURE', 'AWAITING_QR'],
		['start', undefined, 'AWAITING_QR', 'AWAITING_QR'],
		['start', undefined, 'ONLINE', 'ONLINE'],
		['refresh', undefined, 'AWAITING_QR', 'AWAITING_QR'],
		['refresh', undefined, 'DISCONNECTED', 'AWAITING_QR'],
		['refresh', undefined, 'ONLINE', 'ONLINE'],
		['refresh', { withDeletion: false }, 'ONLINE', 'ONLINE'],
		['refresh', { withDeletion: true }, 'ONLINE', 'AWAITING_QR'],
		['terminate', undefined, 'ONLINE', 'DISCONNECTED'],
		['terminate', { withDeletion: true }, 'AUTH_FAILURE', 'DISCONNECTED'],
	])('%s %j leads from %s to %s', async (path, body, from, to) => {
		sandbox.setStatus(from);
		const reply = await act(path, body);
		expect(reply.status).toBe(200);
		expect(reply.json).toEqual({ success: true, status: to });
		expect(sandbox.state().status).toBe(to);
	});

	it('forgets the pairing only when told to', async () => {
		sandbox.setStatus('ONLINE');
		await act('terminate');
		expect(sandbox.state().paired).toBe(true);
		await act('terminate', { withDeletion: true });
		expect(sandbox.state().paired).toBe(false);
	});

	it('refuses a wrong withDeletion', async () => {
		const reply = await act('refresh', { withDeletion: 'yes' });
		expect(reply.status).toBe(422);
		expect(reply.json.message).toMatch(/^withDeletion /);
	});

	it('tells the time of its own clock', async () => {
		expect((await get(sandbox, 'ping')).headers.date).toBe('Tue, 14 Nov 2023 22:13:20 GMT');
	});

	it('does not scan what is not there', () => {
		expect(() => sandbox.scan()).toThrow(/DISCONNECTED/);
	});
});

describe('QR code', () => {
	it('is the same as text and as picture', async () => {
		sandbox.setStatus('AWAITING_QR');
		const { qr } = (await get(sandbox, 'qr')).json;
		expect(qr).toMatch(/^2@[A-Za-z0-9+/]{64}(,[A-Za-z0-9+/]{43}=){3}$/);

		const image = await get(sandbox, 'qr/image');
		expect(image.headers['content-type']).toBe('image/png');
		expect(textOf(image.body)).toBe(qr);
	});

	it('lives for twenty seconds, or until refreshed', async () => {
		sandbox.setStatus('AWAITING_QR');
		const code = async () => (await get(sandbox, 'qr')).json.qr;
		const first = await code();
		now += 19_999;
		expect(await code()).toBe(first);
		now += 1;
		const second = await code();
		expect(second).not.toBe(first);
		await act('refresh');
		expect(await code()).not.toBe(second);
	});

	it.each<[SessionStatus, number, string]>([
		['ONLINE', 409, 'already_online'],
		['DISCONNECTED', 404, 'qr_not_available'],
		['AUTH_FAILURE', 404, 'qr_not_available'],
	])('is not to be had while %s', async (status, code, error) => {
		sandbox.setStatus(status);
		for (const path of ['qr', 'qr/image']) {
			const reply = await get(sandbox, path);
			expect(reply.status).toBe(code);
			expect(reply.json).toEqual({ error, message: expect.any(String) });
		}
	});
});
