import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import {
	chat,
	messages,
	pace,
	quiet,
	receivedAt,
	type Sending,
	sending,
	timed,
} from '../../harness/messages';
import { question } from '../ask/ask';

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

describe('a pace', () => {
	test('with a random part only lengthens the intervals, and the node says what that means', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0.5);
		const options = pace(12, 500);
		const begun = Date.now();
		const { hints } = await run(sending(gateway, { items: messages(4), options }));
		const starts = gateway.requests().map((request) => receivedAt(request) - begun);
		expect(starts).toEqual(multiplesOf(17_500, 4));
		const message =
			"'Pace' is about 3.4 messages per minute on average, and at most 30 s between two.";
		expect(hints).toEqual([{ message, location: 'outputPane', type: 'info' }]);
	});

	test.each([
		['that is even', pace(60)],
		['without a limit', pace(0, 20)],
	])('%s has no hint', async (_what, options) => {
		const { hints } = await run(sending(gateway, { items: messages(3), options }));
		expect(hints).toEqual([]);
	});
});

/** An account whose credential says its pace. */
const paced = (messagesPerMinute: number, processes?: number) => ({
	...gateway.account,
	messagesPerMinute,
	processes,
});

/** When the process of a test starts. */
const START = Date.UTC(2026, 0, 1);

/** A new process sends its first message after an interval, because the one before it may have just sent. */
const fromProcessStart = () => gateway.requests().map((request) => receivedAt(request) - START);

const allows = (perMinute: number, processes: number, ofProcess: number) => ({
	message: `The credential allows ${perMinute} messages per minute over ${processes} n8n processes, so this run sends at most ${ofProcess} per minute.`,
	location: 'outputPane',
	type: 'info',
});

describe('the pace of a credential', () => {
	test.each<[string, Parameters<typeof paced>, Record<string, unknown>, number]>([
		['divided by the processes', [20, 4], {}, 12_200],
		['rounded down', [20, 8], {}, 30_500],
		['of one process', [20], {}, 3_050],
		['that is slower than the workflow', [20, 4], pace(60), 12_200],
		['that is faster than the workflow', [20, 4], pace(2), 30_000],
	])('%s applies to each message', async (_what, account, options, intervalMs) => {
		const job = { account: paced(...account), items: messages(4), options };
		expect((await run(sending(gateway, job))).error).toBeUndefined();
		const [first, ...others] = fromProcessStart();
		expect(first).toBe(Math.min(intervalMs, 61_000 / Math.floor(account[0] / (account[1] ?? 1))));
		expect(others).toEqual([1, 2, 3].map((count) => first! + count * intervalMs));
	});

	test('applies to a workflow, a tool and Send and Wait together, and the runs that wait say so', async () => {
		const account = paced(20, 4);
		const shares = { account, items: messages(1) };
		const runs = [
			run(sending(gateway, shares)),
			run(sending(gateway, { ...shares, asTool: true })),
			run(question(gateway, {}, { account })),
		];
		const outcomes = await Promise.all(runs);
		expect(fromProcessStart()).toEqual([12_200, 24_400, 36_600]);
		for (const { hints } of outcomes) expect(hints).toContainEqual(allows(20, 4, 5));
	});

	test('delays no message, and has no hint, if the process has sent nothing for a while', async () => {
		await quiet(61_000);
		const { hints } = await run(sending(gateway, { account: paced(20, 20) }));
		expect(fromProcessStart()).toEqual([61_000]);
		expect(hints).toEqual([]);
	});

	test('is rejected if it cannot be kept', async () => {
		const account = { ...gateway.account, messagesPerMinute: '={{ "fast" }}' };
		const { error } = await run(sending(gateway, { account }));
		expect(error?.message).toContain("'Messages per Minute' of the credential is not a whole");
		expect(gateway.requests()).toEqual([]);
	});
});

test('of many lookups, at most 20 run at the same time', async () => {
	gateway.faults([{ latencyMs: 100 }]);
	const begun = Date.now();
	const parameters = { resource: 'message', operation: 'inviteInfo', inviteCode: 'AbC123' };
	const { items } = await run({ account: gateway.account, items: messages(45), parameters });
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
		Array.from({ length: 45 }, (_, item) => ({ item })),
	);
	const starts = gateway.requests().map((request) => receivedAt(request) - begun);
	const startsAfter = (ms: number) => starts.filter((start) => start === ms).length;
	expect([0, 100, 200].map(startsAfter)).toEqual([20, 20, 5]);
});

test('a single message that is sent after a 429 has a hint', async () => {
	gateway.faults([{ status: 429, retryAfter: 3, times: 1 }]);
	const { error, hints } = await run(sending(gateway));
	expect(error).toBeUndefined();
	expect(hints).toMatchObject([
		{
			message:
				"The gateway limited the rate (429, last at 00:00:00 UTC), so this run took about 3.0 s longer. To stay below the limit, add the option 'Pace'.",
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

test('a run that gives up does not wait for a message that was to be tried again later', async () => {
	gateway.faults([
		{ chatId: chat(0), latencyMs: 30_000, status: 503, retryAfter: 60 },
		{ status: 429, retryAfter: 5 },
	]);
	const settings = { onError: 'continueErrorOutput' } as const;
	const { ms } = await timed(run(sending(gateway, { items: messages(2), settings })));
	// Max Wait is a minute.
	expect(ms).toBeGreaterThan(59_000);
	expect(ms).toBeLessThan(64_000);
});
