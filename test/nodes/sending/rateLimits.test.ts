import { schedulerOf } from '../../../nodes/MessagingGateway/request/account';
import { run, storedAccount } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import {
	answeredAt,
	BOTH_WAYS,
	chat,
	lookUp,
	messages,
	quiet,
	receivedAt,
	sending,
	until,
} from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways();

test.each(BOTH_WAYS)(
	'Messages per Minute applies to all runs of an account, %s',
	async (_what, asTool) => {
		const begun = Date.now();
		const options = { messagesPerMinute: 60 };
		const runs = Array.from({ length: 5 }, (_, index) =>
			run(sending(gateway, { items: [messages(5)[index]!], options, asTool })),
		);
		expect((await Promise.all(runs)).map(({ error }) => error)).toEqual(Array(5).fill(undefined));
		const starts = gateway.requests().map((request) => receivedAt(request) - begun);
		expect(starts).toEqual([0, 1_000, 2_000, 3_000, 4_000]);
	},
);

test('a single message that is sent after a 429 has a hint', async () => {
	gateway.faults([{ status: 429, retryAfter: 3, times: 1 }]);
	const { error, hints } = await run(sending(gateway));
	expect(error).toBeUndefined();
	expect(hints).toMatchObject([
		{
			message:
				"The gateway limited the rate (429, last at 00:00:00 UTC), so this run took about 3.0 s longer. The account now gets about 20 messages per minute, more from 00:00:05 UTC on, and no limit after a minute without messages. To stay below the limit, set 'Messages per Minute' under Options.",
		},
	]);
});

test('a limit that delayed the run by less than a moment, or another run, has no hint', async () => {
	gateway.faults([{ status: 429, retryAfter: '0.04', times: 1 }]);
	expect((await run(sending(gateway))).hints).toEqual([]);
	gateway.faults([{ status: 429, retryAfter: 3, times: 1 }]);
	expect((await run(sending(gateway))).hints).toHaveLength(1);
	await quiet(120_000);
	expect((await run(sending(gateway))).hints).toEqual([]);
	expect(gateway.requests()).toHaveLength(5);
});

describe('after a 429', () => {
	const HOLD_MS = 400;
	const slower = { status: 429, retryAfter: String(HOLD_MS / 1000), times: 1 };

	/** Whether the node has processed the 429, not only received it. */
	const isRefused = () =>
		schedulerOf(storedAccount(gateway.account)).limiter.lastCounted429At > -Infinity;

	/** No request arrives during the cool-down, except those that were sent at the same time as the 429. */
	function expectHeld() {
		const since = answeredAt(gateway.requests().find(({ status }) => status === 429));
		const after = gateway.requests().map((request) => receivedAt(request) - since);
		expect(Math.min(...after.filter((ms) => ms > 0))).toBe(HOLD_MS);
	}

	test.each([
		['a second execution', () => sending(gateway, { items: messages(3, () => 7) })],
		['a lookup', () => lookUp(gateway)],
	])('%s with the same credential waits', async (_what, another) => {
		gateway.faults([{ ...slower, chatId: chat(0) }]);
		const first = run(sending(gateway));
		await until('the first 429 is processed', isRefused);
		expect((await run(another())).error).toBeUndefined();
		expectHeld();
		expect((await first).error).toBeUndefined();
	});

	test('to a lookup, messages wait', async () => {
		gateway.faults([{ ...slower, endpoint: 'inviteInfo' }]);
		const { error } = await run(lookUp(gateway));
		expect(error?.message).toContain('429');
		await run(sending(gateway));
		expectHeld();
		expect(gateway.state().delivered).toHaveLength(1);
	});

	test('messages that waited until the run gave up were not attempted', async () => {
		gateway.faults([{ status: 429 }]);
		const options = { maxWait: 0.2 };
		await run(sending(gateway, { items: messages(1), options }));
		const { error } = await run(sending(gateway, { items: messages(9), options }));
		expect(error?.message).toContain('0 of 9 sent, 8 not attempted');
		// With Retry On Fail, n8n keeps the error with its description.
		const settings = { onError: 'continueErrorOutput', retryOnFail: true } as const;
		const { errorItems } = await run(sending(gateway, { items: messages(2), options, settings }));
		expect(errorItems[1]!.error!.description).toContain(
			'the gateway had rejected the messages before it for too long',
		);
	});
});
