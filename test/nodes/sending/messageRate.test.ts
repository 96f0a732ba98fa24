import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import { messages, receivedAt, type Sending, sending } from '../../harness/messages';

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

test('messages per minute apply to every attempt, also to one chat', async () => {
	gateway.faults([{ status: 503, retryAfter: 0, times: 2 }]);
	const items = messages(4, () => 1);
	const starts = await startsOf({ items, options: { messagesPerMinute: 1_200 } });
	expect(starts).toEqual(multiplesOf(50, 6));
});

test('jitter delays a start, but not the starts after it', async () => {
	jest.spyOn(Math, 'random').mockReturnValueOnce(0.8).mockReturnValue(0.4);
	const options = { messagesPerMinute: 1_200, jitter: 50 };
	const starts = await startsOf({ items: messages(11), options });
	expect(starts).toEqual([20, ...multiplesOf(50, 11, 10).slice(1)]);
});

describe('delay between messages', () => {
	const delay = (min: number, max: number) => ({ delay: { values: { min, max } } });
	test.each([
		[5, 30, 0, 5_000],
		[5, 30, 0.5, 17_500],
		[2, 2, 1, 2_000],
		[0, 0, 1, 0],
	])('from %d to %d s is, with a random %d, %i ms', async (from, to, random, gap) => {
		jest.spyOn(Math, 'random').mockReturnValue(random);
		const starts = await startsOf({ items: messages(4), options: delay(from, to) });
		expect(starts).toEqual(multiplesOf(gap, 4));
	});

	test.each([
		[delay(5, 30), 2, ['about 3.4 messages per minute']],
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
		[delay(30, 5), "'To (Seconds)' of 'Delay Between Messages' is less than 'From (Seconds)'"],
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
