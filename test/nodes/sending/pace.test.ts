import { Pace, type PaceSettings } from '../../../nodes/MessagingGateway/sending/pace';
import { type Outcome, run } from '../../engine';
import { useNewGateways } from '../../sandboxAccount';
import { messages, receivedAt, type Sending, sending, textsDelivered, timed } from './messages';

const gateway = useNewGateways();

afterEach(() => jest.restoreAllMocks());

describe('messages per minute', () => {
	const atPace = async (rest: Sending) =>
		await since(run(sending(gateway, { items: messages(11), ...rest })));

	test('are evenly spaced over all chats', async () => {
		const { starts } = await atPace({ options: { messagesPerMinute: 1_200 } });
		expectPlaces(starts, (index) => index * 50);
		expect(starts).toHaveLength(11);
	});

	test('hold for one chat, too', async () => {
		const items = messages(6, () => 1);
		const { starts } = await atPace({ items, options: { messagesPerMinute: 1_200 } });
		expectPlaces(starts, (index) => index * 50);
		expect(textsDelivered(gateway)).toHaveLength(6);
	});

	test('hold for every try, not for every message', async () => {
		gateway.faults([{ status: 503, retryAfter: 0, times: 4 }]);
		const options = { messagesPerMinute: 1_200, maxTries: 5 };
		const { starts } = await atPace({ items: messages(1), options });
		expectPlaces(starts, (index) => index * 50);
		expect(starts).toHaveLength(5);
	});

	test('0 is as fast as allowed', async () => {
		const { ms } = await atPace({ items: messages(50), options: { messagesPerMinute: 0 } });
		expect(ms).toBeLessThan(2_000);
	});

	test('with jitter, a start may be late by a share, and the next one is not late for it', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0.99);
		const options = { messagesPerMinute: 1_200, jitter: 50 };
		const { starts } = await atPace({ options });
		expectPlaces(starts, (index) => index * 50 + 24);
	});
});

describe('Batching under Request Options', () => {
	const batches = async (batchSize: number, batchInterval: number, options = {}) =>
		await since(
			run(
				sending(gateway, {
					items: messages(9),
					options,
					fields: { requestOptions: { batching: { batch: { batchSize, batchInterval } } } },
				}),
			),
		);

	test('breaks after each batch, and only there', async () => {
		const { starts } = await batches(3, 350);
		expectPlaces(starts, (index) => 350 * Math.floor(index / 3));
	});

	test('without a size, every message is a batch', async () => {
		const { starts } = await batches(-1, 100);
		expectPlaces(starts, (index) => 100 * index);
	});

	test('without an interval, there is no break', async () => {
		const { ms } = await batches(2, 0);
		expect(ms).toBeLessThan(2_000);
	});

	test('goes together with messages per minute: the slower one counts', async () => {
		const { starts } = await batches(4, 400, { messagesPerMinute: 1_200 });
		const places = [0, 50, 100, 150, 550, 600, 650, 700, 1_100];
		expectPlaces(starts, (index) => places[index]!);
	});
});

/** When each request came in, from the beginning of the run. */
async function since(work: Promise<Outcome>) {
	const begun = Date.now();
	const { ms } = await timed(work);
	return { ms, starts: gateway.requests().map((request) => receivedAt(request) - begun) };
}

/** Nobody comes before the place, nor much after it. */
function expectPlaces(starts: number[], placeOf: (index: number) => number) {
	expect(starts.length).toBeGreaterThan(1);
	starts.forEach((start, index) => {
		expect(start).toBeGreaterThanOrEqual(placeOf(index) - 2);
		expect(start).toBeLessThan(placeOf(index) + 2_000);
	});
}

describe('the pace', () => {
	const settings = (changes: Partial<PaceSettings> = {}): PaceSettings => ({
		intervalMs: 100,
		jitter: 0,
		batch: { size: 1, breakMs: 0 },
		...changes,
	});
	const places = (pace: Pace, nows: number[]) => nows.map((now) => pace.next(now));

	test('gives the first one its turn at once', () => {
		expect(new Pace(settings()).next(5_000)).toBe(5_000);
	});

	test('gives those who come together places at even distances', () => {
		expect(places(new Pace(settings()), [1_000, 1_000, 1_000, 1_000])).toEqual([
			1_000, 1_100, 1_200, 1_300,
		]);
	});

	test('brings no burst after somebody was slow', () => {
		expect(places(new Pace(settings()), [1_000, 5_000, 5_000, 5_000])).toEqual([
			1_000, 5_000, 5_100, 5_200,
		]);
	});

	test('lets a start that is late by itself not delay the others', () => {
		expect(places(new Pace(settings()), [1_000, 1_010, 1_150, 1_250])).toEqual([
			1_000, 1_100, 1_200, 1_300,
		]);
	});

	test.each([
		[0, [1_000, 1_100, 1_200]],
		[0.5, [1_000 + 10, 1_100 + 10, 1_200 + 10]],
		[0.999, [1_000 + 19.98, 1_100 + 19.98, 1_200 + 19.98]],
	])('with a jitter of a fifth, luck of %d moves nobody by more', (luck, expected) => {
		jest.spyOn(Math, 'random').mockReturnValue(luck);
		const pace = new Pace(settings({ jitter: 0.2 }));
		places(pace, [1_000, 1_000, 1_000]).forEach((place, index) =>
			expect(place).toBeCloseTo(expected[index]!),
		);
	});

	test('takes a break after each batch', () => {
		const pace = new Pace(settings({ intervalMs: 0, batch: { size: 2, breakMs: 500 } }));
		expect(places(pace, [0, 0, 0, 0, 0])).toEqual([0, 0, 500, 500, 1_000]);
	});

	test('takes the longer one of break and interval', () => {
		const longBreak = new Pace(settings({ batch: { size: 2, breakMs: 500 } }));
		expect(places(longBreak, [0, 0, 0, 0, 0])).toEqual([0, 100, 600, 700, 1_200]);
		const shortBreak = new Pace(settings({ batch: { size: 2, breakMs: 50 } }));
		expect(places(shortBreak, [0, 0, 0, 0])).toEqual([0, 100, 200, 300]);
	});
});
