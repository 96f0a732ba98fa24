import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import { messages, receivedAt, type Sending, sending } from '../../harness/messages';

describe('in a run', () => {
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

	describe('messages per minute', () => {
		test.each([
			['all chats', messages(6)],
			['one chat', messages(6, () => 1)],
		])('are evenly spaced over %s', async (_what, items) => {
			const starts = await startsOf({ items, options: { messagesPerMinute: 1_200 } });
			expect(starts).toEqual(multiplesOf(50, 6));
		});

		test('apply to every attempt, not to every message', async () => {
			gateway.faults([{ status: 503, retryAfter: 0, times: 4 }]);
			const options = { messagesPerMinute: 1_200, maxTries: 5 };
			const starts = await startsOf({ options });
			expect(starts).toEqual(multiplesOf(50, 5));
		});

		test('are unlimited if they are 0', async () => {
			const starts = await startsOf({ items: messages(50), options: { messagesPerMinute: 0 } });
			expect(starts).toEqual(multiplesOf(0, 50));
		});

		test('with jitter delay a start, but not the starts after it', async () => {
			jest.spyOn(Math, 'random').mockReturnValueOnce(0.8).mockReturnValue(0.4);
			const options = { messagesPerMinute: 1_200, jitter: 50 };
			const starts = await startsOf({ items: messages(11), options });
			expect(starts).toEqual([20, ...multiplesOf(50, 11, 10).slice(1)]);
		});
	});

	describe('delay between messages', () => {
		const delay = (min: number, max: number) => ({ delay: { values: { min, max } } });
		test.each([
			[0, 5_000],
			[0.5, 17_500],
			[1, 30_000],
		])('is between From and To over all chats: with a random %d, %i ms', async (random, gap) => {
			jest.spyOn(Math, 'random').mockReturnValue(random);
			const starts = await startsOf({ items: messages(5), options: delay(5, 30) });
			expect(starts).toEqual(multiplesOf(gap, 5));
		});

		test.each([
			[delay(5, 30), 2, ['about 3.4 messages per minute']],
			[delay(2, 2), 2, ['about 30 messages per minute']],
			[delay(0.2, 0.3), 2, ['about 240 messages per minute']],
			[delay(0, 0), 2, []],
			[delay(5, 30), 1, []],
			[{ messagesPerMinute: 60 }, 2, []],
		])('says how many that is on average: %j, %i messages', async (options, count, expected) => {
			const { hints } = await run(sending(gateway, { items: messages(count), options }));
			expect(hints).toEqual(
				expected.map((text) => ({
					message: `'Delay Between Messages' is ${text} on average.`,
					location: 'outputPane',
					type: 'info',
				})),
			);
		});

		test.each([
			[2, 2_000],
			[0, 0],
		])('of %d s in each case is %d ms', async (seconds, gap) => {
			const starts = await startsOf({ items: messages(4), options: delay(seconds, seconds) });
			expect(starts).toEqual(multiplesOf(gap, 4));
		});

		test.each([
			[delay(30, 5), "'To (Seconds)' of 'Delay Between Messages' is less than 'From (Seconds)'"],
			[delay(-1, 5), "'From (Seconds)' is not a number from 0 to 3600"],
			[
				{ ...delay(5, 30), messagesPerMinute: 20 },
				"'Delay Between Messages' and 'Messages per Minute' are both set",
			],
			[{ ...delay(5, 30), jitter: 'some' }, "'Jitter (%)' is not a number from 0 to 100"],
		])('is rejected if it cannot be kept: %j', async (options, message) => {
			const { error } = await run(sending(gateway, { items: messages(2), options }));
			expect(error?.message).toContain(message);
			expect(gateway.requests()).toEqual([]);
		});
	});

	describe('Batching under Request Options', () => {
		test.each([
			['after each batch, and only there', 3, 350, {}, [0, 0, 0, 350, 350, 350, 700, 700, 700]],
			['after each message without a size', -1, 100, {}, multiplesOf(100, 9)],
			['never without an interval', 2, 0, {}, multiplesOf(0, 9)],
			[
				'for messages per minute, too: the slower one counts',
				4,
				400,
				{ messagesPerMinute: 1_200 },
				[0, 50, 100, 150, 550, 600, 650, 700, 1_100],
			],
		])('waits %s', async (_when, batchSize, batchInterval, options, expected) => {
			const batching = { batch: { batchSize, batchInterval } };
			const fields = { requestOptions: { batching } };
			expect(await startsOf({ items: messages(9), options, fields })).toEqual(expected);
		});
	});
});
