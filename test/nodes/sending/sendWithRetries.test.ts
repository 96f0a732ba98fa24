import {
	connectionFailure,
	type Failed,
	rejection,
	type Result,
} from '../../../gateway/replies/failure';
import { readResponse } from '../../../gateway/wire/response';
import type { Message } from '../../../nodes/MessagingGateway/sending/retry';
import {
	type AttemptContext,
	sendWithRetries,
} from '../../../nodes/MessagingGateway/sending/retry';
import { Scheduler } from '../../../nodes/MessagingGateway/sending/scheduler';
import { VirtualClock } from '../../harness/virtualClock';

type Attempt = Result<string>;

const done: Attempt = { value: 'done' };

function rejected(status: number, waitMs?: number): Failed {
	const headers = waitMs === undefined ? {} : { 'Retry-After': String(waitMs / 1000) };
	const bytes = Buffer.from('{}');
	return { failure: rejection(readResponse({ status, headers, bytes }, (value) => value)) };
}

/** Nothing was sent. */
const REFUSED: Failed = { failure: connectionFailure('ECONNREFUSED') };
const closedFor = (waitMs: number) => rejected(503, waitMs);
const limitedFor = (seconds: number) => rejected(429, seconds * 1_000);
const permanent = rejected(422);
const uncertain: Failed = { failure: connectionFailure('ECONNRESET') };
const KEY = { hasKey: true };
const ABORTED = AbortSignal.abort();

let clock: VirtualClock;
let scheduler: Scheduler;
beforeEach(() => {
	clock = new VirtualClock();
	scheduler = new Scheduler(clock);
});

const newQueue = (maxWaitMs = 60_000, intervalMs = 0) =>
	scheduler.join({ intervalMs, jitter: 0, maxWaitMs });

interface Sending {
	/** The time of each attempt, from the start. */
	startedAt: number[];
	end: Result<string[]> | undefined | 'not yet';
}

/** Each attempt gets the next of these responses, and the last one forever. */
interface Options extends Partial<AttemptContext<Message, string>> {
	hasKey?: boolean;
	parts?: number;
	maxWaitMs?: number;
	intervalMs?: number;
}

function begin(
	responses: Attempt[],
	{ hasKey = false, parts = 1, maxWaitMs, intervalMs, ...options }: Options = {},
): Sending {
	const { queue = newQueue(maxWaitMs, intervalMs) } = options;
	const sending: Sending = { startedAt: [], end: 'not yet' };
	const { startedAt } = sending;
	const origin = clock.now();
	const never = new AbortController().signal;
	const attempt = async () => {
		startedAt.push(clock.now() - origin);
		return responses[Math.min(startedAt.length, responses.length) - 1]!;
	};
	const message: Message = {
		index: 0,
		account: { key: '', scheduler },
		chat: '',
		hasKey,
		parts: Array(parts).fill(undefined),
	};
	const sender = {
		failureIfNotReady: async () => undefined,
		loadBeforeTurn: async () => undefined,
		attempt,
	};
	void sendWithRetries(message, {
		sender,
		maxAttempts: 3,
		cancelled: never,
		noNewMessagesSignal: never,
		...options,
		queue,
	}).then((end) => (sending.end = end));
	return sending;
}

async function play(responses: Attempt[], options?: Options): Promise<Sending> {
	const sending = begin(responses, options);
	await clock.advance(120_000);
	return sending;
}

const sent = { value: ['done'] };
const failed = (of: Failed, attempts: number, isUncertain = false) => ({
	...of,
	attempts,
	isUncertain,
});

test.each<[string, Attempt[], Options, number[], Sending['end']]>([
	['a success is not retried', [done], {}, [0], sent],
	['a safe failure is', [closedFor(100), closedFor(300), done], {}, [0, 100, 400], sent],
	['at most Max Tries', [closedFor(100)], {}, [0, 100, 200], failed(closedFor(100), 3)],
	['a permanent failure is not retried', [permanent, done], {}, [0], failed(permanent, 1)],
	['not even with a key', [permanent, done], KEY, [0], failed(permanent, 1)],
	['an uncertain failure is not retried', [uncertain, done], {}, [0], failed(uncertain, 1, true)],
	['but with a key', [uncertain, done], KEY, [0, 500], sent],
	['and stays uncertain', [uncertain, permanent], KEY, [0, 500], failed(permanent, 2, true)],
	['with Retry-After 0, at once', [closedFor(0), done], {}, [0, 0], sent],
	[
		'after Max Wait at the latest',
		[closedFor(3_600_000), done],
		{ maxWaitMs: 400 },
		[0, 400],
		sent,
	],
	['also without Retry-After', [REFUSED, done], { maxWaitMs: 400 }, [0, 400], sent],
	['after each Retry-After of 429s', [limitedFor(2), limitedFor(3), done], {}, [0, 2e3, 5e3], sent],
	['at the message rate', [closedFor(0), done], { intervalMs: 1_000 }, [0, 1_000], sent],
	['nothing starts after a stop', [done], { noNewMessagesSignal: ABORTED }, [], undefined],
])('%s', async (_what, responses, options, startedAt, end) => {
	expect(await play(responses, options)).toEqual({ startedAt, end });
});

test.each([
	// Half to all of 500 ms, doubled with each attempt, for the lowest and nearly the highest random value.
	[0, [0, 500, 1_500, 3_500, 7_500]],
	[0.999_999, [0, 250, 750, 1_750, 3_750]],
])('without Retry-After the delay grows (random value %d)', async (luck, expected) => {
	clock.luck = luck;
	const { startedAt } = await play([REFUSED], { maxAttempts: 5 });
	startedAt.forEach((at, index) => expect(Math.abs(at - expected[index]!)).toBeLessThan(1));
	expect(startedAt).toHaveLength(5);
});

test.each([
	// The limit may be that of a chat, so another message tries after a second.
	['a rate limit', 429, 999],
	['another failure', 503, 0],
])('%s delays the others that use the same scheduler', async (_what, status, delay) => {
	const first = begin([rejected(status, 2_000), done]);
	await clock.advance(1);
	const other = begin([done]);
	await clock.advance(120_000);
	expect(other.startedAt).toEqual([delay]);
	expect(first.end).toEqual({ value: ['done'] });
});

test('still retries a message that was attempted before the stop', async () => {
	const stop = new AbortController();
	const sending = begin([closedFor(1_000), done], { noNewMessagesSignal: stop.signal });
	await clock.advance(500);
	stop.abort();
	await clock.advance(1_000);
	expect(sending).toEqual({ startedAt: [0, 1_000], end: { value: ['done'] } });
});

test('makes no more attempts once it is aborted, and returns the last failure', async () => {
	const abort = new AbortController();
	const sending = begin([uncertain, done], { hasKey: true, cancelled: abort.signal });
	await clock.advance(499);
	abort.abort();
	await clock.advance(10_000);
	expect(sending).toEqual({
		startedAt: [0],
		end: { ...uncertain, attempts: 1, isUncertain: true },
	});
});

describe('while the limit of the account lasts', () => {
	beforeEach(async () => {
		begin([rejected(429, 5_000)], { maxAttempts: 1 });
		await clock.advance(1);
		begin([rejected(429, 4_000)], { maxAttempts: 1 });
		await clock.advance(999);
	});

	test('starts after the pause', async () => {
		expect((await play([done])).startedAt).toEqual([4_000]);
	});

	test('stops waiting when it is aborted', async () => {
		const abort = new AbortController();
		const sending = begin([done], { cancelled: abort.signal, noNewMessagesSignal: abort.signal });
		await clock.advance(1_000);
		abort.abort();
		await clock.advance(0);
		expect(sending).toEqual({ startedAt: [], end: undefined });
	});

	test('other requests stop waiting at the deadline', async () => {
		let end: unknown = 'not yet';
		const never = new AbortController().signal;
		void scheduler.sendNonMessage(async () => done, never, 3_000).then((result) => (end = result));
		await clock.advance(1_999);
		expect(end).toBe('not yet');
		await clock.advance(1);
		expect(end).toMatchObject({ failure: { kind: 'notSent', cause: 'paused' } });
	});
});

test('ends without another wait when its queue gives up', async () => {
	const sending = begin([rejected(429, 60_000)], { queue: newQueue(10_000) });
	await clock.advance(10_000);
	expect(sending.startedAt).toEqual([0, 10_000]);
	expect(sending.end).toMatchObject({ attempts: 2 });
});

test('ends the wait before a retry when its queue gives up', async () => {
	const queue = newQueue(60_000);
	const closed = begin([closedFor(50_000)], { queue });
	await clock.advance(1_000);
	queue.giveUp(rejected(429).failure);
	await clock.advance(0);
	expect(closed).toMatchObject({ startedAt: [0], end: { attempts: 1 } });
});

test('was attempted if a part of it was sent, even if its queue gives up before the next part', async () => {
	const queue = newQueue(60_000, 10_000);
	const partlySent = begin([done], { queue, parts: 2 });
	const waiting = begin([done], { queue, parts: 2 });
	await clock.advance(1_000);
	queue.giveUp(rejected(429).failure);
	await clock.advance(0);
	expect(partlySent).toMatchObject({
		startedAt: [0],
		end: { attempts: 1, parts: { sent: 1, of: 2 } },
	});
	expect(waiting).toMatchObject({ startedAt: [], end: { attempts: 0, parts: { sent: 0, of: 2 } } });
});

test('of a limited chat, fails after Max Wait while others are delivered', async () => {
	const limited = begin([rejected(429, 3_600_000)]);
	for (let count = 0; count < 59; count++) {
		await clock.advance(1_000);
		const other = begin([done]);
		await clock.advance(1);
		expect(other.end).toEqual({ value: ['done'] });
	}
	await clock.advance(2_000);
	expect(limited.startedAt).toEqual([0, 60_000]);
	expect(limited.end).toMatchObject({ attempts: 2 });
});
