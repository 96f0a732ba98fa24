import { type Sandbox, startSandbox } from '../../sandbox/sandbox';
import { sendRequest, get, post, textTo, urlOf } from '../harness/client';

let sandbox: Sandbox;
let ahead = 0;

beforeEach(async () => {
	ahead = 0;
	sandbox = await startSandbox({ token: 'tok-123', now: () => Date.now() + ahead });
});
afterEach(async () => await sandbox.close());

async function defer(text: string, windowMs = 60_000) {
	return await post(sandbox, 'sendMessage', { ...textTo('4915112345678', text), windowMs });
}

describe('deferred deliveries', () => {
	it('are created while the session is not online', async () => {
		const response = await defer('later');
		expect(response.status).toBe(202);
		expect(response.json).toEqual({
			success: true,
			status: 'deferred',
			deliveryKey: expect.any(String),
			expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
		});
		const delivery = {
			deliveryKey: response.json.deliveryKey,
			chatId: '4915112345678',
			type: 'text',
			text: 'later',
			createdAt: expect.any(String),
			expiresAt: response.json.expiresAt,
		};
		expect((await get(sandbox, 'deferred')).json).toEqual({ deferred: [delivery] });
		const single = await get(sandbox, `deferred/${String(response.json.deliveryKey)}`);
		expect(single.json).toEqual(delivery);
		const { createdAt, expiresAt } = single.json as Record<string, string>;
		expect(Date.parse(expiresAt ?? '') - Date.parse(createdAt ?? '')).toBe(60_000);
	});

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
		const brief = await defer('brief', 1_000);
		await defer('patient');
		ahead = 2_000;
		const gone = await get(sandbox, `deferred/${String(brief.json.deliveryKey)}`);
		expect(gone.status).toBe(404);
		expect(gone.json.error).toBe('delivery_not_found');
		sandbox.setStatus('ONLINE');
		expect(sandbox.state().delivered.map(({ text }) => text)).toEqual(['patient']);
	});

	it('can be deleted once', async () => {
		const { deliveryKey } = (await defer('never')).json;
		const url = urlOf(sandbox, `deferred/${String(deliveryKey)}`);
		expect((await sendRequest(url, { method: 'DELETE' })).json).toEqual({ deleted: true });
		const again = await sendRequest(url, { method: 'DELETE' });
		expect(again.status).toBe(404);
		expect(again.json.error).toBe('delivery_not_found');
		sandbox.setStatus('ONLINE');
		expect(sandbox.state().delivered).toEqual([]);
	});

	it.each([['nothing'], ['%E0%A4%A'], ['__proto__'], ['%2e%2e']])(
		'are not found by the key %s',
		async (key) => {
			const response = await get(sandbox, `deferred/${key}`);
			expect(response.status).toBe(404);
			expect(response.json.error).toBe('delivery_not_found');
		},
	);

	it('are not created again by a repeated idempotency key', async () => {
		const message = { ...textTo('4915112345678'), windowMs: 60_000, idempotencyKey: 'k' };
		const first = await post(sandbox, 'sendMessage', message);
		sandbox.setStatus('ONLINE');
		const second = await post(sandbox, 'sendMessage', message);
		expect(second.status).toBe(200);
		expect(second.json).toEqual({ ...first.json, duplicate: true });
		expect(sandbox.state().delivered).toHaveLength(1);
	});
});
