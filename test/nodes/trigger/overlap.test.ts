import { useGateway } from '../../sandboxAccount';
import { json, Polling, QUIET_RUN } from './polling';

const gateway = useGateway();
const other = useGateway();

const list = (...keys: string[]) => ({
	contentType: 'application/json',
	text: JSON.stringify({ deferred: keys.map((deliveryKey) => ({ deliveryKey })) }),
});

test.each([false, true])('two polls that overlap do not tell the same event', async (durable) => {
	for (const event of ['statusChanged', 'deferredAdded', 'deferredSettled']) {
		gateway.reset();
		gateway.setStatus('ONLINE');
		gateway.faults([{ endpoint: 'listDeferred', body: list('old') }]);
		const trigger = new Polling(gateway.account, { event }, { hasDurableCursors: durable });
		await trigger.start();
		gateway.setStatus('DISCONNECTED');
		gateway.faults([
			{ times: 1, latencyMs: 50, endpoint: 'listDeferred', body: list('new') },
			{ times: 1, latencyMs: 50, endpoint: 'status' },
			{ endpoint: 'listDeferred', body: list('new') },
		]);
		const told = await Promise.all([trigger.poll(), trigger.poll()]);
		expect(told.flatMap(json)).toHaveLength(1);
	}
});

test('while a look is on its way, another poll asks nothing; then the next one looks again', async () => {
	const trigger = new Polling(gateway.account, { event: 'deferredAdded' });
	gateway.faults([{ body: list('a') }]);
	await trigger.start();
	gateway.faults([{ times: 1, latencyMs: 100, body: list('a', 'b') }, { body: list('a', 'c') }]);
	const slow = trigger.poll();
	expect(await trigger.poll()).toBeNull();
	expect(json(await slow).map(({ deliveryKey }) => deliveryKey)).toEqual(['b']);
	expect(gateway.requests()).toHaveLength(2);
	expect(json(await trigger.poll()).map(({ deliveryKey }) => deliveryKey)).toEqual(['c']);
});

test('a look that was thrown is on its way no longer', async () => {
	const trigger = new Polling(gateway.account, { event: 'statusChanged' });
	await trigger.start();
	gateway.faults([{ times: 1, status: 404 }]);
	await expect(trigger.poll()).rejects.toMatchObject({ httpCode: '404' });
	gateway.setStatus('DISCONNECTED');
	expect(json(await trigger.poll())).toHaveLength(1);
});

test('looks of several triggers may be on their way', async () => {
	const triggers = ['one', 'another'].map(
		(id) => new Polling(gateway.account, { event: 'statusChanged' }, { settings: { id } }),
	);
	for (const trigger of triggers) await trigger.start();
	gateway.setStatus('DISCONNECTED');
	gateway.faults([{ latencyMs: 50 }]);
	const told = await Promise.all(triggers.map(async (trigger) => await trigger.poll()));
	expect(told.map((polled) => json(polled).length)).toEqual([1, 1]);
});

describe('another credential, event or query', () => {
	test('means a new baseline, which is saved', async () => {
		other.setStatus('DISCONNECTED');
		const trigger = new Polling(gateway.account, { event: 'statusChanged' });
		await trigger.start();
		trigger.account = other.account;
		expect(await trigger.poll()).toEqual(QUIET_RUN);
		expect(trigger.saved).toBe(trigger.remembered);
		expect(await trigger.poll()).toBeNull();
		other.setStatus('ONLINE');
		expect(json(await trigger.poll())).toMatchObject([{ previousStatus: 'DISCONNECTED' }]);
		trigger.parameters = { event: 'offlineFor', minutes: 1 };
		expect(json(await trigger.start())).toEqual([]);
	});

	test('while the gateway cannot be asked, the old one is not forgotten', async () => {
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

	test('while a look is on its way: what it sees is compared with neither', async () => {
		const trigger = new Polling({ ...gateway.account }, { event: 'statusChanged' });
		await trigger.start();
		const before = trigger.remembered;
		// The brake holds the next look back, and it goes out by what the credential says then.
		gateway.faults([{ times: 1, status: 429, retryAfter: '0.3' }]);
		expect(await trigger.poll()).toBeNull();
		other.setStatus('DISCONNECTED');
		other.clearRequests();
		const polled = trigger.poll();
		await new Promise((resolve) => setTimeout(resolve, 100));
		Object.assign(trigger.account, other.account);
		expect(await polled).toBeNull();
		expect(other.theRequest().status).toBe(200);
		expect(trigger.remembered).toBe(before);
		expect(await trigger.poll()).toEqual(QUIET_RUN);
	});

	test('another secret, filter or time is no other account', async () => {
		const trigger = new Polling(gateway.account, { event: 'statusChanged' });
		await trigger.start();
		gateway.setStatus('DISCONNECTED');
		trigger.account = { ...gateway.account, secret: 'renewed' };
		trigger.parameters = { event: 'statusChanged', toStatuses: 'DISCONNECTED' };
		expect(json(await trigger.start())).toHaveLength(1);
	});
});

test('Fetch test event takes nothing away from the published workflow', async () => {
	const trigger = new Polling(gateway.account, { event: 'statusChanged' });
	await trigger.start();
	gateway.setStatus('DISCONNECTED');
	const { saved } = trigger;
	expect(await trigger.fetchTestEvent()).toHaveLength(1);
	expect(trigger.remembered).toBe(saved);
	expect(json(await trigger.poll())).toHaveLength(1);
});

test.each(['', '{', 'null', '[]', '7', '"x"', '{"scope":1}'])(
	'%j in the static data is no reason to fail',
	async (text) => {
		const trigger = new Polling(gateway.account, { event: 'statusChanged' });
		await trigger.start();
		trigger.replaceState(text);
		expect(json(await trigger.start())).toEqual([]);
		expect(await trigger.poll()).toBeNull();
	},
);
