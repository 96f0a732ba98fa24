import { useNewGateways } from '../../harness/sandboxAccount';
import { Polling } from '../../harness/polling';
import { useVirtualTime } from '../../harness/virtualTime';
import { receivedAt, timed } from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways();

const polling = (requestOptions = {}) =>
	new Polling(gateway.account, { event: 'statusChanged', requestOptions });

describe('a poll takes at most 15 s', () => {
	test('if the gateway does not respond', async () => {
		// Also with a longer 'Timeout'.
		const trigger = polling({ timeout: 60_000 });
		await trigger.start();
		gateway.faults([{ latencyMs: 20_000 }]);
		expect(await timed(trigger.poll())).toEqual({ value: null, ms: 15_000 });
		expect(trigger.warnings[0]).toContain('did not respond within 15 s');
		await expect(trigger.fetchTestEvent()).rejects.toMatchObject({
			message: 'The gateway did not respond within 15 s',
		});
	});

	test('if Retry-After is longer', async () => {
		const trigger = polling();
		await trigger.start();
		gateway.faults([{ status: 429, retryAfter: 50, times: 1 }]);
		expect(await trigger.poll()).toBeNull();
		gateway.clearRequests();
		expect(await timed(trigger.poll())).toEqual({ value: null, ms: 15_000 });
		expect(gateway.requests()).toEqual([]);
		expect(trigger.warnings).toHaveLength(2);
		expect(trigger.warnings[1]).toContain(
			"The account's requests are paused until 2026-01-01T00:00:50Z",
		);
	});

	test('including the wait for the rate limiter', async () => {
		const trigger = polling();
		gateway.faults([{ status: 429, retryAfter: 1, times: 1 }, { latencyMs: 20_000 }]);
		await trigger.start('init');
		gateway.clearRequests();
		const start = Date.now();
		expect(await timed(trigger.poll())).toEqual({ value: null, ms: 15_000 });
		expect(receivedAt(gateway.theRequest())).toBe(start + 1_000);
	});
});

test('a shorter Timeout aborts a poll, with its own message', async () => {
	const trigger = polling({ timeout: 10_000 });
	await trigger.start();
	gateway.faults([{ latencyMs: 20_000 }]);
	expect(await timed(trigger.poll())).toEqual({ value: null, ms: 10_000 });
	expect(trigger.warnings).toEqual([
		expect.stringContaining(
			'The gateway did not respond within the timeout. No event is triggered.',
		),
	]);
});
