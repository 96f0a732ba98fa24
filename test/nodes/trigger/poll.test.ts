import { cancelSignal, type Context } from '../../../nodes/MessagingGateway/n8n/cancelSignal';
import { useNewGateways } from '../../harness/sandboxAccount';
import { json, Polling, QUIET_RUN } from '../../harness/polling';
import { useVirtualTime } from '../../harness/virtualTime';
import { quiet } from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways();
const other = useNewGateways();

const list = (...keys: string[]) => ({
	contentType: 'application/json',
	text: JSON.stringify({ deferred: keys.map((deliveryKey) => ({ deliveryKey })) }),
});

test.each([false, true])('overlapping polls report an event once: durable %s', async (durable) => {
	for (const event of ['statusChanged', 'deferredAdded', 'deferredSettled']) {
		gateway.reset();
		gateway.setStatus('ONLINE');
		gateway.faults([{ endpoint: 'listDeferred', body: list('old') }]);
		const trigger = new Polling(gateway.account, { event }, { hasDurableCursors: durable });
		await trigger.start();
		gateway.setStatus('DISCONNECTED');
		gateway.faults([
			...(event === 'deferredSettled'
				? [{ times: 1, endpoint: 'listDeferred' as const, body: list('new') }]
				: []),
			{ times: 1, latencyMs: 50, endpoint: 'listDeferred', body: list('new') },
			{ times: 1, latencyMs: 50, endpoint: 'status' },
			{ endpoint: 'listDeferred', body: list('new') },
		]);
		if (event === 'deferredSettled') await trigger.poll();
		const reported = await Promise.all([trigger.poll(), trigger.poll()]);
		expect(reported.flatMap(json)).toHaveLength(1);
	}
});

test('several triggers can poll at once', async () => {
	const triggers = ['one', 'another'].map(
		(id) => new Polling(gateway.account, { event: 'statusChanged' }, { settings: { id } }),
	);
	for (const trigger of triggers) await trigger.start();
	gateway.setStatus('DISCONNECTED');
	gateway.faults([{ latencyMs: 50 }]);
	const reported = await Promise.all(triggers.map(async (trigger) => await trigger.poll()));
	expect(reported.map((polled) => json(polled).length)).toEqual([1, 1]);
});

test('polls share no cancel signal, which would collect the listeners of many triggers', () => {
	const poll = () => cancelSignal({} as Context);
	expect(poll()).not.toBe(poll());
	expect(poll().aborted).toBe(false);
});

describe('another credential, event or query', () => {
	test('sets a new baseline and saves it', async () => {
		other.setStatus('DISCONNECTED');
		const trigger = new Polling(gateway.account, { event: 'statusChanged' });
		await trigger.start();
		trigger.account = other.account;
		expect(await trigger.poll()).toEqual(QUIET_RUN);
		expect(trigger.saved).toBe(trigger.remembered);
		expect(await trigger.poll()).toBeNull();
		other.setStatus('ONLINE');
		expect(json(await trigger.poll())).toMatchObject([{ previousStatus: 'DISCONNECTED' }]);
		trigger.parameters = { event: 'sessionOffline', minutes: 1 };
		expect(json(await trigger.start())).toEqual([]);
	});

	test('keeps the old baseline while the gateway is unavailable', async () => {
		const trigger = new Polling(gateway.account, { event: 'statusChanged' });
		await trigger.start();
		const { account } = trigger;
		other.faults([{ status: 503 }]);
		trigger.account = other.account;
		expect(await trigger.poll()).toBeNull();
		trigger.account = account;
		gateway.setStatus('DISCONNECTED');
		expect(json(await trigger.poll())).toHaveLength(1);
	});

	test('during a poll applies to the next poll', async () => {
		const trigger = new Polling({ ...gateway.account }, { event: 'statusChanged' });
		await trigger.start();
		const before = trigger.remembered;
		// The rate limiter delays the next poll, which has already read its credential.
		gateway.faults([{ times: 1, status: 429, retryAfter: '0.3' }]);
		expect(await trigger.poll()).toBeNull();
		other.setStatus('DISCONNECTED');
		other.clearRequests();
		gateway.clearRequests();
		const polled = trigger.poll();
		await quiet(100);
		Object.assign(trigger.account, other.account);
		expect(await polled).toBeNull();
		expect(other.requests()).toEqual([]);
		expect(gateway.theRequest().status).toBe(200);
		expect(trigger.remembered).toBe(before);
		expect(await trigger.poll()).toEqual(QUIET_RUN);
	});

	test('does not include another filter', async () => {
		const trigger = new Polling(gateway.account, { event: 'statusChanged' });
		await trigger.start();
		gateway.setStatus('DISCONNECTED');
		trigger.parameters = { event: 'statusChanged', toStatuses: ['DISCONNECTED'] };
		expect(json(await trigger.start())).toHaveLength(1);
	});
});

test('Fetch test event does not change the state of the published workflow', async () => {
	const trigger = new Polling(gateway.account, { event: 'statusChanged' });
	await trigger.start();
	gateway.setStatus('DISCONNECTED');
	const { saved } = trigger;
	expect(await trigger.fetchTestEvent()).toHaveLength(1);
	expect(trigger.remembered).toBe(saved);
	expect(json(await trigger.poll())).toHaveLength(1);
});

test.each(['', '{', 'null', '{"scope":1}'])(
	'does not fail with %j in the static data',
	async (text) => {
		const trigger = new Polling(gateway.account, { event: 'statusChanged' });
		await trigger.start();
		trigger.replaceState(text);
		expect(json(await trigger.start())).toEqual([]);
		expect(await trigger.poll()).toBeNull();
	},
);

test('a state of another version of the node does not make all deliveries new', async () => {
	gateway.faults([{ body: list('first') }]);
	const trigger = new Polling(gateway.account, { event: 'deferredAdded' });
	await trigger.start();
	const [{ state }] = Object.values(JSON.parse(trigger.saved) as object) as [{ state: string }];
	const { scope } = JSON.parse(state) as { scope: string };
	trigger.replaceState(JSON.stringify({ scope, state: { ids: ['x'], missing: [] } }));
	expect(json(await trigger.start())).toEqual([]);
	gateway.faults([{ body: list('first', 'second') }]);
	expect(json(await trigger.poll())).toMatchObject([{ deliveryKey: 'second' }]);
});
