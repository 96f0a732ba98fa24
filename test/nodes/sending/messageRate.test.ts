import { MessageRate } from '../../../nodes/MessagingGateway/sending/messageRate';
import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import { messages, receivedAt, type Sending, sending, textsDelivered } from './messages';

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
		const atPace = async (rest: Sending) => await startsOf({ items: messages(11), ...rest });

		test('are evenly spaced over all chats', async () => {
			const starts = await atPace({ options: { messagesPerMinute: 1_200 } });
			expect(starts).toEqual(multiplesOf(50, 11));
		});

		test('apply to one chat, too', async () => {
			const items = messages(6, () => 1);
			const starts = await atPace({ items, options: { messagesPerMinute: 1_200 } });
			expect(starts).toEqual(multiplesOf(50, 6));
			expect(textsDelivered(gateway)).toHaveLength(6);
		});

		test('apply to every attempt, not to every message', async () => {
			gateway.faults([{ status: 503, retryAfter: 0, times: 4 }]);
			const options = { messagesPerMinute: 1_200, maxTries: 5 };
			const starts = await atPace({ items: messages(1), options });
			expect(starts).toEqual(multiplesOf(50, 5));
		});

		test('are unlimited if they are 0', async () => {
			const starts = await atPace({ items: messages(50), options: { messagesPerMinute: 0 } });
			expect(starts).toEqual(multiplesOf(0, 50));
		});

		test('with jitter delay a start, but not the starts after it', async () => {
			jest.spyOn(Math, 'random').mockReturnValueOnce(0.8).mockReturnValue(0.4);
			const starts = await atPace({ options: { messagesPerMinute: 1_200, jitter: 50 } });
			expect(starts).toEqual([20, ...multiplesOf(50, 11, 10).slice(1)]);
		});
	});

	describe('Batching under Request Options', () => {
		const batches = async (batchSize: number, batchInterval: number, options = {}) =>
			await startsOf({
				items: messages(9),
				options,
				fields: { requestOptions: { batching: { batch: { batchSize, batchInterval } } } },
			});

		test('waits after each batch, and only there', async () => {
			const starts = await batches(3, 350);
			expect(starts).toEqual([0, 0, 0, 350, 350, 350, 700, 700, 700]);
		});

		test('without a size, every message is a batch', async () => {
			expect(await batches(-1, 100)).toEqual(multiplesOf(100, 9));
		});

		test('without an interval, does not wait', async () => {
			expect(await batches(2, 0)).toEqual(multiplesOf(0, 9));
		});

		test('combines with messages per minute: the slower one counts', async () => {
			const starts = await batches(4, 400, { messagesPerMinute: 1_200 });
			expect(starts).toEqual([0, 50, 100, 150, 550, 600, 650, 700, 1_100]);
		});
	});
});

describe('the message rate', () => {
	type Options = ConstructorParameters<typeof MessageRate>[0];
	const messageRate = (changes: Partial<Options> = {}) =>
		new MessageRate({
			intervalMs: 100,
			jitter: 0,
			batch: { size: 1, breakMs: 0 },
			random: () => 0,
			...changes,
		});
	const places = (rate: MessageRate, nows: number[]) => nows.map((now) => rate.next(now));

	test('starts the first message at once', () => {
		expect(messageRate().next(5_000)).toBe(5_000);
	});

	test('spaces messages evenly that are ready together', () => {
		expect(places(messageRate(), [1_000, 1_000, 1_000, 1_000])).toEqual([
			1_000, 1_100, 1_200, 1_300,
		]);
	});

	test('allows no burst after a slow message', () => {
		expect(places(messageRate(), [1_000, 5_000, 5_000, 5_000])).toEqual([
			1_000, 5_000, 5_100, 5_200,
		]);
	});

	test('does not delay the others after a late start', () => {
		expect(places(messageRate(), [1_000, 1_010, 1_150, 1_250])).toEqual([
			1_000, 1_100, 1_200, 1_300,
		]);
	});

	test.each([
		[0, [1_000, 1_100, 1_200]],
		[0.5, [1_000 + 10, 1_100 + 10, 1_200 + 10]],
		[0.999, [1_000 + 19.98, 1_100 + 19.98, 1_200 + 19.98]],
	])('with a jitter of a fifth, %d delays no start by more', (luck, expected) => {
		const rate = messageRate({ jitter: 0.2, random: () => luck });
		places(rate, [1_000, 1_000, 1_000]).forEach((place, index) =>
			expect(place).toBeCloseTo(expected[index]!),
		);
	});

	test('waits after each batch', () => {
		const rate = messageRate({ intervalMs: 0, batch: { size: 2, breakMs: 500 } });
		expect(places(rate, [0, 0, 0, 0, 0])).toEqual([0, 0, 500, 500, 1_000]);
	});

	test('uses the longer of batch break and interval', () => {
		const longBreak = messageRate({ batch: { size: 2, breakMs: 500 } });
		expect(places(longBreak, [0, 0, 0, 0, 0])).toEqual([0, 100, 600, 700, 1_200]);
		const shortBreak = messageRate({ batch: { size: 2, breakMs: 50 } });
		expect(places(shortBreak, [0, 0, 0, 0])).toEqual([0, 100, 200, 300]);
	});
});
