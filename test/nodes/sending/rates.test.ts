import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import {
	BOTH_WAYS,
	messages,
	quiet,
	receivedAt,
	type Sending,
	sending,
} from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways();

afterEach(() => jest.restoreAllMocks());

/** When each request was received, in milliseconds after the start of the run. */
async function startsOf(rest: Sending) {
	const begun = Date.now();
	const { error } = await run(sending(gateway, rest));
	expect(error).toBeUndefined();
	return gateway.requests().map((request) => receivedAt(request) - begun);
}

const multiplesOf = (ms: number, count: number, offset = 0) =>
	Array.from({ length: count }, (_, index) => index * ms + offset);

test('jitter delays a start, but not the starts after it', async () => {
	jest.spyOn(Math, 'random').mockReturnValueOnce(0.8).mockReturnValue(0.4);
	const options = { messagesPerMinute: 1_200, jitter: 50 };
	const starts = await startsOf({ items: messages(11), options });
	expect(starts).toEqual([20, ...multiplesOf(50, 11, 10).slice(1)]);
});

describe('delay between messages', () => {
	const delay = (min: number, max: number) => ({ delay: { values: { min, max } } });

	test('is random, and the node says how many messages that is on average', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0.5);
		const options = delay(5, 30);
		const begun = Date.now();
		const { hints } = await run(sending(gateway, { items: messages(4), options }));
		const starts = gateway.requests().map((request) => receivedAt(request) - begun);
		expect(starts).toEqual(multiplesOf(17_500, 4));
		const message = "'Delay Between Messages' is about 3.4 messages per minute on average.";
		expect(hints).toEqual([{ message, location: 'outputPane', type: 'info' }]);
	});

	test.each([
		[delay(0, 0), 2],
		[delay(5, 30), 1],
	])('has no hint if there is none: %j, %i messages', async (options, count) => {
		const { hints } = await run(sending(gateway, { items: messages(count), options }));
		expect(hints).toEqual([]);
	});

	test.each([
		[delay(30, 5), "'To (Seconds)' of 'Delay Between Messages' is less than 'From (Seconds)'"],
		[
			{ ...delay(5, 30), messagesPerMinute: 20 },
			"'Delay Between Messages' and 'Messages per Minute' are both set",
		],
	])('is rejected if it cannot be kept: %j', async (options, message) => {
		const { error } = await run(sending(gateway, { items: messages(2), options }));
		expect(error?.message).toContain(message);
		expect(gateway.requests()).toEqual([]);
	});
});

test.each([
	['after each message without a size', -1, 100, {}, multiplesOf(100, 9)],
	[
		'after each batch, for messages per minute, too: the slower one counts',
		...[4, 400, { messagesPerMinute: 1_200 }, [0, 50, 100, 150, 550, 600, 650, 700, 1_100]],
	],
] as Array<[string, number, number, object, number[]]>)(
	'Batching under Request Options waits %s',
	async (_when, batchSize, batchInterval, options, expected) => {
		const fields = { requestOptions: { batching: { batch: { batchSize, batchInterval } } } };
		const items = messages(9);
		expect(await startsOf({ items, options: { ...options }, fields })).toEqual(expected);
	},
);

test('Batching delays lookups after each batch, and not the first one', async () => {
	const begun = Date.now();
	const parameters = {
		...{ resource: 'message', operation: 'inviteInfo', inviteCode: 'AbC123' },
		requestOptions: { batching: { batch: { batchSize: 2, batchInterval: 100 } } },
	};
	await run({ account: gateway.account, items: messages(5), parameters });
	const starts = gateway.requests().map((request) => receivedAt(request) - begun);
	expect(starts).toEqual([0, 0, 100, 100, 200]);
});

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

// Otherwise the rate would only grow slowly, because the gateway asked for a long wait.
test('a minute without messages ends a limit', async () => {
	gateway.faults([{ status: 429, retryAfter: 20, times: 1 }]);
	await run(sending(gateway, { items: messages(3), options: { maxWait: 300 } }));
	gateway.clearRequests();
	await quiet(75_000);
	expect(await startsOf({ items: messages(3) })).toEqual([0, 0, 0]);
});

// The simulation has what waits after a 429, and how long.
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
