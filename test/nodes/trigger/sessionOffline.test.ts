import type { NodeParameterValueType } from 'n8n-workflow';

import { useGateway } from '../../harness/sandboxAccount';
import { json, Polling, QUIET_RUN, useWallClock } from '../../harness/polling';

const gateway = useGateway();
const clock = useWallClock();

// random.test.ts has several outages, restarts of n8n and outages of the gateway.
const polling = (parameters: Record<string, NodeParameterValueType> = {}) =>
	new Polling(gateway.account, { event: 'sessionOffline', ...parameters });

test('reports an outage once, when it has lasted for the given minutes', async () => {
	const trigger = polling();
	expect(await trigger.start()).toBeNull();
	gateway.setStatus('DISCONNECTED');
	clock.pass(1);
	const begun = new Date().toISOString();
	expect(await trigger.poll()).toEqual(QUIET_RUN);
	clock.pass(9);
	expect(await trigger.poll()).toBeNull();
	clock.pass(1.5);
	const [reported, ...more] = json(await trigger.poll());
	expect(more).toEqual([]);
	expect(reported).toEqual({
		event: 'sessionOffline',
		status: 'DISCONNECTED',
		offlineSince: begun,
		minutes: 10,
		at: new Date().toISOString(),
	});
	clock.pass(60);
	expect(await trigger.poll()).toBeNull();
});

test('waits again if the clock is set back, but neither fails nor reports twice', async () => {
	const trigger = polling();
	gateway.setStatus('DISCONNECTED');
	await trigger.start();
	clock.pass(-24 * 60);
	expect(await trigger.poll()).toBeNull();
	clock.pass(10);
	expect(json(await trigger.poll())).toMatchObject([{ minutes: 10 }]);
	clock.pass(-24 * 60);
	expect(await trigger.poll()).toBeNull();
	clock.pass(48 * 60);
	expect(await trigger.poll()).toBeNull();
});

test.each<[object, string]>([
	[{ minutes: 10_081 }, "'Minutes' is not a number from 1 to 10080"],
	[{ options: { onlineStatuses: ' ' } }, "'Online Statuses' is empty"],
])('rejects %j', async (parameters, message) => {
	await expect(polling({ ...parameters }).start()).rejects.toMatchObject({ message });
	expect(gateway.requests()).toEqual([]);
});

test.each([
	['DISCONNECTED', 'DISCONNECTED'],
	['ONLINE', 'DISCONNECTED'],
] as const)('Fetch test event while %s shows an outage', async (present, shown) => {
	gateway.setStatus(present);
	const [event] = await polling({ minutes: 7 }).fetchTestEvent();
	expect(event).toEqual({
		event: 'sessionOffline',
		status: shown,
		offlineSince: expect.any(String),
		minutes: 7,
		at: expect.any(String),
		isSample: true,
	});
	// The first column of the table in the editor, where nobody misses it.
	expect(Object.keys(event!)[0]).toBe('isSample');
});

test('Online Statuses say when the session is online', async () => {
	const says = (status: string) =>
		gateway.answerWith({ contentType: 'application/json', text: JSON.stringify({ status }) });
	says('Ready to go');
	const trigger = polling({ minutes: 1, options: { onlineStatuses: 'online, ready to go' } });
	await trigger.start();
	clock.pass(5);
	expect(await trigger.poll()).toBeNull();
	says('Not ready');
	await trigger.poll();
	clock.pass(5);
	expect(json(await trigger.poll())).toMatchObject([{ status: 'NOT READY' }]);
});
