import type { SessionStatus } from '../../../sandbox/sandbox';
import { useGateway } from '../../sandboxAccount';
import { json, Polling, QUIET_RUN } from './polling';

const gateway = useGateway();

const polling = (parameters: Record<string, string> = {}) =>
	new Polling(gateway.account, { event: 'statusChanged', ...parameters });

/** Polls once after each change; gives what was told each time. */
async function changes(trigger: Polling, ...statuses: SessionStatus[]) {
	const told = [];
	for (const status of statuses) {
		gateway.setStatus(status);
		told.push(await trigger.poll());
	}
	return told;
}

test('the first poll sets the baseline and tells nothing', async () => {
	const trigger = polling();
	expect(await trigger.start()).toBeNull();
	expect(await trigger.poll()).toBeNull();
	expect(gateway.requests().map(({ method, url }) => `${method} ${url}`)).toEqual(
		Array(2).fill(`GET /api/whatsapp/${gateway.token}/status`),
	);
});

test('a change is told once, with what it was before', async () => {
	const trigger = polling();
	await trigger.start();
	const before = Date.now();
	const [told, nothing, back] = await changes(trigger, 'DISCONNECTED', 'DISCONNECTED', 'ONLINE');
	expect(told).toEqual([
		[
			{
				json: {
					event: 'statusChanged',
					status: 'DISCONNECTED',
					previousStatus: 'ONLINE',
					at: expect.stringMatching(/^\d{4}-.*Z$/),
				},
			},
		],
	]);
	const at = Date.parse(json(told!)[0]?.at as string);
	expect(at).toBeGreaterThanOrEqual(before);
	expect(at).toBeLessThanOrEqual(Date.now());
	expect(nothing).toBeNull();
	expect(json(back!)).toMatchObject([{ status: 'ONLINE', previousStatus: 'DISCONNECTED' }]);
});

test.each([
	[{ fromStatuses: 'ONLINE' }, ['DISCONNECTED']],
	[{ toStatuses: 'auth_failure, online' }, ['AUTH_FAILURE', 'ONLINE']],
	[{ fromStatuses: 'AWAITING_QR', toStatuses: 'ONLINE' }, []],
	[{ fromStatuses: 'AUTH_FAILURE,', toStatuses: '' }, ['ONLINE']],
	[{ toStatuses: '={{ ["DISCONNECTED"] }}' }, ['DISCONNECTED']],
] as const)('with %j the changes to %j are told of', async (filters, statuses) => {
	const trigger = polling(filters);
	await trigger.start();
	const told = await changes(trigger, 'DISCONNECTED', 'AUTH_FAILURE', 'ONLINE');
	expect(told.flatMap(json).map(({ status }) => status)).toEqual(statuses);
	// What is left out is the previous one all the same, also after a restart.
	expect(told.filter((one) => one === null)).toEqual([]);
});

test('a change that the filters leave out is the previous status of the next one', async () => {
	const trigger = polling({ toStatuses: 'ONLINE' });
	await trigger.start();
	const [leftOut] = await changes(trigger, 'AUTH_FAILURE');
	expect(leftOut).toEqual(QUIET_RUN);
	gateway.setStatus('ONLINE');
	expect(json(await trigger.start())).toMatchObject([
		{ status: 'ONLINE', previousStatus: 'AUTH_FAILURE' },
	]);
});

test('a change while n8n was down is told when it starts, and not again at the next start', async () => {
	const trigger = polling();
	await trigger.start();
	gateway.setStatus('DISCONNECTED');
	expect(json(await trigger.start())).toMatchObject([{ status: 'DISCONNECTED' }]);
	expect(await trigger.start()).toBeNull();
});

test('filters that are no text are refused', async () => {
	const trigger = polling({ fromStatuses: '={{ ({}) }}' });
	await expect(trigger.start()).rejects.toMatchObject({
		message: "'From Statuses' is not text but of type object",
	});
	expect(gateway.requests()).toEqual([]);
});

describe('Fetch test event', () => {
	test('shows the present status; the change is made up', async () => {
		gateway.setStatus('AWAITING_QR');
		expect(await polling({ fromStatuses: 'CONNECTING' }).fetchTestEvent()).toEqual([
			{
				event: 'statusChanged',
				status: 'AWAITING_QR',
				previousStatus: 'CONNECTING',
				at: expect.any(String),
				isSample: true,
			},
		]);
	});

	test('never shows a change to the same status', async () => {
		for (const status of ['ONLINE', 'DISCONNECTED'] as const) {
			gateway.setStatus(status);
			const [shown] = await polling({ fromStatuses: status }).fetchTestEvent();
			expect(shown?.status).toBe(status);
			expect(shown?.previousStatus).not.toBe(status);
		}
	});
});
