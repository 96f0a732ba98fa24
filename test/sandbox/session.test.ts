import type { SessionStatus } from '../../sandbox/sandbox';
import { get, post, sendRequest, textTo, urlOf } from '../harness/client';
import { useNewGateways } from '../harness/sandboxAccount';

let now: number;
const sandbox = useNewGateways({ token: 'tok-123', now: () => now });
beforeEach(() => {
	now = Date.now();
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

it('clears the pairing only with withDeletion', async () => {
	sandbox.setStatus('ONLINE');
	expect((await postTo('terminate')).json).toEqual({ success: true, status: 'DISCONNECTED' });
	expect(sandbox.state()).toMatchObject({ status: 'DISCONNECTED', paired: true });
	await postTo('terminate', { withDeletion: true });
	expect(sandbox.state().paired).toBe(false);
	const invalid = await postTo('refresh', { withDeletion: 'yes' });
	expect(invalid.status).toBe(422);
	expect(invalid.json.message).toMatch(/^withDeletion /);
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

async function defer(text: string, options: object = {}) {
	const message = { ...textTo('4915112345678', text), windowMs: 60_000, ...options };
	return await post(sandbox, 'sendMessage', message);
}

describe('deferred deliveries', () => {
	it('are delivered in order when the session comes online', async () => {
		const first = await defer('a');
		await defer('b');
		sandbox.setStatus('AWAITING_QR');
		sandbox.scan();
		await defer('c');
		const { delivered, deferred } = sandbox.state();
		expect(delivered.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
		expect(delivered[0]?.deliveryKey).toBe(first.json.deliveryKey);
		expect(delivered[2]?.deliveryKey).toBeUndefined();
		expect(deferred).toEqual([]);
	});

	it('are dropped when they expire', async () => {
		const brief = await defer('brief', { windowMs: 1_000 });
		await defer('patient');
		now += 2_000;
		const gone = await get(sandbox, `deferred/${String(brief.json.deliveryKey)}`);
		expect([gone.status, gone.json.error]).toEqual([404, 'delivery_not_found']);
		sandbox.setStatus('ONLINE');
		expect(sandbox.state().delivered.map(({ text }) => text)).toEqual(['patient']);
	});
});
