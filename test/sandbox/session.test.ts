import { get, post, postJson, textTo, urlOf } from '../harness/client';
import { useNewGateways } from '../harness/sandboxAccount';

let now: number;
const sandbox = useNewGateways({ token: 'tok-123', now: () => now });
beforeEach(() => {
	now = Date.now();
	sandbox.reset();
});

const postTo = async (path: string, body?: unknown) => await postJson(urlOf(sandbox, path), body);

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

it('renews the QR code after twenty seconds, and by a refresh', async () => {
	const none = await get(sandbox, 'qr');
	expect([none.status, none.json.error]).toEqual([404, 'qr_not_available']);
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

it('delivers in order what has not expired when the session comes online', async () => {
	const defer = async (text: string, windowMs = 60_000) =>
		(await post(sandbox, 'sendMessage', { ...textTo('4915112345678', text), windowMs })).json
			.deliveryKey;
	const brief = await defer('brief', 1_000);
	const first = await defer('a');
	await defer('b');
	now += 2_000;
	const gone = await get(sandbox, `deferred/${String(brief)}`);
	expect([gone.status, gone.json.error]).toEqual([404, 'delivery_not_found']);
	sandbox.setStatus('AWAITING_QR');
	sandbox.scan();
	await defer('c');
	const { delivered, deferred } = sandbox.state();
	expect(delivered.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
	expect(delivered[0]?.deliveryKey).toBe(first);
	expect(delivered[2]?.deliveryKey).toBeUndefined();
	expect(deferred).toEqual([]);
});
