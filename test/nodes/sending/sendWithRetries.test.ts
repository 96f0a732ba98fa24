import {
	connectionFailure,
	rejection,
	type RequestFailure,
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

function rejected(status: number, waitMs?: number): { failure: RequestFailure } {
	const headers = waitMs === undefined ? {} : { 'Retry-After': String(waitMs / 1000) };
	const bytes = Buffer.from('{}');
	return { failure: rejection(readResponse({ status, headers, bytes }, (value) => value)) };
}

/** Nothing was sent. */
const safe = (): Attempt => ({ failure: connectionFailure('ECONNREFUSED') });
const closedFor = (waitMs: number) => rejected(503, waitMs);
const permanent = rejected(422);
const uncertain: Attempt = { failure: connectionFailure('ECONNRESET') };

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
}

function begin(
	responses: Attempt[],
	{ queue = newQueue(), hasKey = false, parts = 1, ...options }: Options = {},
): Sending {
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
		queue,
		maxAttempts: 3,
		cancelled: never,
		noNewMessagesSignal: never,
		...options,
	}).then((end) => (sending.end = end));
	return sending;
}

async function play(responses: Attempt[], options?: Options): Promise<Sending> {
	const sending = begin(responses, options);
	await clock.advance(120_000);
	return sending;
}

test('does not retry a successful attempt', async () => {
	expect(await play([done])).toEqual({ startedAt: [0], end: { value: ['done'] } });
});

test('retries a safe failure until it succeeds', async () => {
	const { startedAt, end } = await play([closedFor(100), closedFor(300), done]);
	expect(startedAt).toEqual([0, 100, 400]);
	expect(end).toEqual({ value: ['done'] });
});

test('fails after the last attempt, with its reason', async () => {
	const last = closedFor(100);
	const { startedAt, end } = await play([safe(), safe(), last]);
	expect(startedAt).toHaveLength(3);
	expect(end).toEqual({ ...last, attempts: 3, isUncertain: false });
});

test('does not retry a permanent failure, with or without a key', async () => {
	for (const hasKey of [false, true]) {
		expect(await play([permanent, done], { hasKey })).toEqual({
			startedAt: [0],
			end: { ...permanent, attempts: 1, isUncertain: false },
		});
	}
});

test('retries an uncertain failure only with a key', async () => {
	expect(await play([uncertain, done])).toEqual({
		startedAt: [0],
		end: { ...uncertain, attempts: 1, isUncertain: true },
	});
	expect((await play([uncertain, done], { hasKey: true })).end).toEqual({ value: ['done'] });
});

test('stays uncertain, whatever follows', async () => {
	expect((await play([uncertain, permanent], { hasKey: true })).end).toEqual({
		...permanent,
		attempts: 2,
		isUncertain: true,
	});
});

test.each([
	// Half to all of 500 ms, doubled with each attempt, for the lowest and nearly the highest random value.
	[0, [0, 500, 1_500, 3_500, 7_500]],
	[0.999_999, [0, 250, 750, 1_750, 3_750]],
])('without Retry-After the delay grows (random value %d)', async (luck, expected) => {
	clock.luck = luck;
	const { startedAt } = await play([safe()], { maxAttempts: 5 });
	startedAt.forEach((at, index) => expect(Math.abs(at - expected[index]!)).toBeLessThan(1));
	expect(startedAt).toHaveLength(5);
});

test.each([
	['a long Retry-After', closedFor(3_600_000)],
	['a growing delay', safe()],
])('%s is limited by Max Wait', async (_what, failed) => {
	const { startedAt } = await play([failed], { maxAttempts: 4, queue: newQueue(400) });
	expect(startedAt).toEqual([0, 400, 800, 1_200]);
});

test('retries at once if Retry-After is 0', async () => {
	expect((await play([closedFor(0), done])).startedAt).toEqual([0, 0]);
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

test('a 429 waits once, for as long as the gateway asks', async () => {
	const { startedAt } = await play([rejected(429, 2_000), rejected(429, 3_000), done]);
	expect(startedAt).toEqual([0, 2_000, 5_000]);
});

test('every attempt counts towards the message rate', async () => {
	const queue = newQueue(60_000, 1_000);
	const { startedAt } = await play([closedFor(0), closedFor(0), done], { queue });
	expect(startedAt).toEqual([0, 1_000, 2_000]);
});

test('does not start after a stop', async () => {
	expect(await play([done], { noNewMessagesSignal: AbortSignal.abort() })).toEqual({
		startedAt: [],
		end: undefined,
	});
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
