import { get, post, textTo } from '../harness/client';
import { useNewGateways } from '../harness/sandboxAccount';

let ahead = 0;
const sandbox = useNewGateways({ token: 'tok-123', now: () => Date.now() + ahead });
beforeEach(() => {
	ahead = 0;
	sandbox.reset();
});

async function defer(text: string, options: object = {}) {
	const message = { ...textTo('4915112345678', text), windowMs: 60_000, ...options };
	return await post(sandbox, 'sendMessage', message);
}

describe('deferred deliveries', () => {
	it('are created while the session is not online', async () => {
		const response = await defer('later');
		expect(response.status).toBe(202);
		const { deliveryKey, expiresAt } = response.json;
		expect(response.json).toEqual({
			success: true,
			status: 'deferred',
			deliveryKey: expect.any(String),
			expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
		});
		const delivery = {
			...{ deliveryKey, chatId: '4915112345678', type: 'text', text: 'later' },
			...{ createdAt: expect.any(String), expiresAt },
		};
		expect((await get(sandbox, 'deferred')).json).toEqual({ deferred: [delivery] });
		const { json } = await get(sandbox, `deferred/${String(deliveryKey)}`);
		expect(json).toEqual(delivery);
		expect(Date.parse(String(expiresAt)) - Date.parse(String(json.createdAt))).toBe(60_000);
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
		const brief = await defer('brief', { windowMs: 1_000 });
		await defer('patient');
		ahead = 2_000;
		const gone = await get(sandbox, `deferred/${String(brief.json.deliveryKey)}`);
		expect([gone.status, gone.json.error]).toEqual([404, 'delivery_not_found']);
		sandbox.setStatus('ONLINE');
		expect(sandbox.state().delivered.map(({ text }) => text)).toEqual(['patient']);
	});

	it('are not created again by a repeated idempotency key', async () => {
		const first = await defer('once', { idempotencyKey: 'k' });
		sandbox.setStatus('ONLINE');
		const second = await defer('once', { idempotencyKey: 'k' });
		expect(second.status).toBe(200);
		expect(second.json).toEqual({ ...first.json, duplicate: true });
		expect(sandbox.state().delivered).toHaveLength(1);
	});
});
