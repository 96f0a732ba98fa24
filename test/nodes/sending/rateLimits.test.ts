import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import {
	chat,
	lookUp,
	messages,
	receivedAt,
	sending,
	textsDelivered,
} from '../../harness/messages';

const CONTINUE = { onError: 'continueRegularOutput' } as const;

useVirtualTime();
const gateway = useNewGateways();

const requestsTo = (endpoint: string) =>
	gateway.requests().filter((request) => request.endpoint === endpoint);
const rejected = () => gateway.requests().filter(({ status }) => status === 429);
const shareRejected = () => rejected().length / gateway.requests().length;
const startsSince = (begun: number) =>
	gateway.requests().map((request) => receivedAt(request) - begun);

describe('Messages per Minute', () => {
	test.each([
		['in a workflow', false],
		['as a tool', true],
	])('applies to all runs of an account, %s', async (_what, asTool) => {
		const begun = Date.now();
		const options = { messagesPerMinute: 60 };
		const runs = Array.from({ length: 5 }, (_, index) =>
			run(sending(gateway, { items: [messages(5)[index]!], options, asTool })),
		);
		expect((await Promise.all(runs)).map(({ error }) => error)).toEqual(Array(5).fill(undefined));
		expect(startsSince(begun)).toEqual([0, 1_000, 2_000, 3_000, 4_000]);
	});

	test('applies to a run that starts after another one has ended', async () => {
		const begun = Date.now();
		await run(sending(gateway, { options: { messagesPerMinute: 60 } }));
		await run(sending(gateway, { options: { messagesPerMinute: 60 } }));
		expect(startsSince(begun)).toEqual([0, 1_000]);
	});

	test('of several runs: the lowest applies to all that have one, and to no others', async () => {
		const begun = Date.now();
		const at = async (messagesPerMinute: number, to: number, count: number) =>
			await run(
				sending(gateway, { items: messages(count, () => to), options: { messagesPerMinute } }),
			);
		await Promise.all([at(6_000, 1, 2), at(60, 2, 2), at(0, 3, 2)]);
		const starts = startsSince(begun);
		expect(starts.filter((start) => start < 1_000)).toEqual([0, 0, 0]);
		expect(starts.filter((start) => start >= 1_000)).toEqual([1_000, 2_000, 3_000]);
	});
});

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

test.each([1, 30, 120])(
	'30 s after a single 429 the account has no limit, with %s messages in the run that got it',
	async (count) => {
		const begun = Date.now();
		gateway.faults([{ status: 429, retryAfter: 3, times: 1 }]);
		const limited = run(sending(gateway, { items: messages(count) }));
		await new Promise((resolve) => setTimeout(resolve, 30_000));
		expect((await limited).error).toBeUndefined();
		const { hints } = await run(sending(gateway, { items: messages(100) }));
		expect(Date.now() - begun).toBeLessThanOrEqual(31_000);
		// The 429 was another run's.
		expect(hints).toEqual([]);
	},
);

test('after a 429, a slow run delays no other run', async () => {
	gateway.faults([{ status: 429, retryAfter: 1, times: 1 }]);
	const slow = run(sending(gateway, { items: messages(4), options: { messagesPerMinute: 10 } }));
	await new Promise((resolve) => setTimeout(resolve, 1_500));
	const begun = Date.now();
	for (let count = 0; count < 10; count++) {
		await run(sending(gateway, { items: messages(1, () => 9) }));
		await run(lookUp(gateway));
	}
	// The slow run would take 54 s for as many.
	expect(Date.now() - begun).toBeLessThanOrEqual(3_000);
	await slow;
});

describe('a limit of the plan, which does not lift', () => {
	const plan = { status: 429, code: 'daily_limit_reached', retryAfter: 1 };

	test('costs few requests, and delays no others', async () => {
		gateway.faults([{ ...plan, endpoint: 'sendMessage' }]);
		const begun = Date.now();
		const bulk = run(sending(gateway, { items: messages(12), settings: CONTINUE }));
		const waits: number[] = [];
		for (let count = 0; count < 20; count++) {
			await new Promise((resolve) => setTimeout(resolve, 1_000));
			const asked = Date.now();
			const { error } = await run(lookUp(gateway));
			expect(error).toBeUndefined();
			waits.push(Date.now() - asked);
		}
		const { items } = await bulk;
		expect(items).toHaveLength(12);
		expect(
			JSON.stringify(items.map(({ json }) => json)).match(/daily_limit_reached/g),
		).toHaveLength(12);
		// Ten at once, then one per second in Max Wait.
		expect(requestsTo('sendMessage').length).toBeLessThanOrEqual(70);
		expect(Math.max(...waits)).toBeLessThanOrEqual(3_000);
		expect(Date.now() - begun).toBeLessThanOrEqual(65_000);
	});

	test('costs a later run one request, until a message is delivered', async () => {
		gateway.faults([{ ...plan, endpoint: 'sendMessage' }]);
		await run(sending(gateway, { items: messages(12), settings: CONTINUE }));
		const before = requestsTo('sendMessage').length;
		const later = await run(sending(gateway, { items: messages(50), settings: CONTINUE }));
		expect(later.items).toHaveLength(50);
		expect(requestsTo('sendMessage')).toHaveLength(before + 1);
		gateway.faults([]);
		const { error } = await run(sending(gateway, { items: messages(50) }));
		expect(error).toBeUndefined();
		expect(textsDelivered(gateway)).toHaveLength(50);
	});

	test('of one chat ends, too', async () => {
		gateway.faults([{ ...plan, chatId: chat(0) }]);
		const { items } = await run(
			sending(gateway, { items: messages(100, (index) => index % 50), settings: CONTINUE }),
		);
		expect(textsDelivered(gateway)).toHaveLength(98);
		expect(items.filter(({ json }) => json.error)).toHaveLength(2);
	});
});

describe('a 429 without Retry-After, with the default options', () => {
	test.each([
		['Stop', {}],
		['Continue', CONTINUE],
	])('60 messages at 30 per minute all arrive, with %s', async (_what, settings) => {
		gateway.faults([{ status: 429, perMinute: 30 }, { latencyMs: 50 }]);
		const begun = Date.now();
		const { error, hints } = await run(sending(gateway, { items: messages(60), settings }));
		expect(error).toBeUndefined();
		expect(textsDelivered(gateway)).toHaveLength(60);
		// Ten of them were in flight at the first 429.
		expect(shareRejected()).toBeLessThanOrEqual(0.25);
		// 30 at once, then one every 2 s.
		expect(Date.now() - begun).toBeLessThanOrEqual(1.3 * 60_000);
		const [, longer] = /took about (\d+\.\d) s longer/.exec(hints[0]?.message ?? '') ?? [];
		expect(Number(longer)).toBeGreaterThanOrEqual(55);
		expect(Number(longer)).toBeLessThanOrEqual(1.3 * 60);
	});

	test('300 messages at 20 per second all arrive', async () => {
		gateway.faults([{ status: 429, perMinute: 1_200, burst: 20 }, { latencyMs: 50 }]);
		const { error } = await run(sending(gateway, { items: messages(300) }));
		expect(error).toBeUndefined();
		expect(textsDelivered(gateway)).toHaveLength(300);
		expect(shareRejected()).toBeLessThanOrEqual(0.15);
	});
});
