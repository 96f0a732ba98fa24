import type { SessionStatus } from '../../../sandbox/sandbox';
import { useGateway } from '../../harness/sandboxAccount';
import { json, Polling } from '../../harness/polling';

const gateway = useGateway();

const polling = (parameters: Polling['parameters'] = {}) =>
	new Polling(gateway.account, { event: 'statusChanged', ...parameters });

/** Polls once after each change; returns the result of each poll. */
async function changes(trigger: Polling, ...statuses: SessionStatus[]) {
	const reported = [];
	for (const status of statuses) {
		gateway.setStatus(status);
		reported.push(await trigger.poll());
	}
	return reported;
}

test('reports a change after the first poll once, with the previous status', async () => {
	const trigger = polling();
	expect(await trigger.start()).toBeNull();
	expect(gateway.theRequest().url).toBe(`/api/whatsapp/${gateway.token}/status`);
	const [down, nothing, back] = await changes(trigger, 'DISCONNECTED', 'DISCONNECTED', 'ONLINE');
	expect(down).toEqual([
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
	expect(nothing).toBeNull();
	expect(json(back!)).toMatchObject([{ status: 'ONLINE', previousStatus: 'DISCONNECTED' }]);
});

test.each<[Record<string, string | string[] | Record<string, string>>, string[]]>([
	[{ toStatuses: ['AUTH_FAILURE', 'ONLINE'] }, ['AUTH_FAILURE', 'ONLINE']],
	[{ fromStatuses: ['AWAITING_QR'], toStatuses: ['ONLINE'] }, []],
	[
		{ toStatuses: ['ONLINE'], options: { otherToStatuses: 'banned, auth_failure' } },
		['AUTH_FAILURE', 'ONLINE'],
	],
	[{ toStatuses: '={{ "disconnected, online" }}' }, ['DISCONNECTED', 'ONLINE']],
	[{ toStatuses: '={{ ["DISCONNECTED"] }}' }, ['DISCONNECTED']],
])('with %j reports the changes to %j', async (filters, statuses) => {
	const trigger = polling(filters);
	await trigger.start();
	const reported = await changes(trigger, 'DISCONNECTED', 'AUTH_FAILURE', 'ONLINE');
	expect(reported.flatMap(json).map(({ status }) => status)).toEqual(statuses);
	// A filtered status is still the previous status of the next one, even after a restart.
	expect(reported.filter((one) => one === null)).toEqual([]);
});

test('rejects filters that are not text', async () => {
	const trigger = polling({ fromStatuses: '={{ ({}) }}' });
	await expect(trigger.start()).rejects.toMatchObject({
		message: "'From Statuses' is not text but of type object",
	});
	expect(gateway.requests()).toEqual([]);
});

describe('Fetch test event', () => {
	test('shows the current status with a sample change', async () => {
		gateway.setStatus('AWAITING_QR');
		expect(
			await polling({ options: { otherFromStatuses: 'CONNECTING' } }).fetchTestEvent(),
		).toEqual([
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
			const [shown] = await polling({ fromStatuses: [status] }).fetchTestEvent();
			expect(shown?.status).toBe(status);
			expect(shown?.previousStatus).not.toBe(status);
		}
	});
});
