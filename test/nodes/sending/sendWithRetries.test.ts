import { AccountState } from '../../../gateway/account';
import {
	connectionFailure,
	rejection,
	type RequestFailure,
	type Result,
} from '../../../gateway/failure';
import { readResponse } from '../../../gateway/replies/response';
import type { Turns } from '../../../gateway/turns';
import { type RetryOptions, sendWithRetries } from '../../../nodes/MessagingGateway/sending/retry';
import { RunPace } from '../../../nodes/MessagingGateway/sending/runPace';
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
beforeEach(() => (clock = new VirtualClock()));

interface Sending {
	/** The time of each attempt, from the start. */
	startedAt: number[];
	end: Result<string> | undefined | 'not yet';
}

/** Each attempt gets the next of these responses, and the last one forever. */
function begin(responses: Attempt[], options: Partial<RetryOptions> = {}): Sending {
	const sending: Sending = { startedAt: [], end: 'not yet' };
	const { startedAt } = sending;
	const origin = clock.now();
	const never = new AbortController().signal;
	const send = async () => {
		startedAt.push(clock.now() - origin);
		return responses[Math.min(startedAt.length, responses.length) - 1]!;
	};
	void sendWithRetries(send, {
		clock,
		turns: new AccountState().turns,
		maxAttempts: 3,
		maxWaitMs: 60_000,
		hasKey: false,
		signal: never,
		stop: never,
		...options,
	}).then((end) => (sending.end = end));
	return sending;
}

async function play(responses: Attempt[], options?: Partial<RetryOptions>): Promise<Sending> {
	const sending = begin(responses, options);
	await clock.advance(120_000);
	return sending;
}

test('does not retry a successful attempt', async () => {
	expect(await play([done])).toEqual({ startedAt: [0], end: { value: 'done' } });
});

test('retries a safe failure until it succeeds', async () => {
	const { startedAt, end } = await play([closedFor(100), closedFor(300), done]);
	expect(startedAt).toEqual([0, 100, 400]);
	expect(end).toEqual({ value: 'done' });
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
	expect((await play([uncertain, done], { hasKey: true })).end).toEqual({ value: 'done' });
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
	const { startedAt } = await play([failed], { maxAttempts: 4, maxWaitMs: 400 });
	expect(startedAt).toEqual([0, 400, 800, 1_200]);
});

test('retries at once if Retry-After is 0', async () => {
	expect((await play([closedFor(0), done])).startedAt).toEqual([0, 0]);
});

test.each([
	['a rate limit', 429, 1_999],
	['another failure', 503, 0],
])('%s delays the others that use the same rate limiter', async (_what, status, delay) => {
	const { turns } = new AccountState();
	const first = begin([rejected(status, 2_000), done], { turns });
	await clock.advance(1);
	const other = begin([done], { turns });
	await clock.advance(120_000);
	expect(other.startedAt).toEqual([delay]);
	expect(first.end).toEqual({ value: 'done' });
});

test('every attempt counts towards the message rate', async () => {
	const { turns } = new AccountState();
	const pace = new RunPace({ intervalMs: 1_000, jitter: 0 }, clock, turns);
	const { startedAt } = await play([closedFor(0), closedFor(0), done], { turns, pace });
	expect(startedAt).toEqual([0, 1_000, 2_000]);
});

test('does not start after a stop', async () => {
	expect(await play([done], { stop: AbortSignal.abort() })).toEqual({
		startedAt: [],
		end: undefined,
	});
});

test('still retries a message that was attempted before the stop', async () => {
	const stop = new AbortController();
	const sending = begin([closedFor(1_000), done], { stop: stop.signal });
	await clock.advance(500);
	stop.abort();
	await clock.advance(1_000);
	expect(sending).toEqual({ startedAt: [0, 1_000], end: { value: 'done' } });
});

test('makes no more attempts once it is aborted, and returns the last failure', async () => {
	const abort = new AbortController();
	const sending = begin([uncertain, done], { hasKey: true, signal: abort.signal });
	await clock.advance(499);
	abort.abort();
	await clock.advance(10_000);
	expect(sending).toEqual({
		startedAt: [0],
		end: { ...uncertain, attempts: 1, isUncertain: true },
	});
});

describe('while the rate limiter holds requests back', () => {
	let turns: Turns;
	beforeEach(() => {
		({ turns } = new AccountState());
		const ticket = turns.limiter.start(0, true, 0);
		turns.finish(ticket, 0, {
			kind: 'limited',
			waitMs: 5_000,
			isAnnounced: true,
		});
	});

	test('starts after the pause', async () => {
		expect((await play([done], { turns })).startedAt).toEqual([5_000]);
	});

	test('stops waiting when it is aborted', async () => {
		const abort = new AbortController();
		const sending = begin([done], { turns, signal: abort.signal, stop: abort.signal });
		await clock.advance(1_000);
		abort.abort();
		await clock.advance(0);
		expect(sending).toEqual({ startedAt: [], end: undefined });
	});

	test('stops waiting at the deadline', async () => {
		const sending = begin([done], { turns, deadline: 2_000 });
		await clock.advance(1_999);
		expect(sending.end).toBe('not yet');
		await clock.advance(1);
		expect(sending).toEqual({ startedAt: [], end: undefined });
	});
});

test('ends without another wait when its run gives up', async () => {
	const { turns } = new AccountState();
	const pace = new RunPace({ intervalMs: 0, jitter: 0 }, clock, turns);
	const sending = begin([rejected(429, 60_000)], { turns, pace, maxWaitMs: 10_000 });
	await clock.advance(10_000);
	expect(sending.startedAt).toEqual([0, 10_000]);
	expect(sending.end).toMatchObject({ attempts: 2 });
});
