import { createHash } from 'node:crypto';

import { cancelSignal, type Context } from '../../../nodes/MessagingGateway/n8n/cancelSignal';
import { useNewGateways } from '../../harness/sandboxAccount';
import { json, Polling, QUIET_RUN } from '../../harness/polling';
import { useVirtualTime } from '../../harness/virtualTime';
import { quiet, timed } from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways();
const other = useNewGateways();

const list = (...keys: string[]) => ({
	contentType: 'application/json',
	text: JSON.stringify({ deferred: keys.map((deliveryKey) => ({ deliveryKey })) }),
});

const polling = (requestOptions = {}, account = gateway.account) =>
	new Polling(account, { event: 'statusChanged', requestOptions });

async function started(...given: Parameters<typeof polling>) {
	const trigger = polling(...given);
	await trigger.start();
	return trigger;
}

test.each([false, true])('overlapping polls report an event once: durable %s', async (durable) => {
	gateway.faults([{ endpoint: 'listDeferred', body: list('old') }]);
	const settings = { hasDurableCursors: durable };
	const pollings = ['statusChanged', 'deferredAdded'].map(
		(event) => new Polling(gateway.account, { event }, { ...settings, settings: { id: event } }),
	);
	for (const trigger of pollings) await trigger.start();
	gateway.setStatus('DISCONNECTED');
	gateway.faults([
		{ latencyMs: 50, endpoint: 'listDeferred', body: list('new') },
		{ latencyMs: 50, endpoint: 'status' },
	]);
	// Several triggers can poll at once.
	const reported = await Promise.all(
		[...pollings, ...pollings].map(async (trigger) => await trigger.poll()),
	);
	expect(reported.flatMap(json).map(({ event }) => event)).toEqual([
		'statusChanged',
		'deferredAdded',
	]);
});

test('polls share no cancel signal, which would collect the listeners of many triggers', () => {
	const poll = () => cancelSignal({} as Context);
	expect(poll()).not.toBe(poll());
	expect(poll().aborted).toBe(false);
});

describe('another credential, event or query', () => {
	test('sets a new baseline and saves it', async () => {
		other.setStatus('DISCONNECTED');
		const trigger = await started();
		trigger.account = other.account;
		expect(await trigger.poll()).toEqual(QUIET_RUN);
		expect(trigger.saved).toBe(trigger.remembered);
		expect(await trigger.poll()).toBeNull();
		other.setStatus('ONLINE');
		expect(json(await trigger.poll())).toMatchObject([{ previousStatus: 'DISCONNECTED' }]);
		trigger.parameters = { event: 'sessionOffline', minutes: 1 };
		expect(json(await trigger.start())).toEqual([]);
	});

	test('during a poll applies to the next poll', async () => {
		const trigger = await started({}, { ...gateway.account });
		// The rate limiter delays the next poll, which has already read its credential.
		gateway.faults([{ times: 1, status: 429, retryAfter: '0.3' }]);
		expect(await trigger.poll()).toBeNull();
		gateway.clearRequests();
		const polled = trigger.poll();
		await quiet(100);
		Object.assign(trigger.account, other.account);
		expect(await polled).toBeNull();
		expect(other.requests()).toEqual([]);
		expect(gateway.theRequest().status).toBe(200);
		expect(await trigger.poll()).toEqual(QUIET_RUN);
	});
});

test('Fetch test event does not change the state of the published workflow', async () => {
	const trigger = await started();
	gateway.setStatus('DISCONNECTED');
	const { saved } = trigger;
	expect(await trigger.fetchTestEvent()).toHaveLength(1);
	expect(trigger.remembered).toBe(saved);
	expect(json(await trigger.poll())).toHaveLength(1);
});

describe('the stored state', () => {
	/** The digest of account and settings. */
	const scopeOf = ({ saved }: Polling) => {
		const [{ state }] = Object.values(JSON.parse(saved) as object) as [{ state: string }];
		return (JSON.parse(state) as { scope: string }).scope;
	};

	test.each(['{', 'null', '{"scope":1}'])('may be %j', async (text) => {
		const trigger = await started();
		trigger.replaceState(text);
		expect(json(await trigger.start())).toEqual([]);
		expect(await trigger.poll()).toBeNull();
	});

	test('of another version of the node does not make all deliveries new', async () => {
		gateway.faults([{ body: list('first') }]);
		const trigger = new Polling(gateway.account, { event: 'deferredAdded' });
		await trigger.start();
		const state = { ids: ['x'], missing: [] };
		trigger.replaceState(JSON.stringify({ scope: scopeOf(trigger), state }));
		expect(json(await trigger.start())).toEqual([]);
		gateway.faults([{ body: list('first', 'second') }]);
		expect(json(await trigger.poll())).toMatchObject([{ deliveryKey: 'second' }]);
	});

	// Otherwise all tokens of six digits could be tried in a second.
	test('does not allow guessing the token', async () => {
		const { baseUrl, token } = gateway.account;
		const scope = scopeOf(await started());
		expect(scopeOf(await started())).toBe(scope);
		const withSecret = { ...gateway.account, secret: 'another secret' };
		expect(scopeOf(await started({}, withSecret))).not.toBe(scope);
		const digests = [{}, undefined].map((query) =>
			createHash('sha256')
				.update(JSON.stringify([`${token}@${baseUrl}`, 'statusChanged', query]))
				.digest('base64url'),
		);
		expect(digests.map((digest) => digest.slice(0, 16))).not.toContain(scope);
	});
});

describe('a poll takes at most 15 s', () => {
	test.each([
		// Also with a longer 'Timeout'.
		[60_000, 15_000, 'The gateway did not respond within 15 s'],
		[10_000, 10_000, 'The gateway did not respond within the timeout'],
	])('if the gateway does not respond: with a Timeout of %d ms, %d ms', async (...row) => {
		const [timeout, ms, message] = row;
		const trigger = await started({ timeout });
		gateway.faults([{ latencyMs: 20_000 }]);
		expect(await timed(trigger.poll())).toEqual({ value: null, ms });
		expect(trigger.warnings[0]).toContain(`${message}. No event is triggered.`);
		await expect(trigger.fetchTestEvent()).rejects.toMatchObject({ message });
	});

	test('if Retry-After is longer', async () => {
		const trigger = await started();
		gateway.faults([{ status: 429, retryAfter: 50, times: 1 }]);
		expect(await trigger.poll()).toBeNull();
		gateway.clearRequests();
		expect(await timed(trigger.poll())).toEqual({ value: null, ms: 15_000 });
		expect(gateway.requests()).toEqual([]);
		expect(trigger.warnings[1]).toContain(
			"The account's requests are paused until 2026-01-01T00:00:50Z",
		);
	});
});

// n8n would add an item to a run that only saves the state, and run the next nodes.
test('with Always Output Data, a change to save starts no run, and nothing is lost while n8n runs', async () => {
	const parameters = { event: 'statusChanged', toStatuses: ['ONLINE'] };
	const settings = { alwaysOutputData: true };
	const trigger = new Polling(gateway.account, parameters, { settings });
	await trigger.start();
	gateway.setStatus('DISCONNECTED');
	expect(await trigger.poll()).toBeNull();
	gateway.setStatus('ONLINE');
	const reported = json(await trigger.poll());
	expect(reported).toMatchObject([{ status: 'ONLINE', previousStatus: 'DISCONNECTED' }]);
});
