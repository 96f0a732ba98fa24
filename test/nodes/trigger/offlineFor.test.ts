import type { NodeParameterValueType } from 'n8n-workflow';

import { useGateway } from '../../sandboxAccount';
import { json, Polling, QUIET_RUN, useWallClock } from './polling';

const gateway = useGateway();
const clock = useWallClock();

const polling = (parameters: Record<string, NodeParameterValueType> = {}) =>
	new Polling(gateway.account, { event: 'offlineFor', ...parameters });

test('an outage is told once, when it has lasted so long', async () => {
	const trigger = polling();
	expect(await trigger.start()).toBeNull();
	gateway.setStatus('DISCONNECTED');
	clock.pass(1);
	const begun = new Date().toISOString();
	expect(await trigger.poll()).toEqual(QUIET_RUN);
	clock.pass(9);
	expect(await trigger.poll()).toBeNull();
	clock.pass(1.5);
	const [told, ...more] = json(await trigger.poll());
	expect(more).toEqual([]);
	expect(told).toEqual({
		event: 'offlineFor',
		status: 'DISCONNECTED',
		offlineSince: expect.any(String),
		minutes: 10,
		at: new Date(Date.now()).toISOString(),
	});
	expect(Math.abs(Date.parse(told?.offlineSince as string) - Date.parse(begun))).toBeLessThan(
		2_000,
	);
	clock.pass(60);
	expect(await trigger.poll()).toBeNull();
});

test('the next outage counts anew', async () => {
	const trigger = polling({ minutes: 5 });
	gateway.setStatus('DISCONNECTED');
	await trigger.start();
	clock.pass(6);
	expect(json(await trigger.poll())).toHaveLength(1);
	gateway.setStatus('ONLINE');
	expect(await trigger.poll()).toEqual(QUIET_RUN);
	gateway.setStatus('AUTH_FAILURE');
	expect(await trigger.poll()).toEqual(QUIET_RUN);
	clock.pass(4);
	expect(await trigger.poll()).toBeNull();
	clock.pass(2);
	expect(json(await trigger.poll())).toMatchObject([{ status: 'AUTH_FAILURE', minutes: 6 }]);
});

test('a session that was offline at the baseline has been so since then', async () => {
	gateway.setStatus('DISCONNECTED');
	const trigger = polling({ minutes: 1 });
	expect(await trigger.start()).toBeNull();
	clock.pass(1);
	expect(json(await trigger.poll())).toMatchObject([{ minutes: 1 }]);
});

test('going from one offline status to another is the same outage', async () => {
	const trigger = polling();
	gateway.setStatus('DISCONNECTED');
	await trigger.start();
	clock.pass(6);
	gateway.setStatus('AWAITING_QR');
	expect(await trigger.poll()).toBeNull();
	clock.pass(5);
	expect(json(await trigger.poll())).toMatchObject([{ status: 'AWAITING_QR', minutes: 11 }]);
});

test('over restarts, an outage is told once, and counts from its beginning', async () => {
	const trigger = polling();
	await trigger.start();
	gateway.setStatus('DISCONNECTED');
	await trigger.poll();
	clock.pass(6);
	expect(await trigger.start()).toBeNull();
	clock.pass(6);
	expect(json(await trigger.start())).toMatchObject([{ minutes: 12 }]);
	clock.pass(6);
	expect(await trigger.start()).toBeNull();
	// The end of an outage is saved, too: the next one would else be taken for the same.
	gateway.setStatus('ONLINE');
	await trigger.poll();
	gateway.setStatus('DISCONNECTED');
	expect(await trigger.start()).toEqual(QUIET_RUN);
	clock.pass(10);
	expect(json(await trigger.poll())).toHaveLength(1);
});

test('an outage of the gateway neither begins nor ends one', async () => {
	const trigger = polling();
	await trigger.start();
	gateway.faults([{ status: 503 }]);
	clock.pass(30);
	expect(await trigger.poll()).toBeNull();
	gateway.clearFaults();
	expect(await trigger.poll()).toBeNull();
	gateway.setStatus('DISCONNECTED');
	await trigger.poll();
	gateway.faults([{ cut: 'before' }]);
	clock.pass(30);
	expect(await trigger.poll()).toBeNull();
	gateway.clearFaults();
	expect(json(await trigger.poll())).toMatchObject([{ minutes: 30 }]);
});

test('a clock that is set back makes it wait anew, but neither fail nor repeat', async () => {
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

test('Online Statuses says what is not offline', async () => {
	gateway.setStatus('AWAITING_QR');
	const online = polling({ minutes: 1, options: { onlineStatuses: 'online, awaiting_qr' } });
	await online.start();
	clock.pass(5);
	expect(await online.poll()).toBeNull();
});

test('Online Statuses without any is refused', async () => {
	const emptied = polling({ minutes: 1, options: { onlineStatuses: ' ' } });
	await expect(emptied.start()).rejects.toMatchObject({ message: "'Online Statuses' is empty" });
});

test.each([0, 0.5, 10_081, -1, 'soon', '={{ NaN }}'])('%j minutes are refused', async (minutes) => {
	await expect(polling({ minutes }).start()).rejects.toMatchObject({
		message: "'Minutes' is not a number from 1 to 10080",
	});
	expect(gateway.requests()).toEqual([]);
});

test.each([
	['DISCONNECTED', 'DISCONNECTED'],
	['ONLINE', 'DISCONNECTED'],
] as const)('Fetch test event while %s shows an outage', async (present, shown) => {
	gateway.setStatus(present);
	const [event] = await polling({ minutes: 7 }).fetchTestEvent();
	expect(event).toEqual({
		event: 'offlineFor',
		status: shown,
		offlineSince: expect.any(String),
		minutes: 7,
		at: expect.any(String),
		isSample: true,
	});
});

test('a word that somebody has entered is a status, even one that is none elsewhere', async () => {
	gateway.faults([{ body: { contentType: 'application/json', text: '{"status":"UP"}' } }]);
	const trigger = polling({ minutes: 1, options: { onlineStatuses: 'UP' } });
	await trigger.start();
	gateway.clearFaults();
	gateway.setStatus('DISCONNECTED');
	expect(await trigger.poll()).toEqual(QUIET_RUN);
});
