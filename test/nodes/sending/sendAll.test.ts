import { once } from 'node:events';

import fc from 'fast-check';

import { connectionFailure, type Result } from '../../../gateway/responses/failure';
import type { Clock } from '../../../nodes/MessagingGateway/sending/clock';
import type { FailedItem, Message, Sender } from '../../../nodes/MessagingGateway/sending/retry';
import { Scheduler } from '../../../nodes/MessagingGateway/sending/scheduler';
import { sendAll, type SendAllOptions } from '../../../nodes/MessagingGateway/sending/sendAll';
import { depth } from '../../harness/depth';
import { settled, VirtualClock } from '../../harness/virtualClock';

/** Yields the messages to these chats. */
async function* to(chats: Iterable<string>, clock?: VirtualClock) {
	const message = newMessages(clock);
	let index = 0;
	for (const chat of chats) yield message(index++, chat === ANY ? undefined : chat);
	return undefined;
}

/** A message that only has a chat. */
const newMessages = (clock = new VirtualClock()) => {
	const account = { accountKey: '', scheduler: new Scheduler(clock) };
	const shared = { account, hasKey: false, parts: [undefined] };
	return (index: number, chat: string | undefined): Message => ({ index, chat, ...shared });
};

const NO_BYTES = Buffer.alloc(0);

const senderOf = (attempt: (message: Message) => Promise<Result<number>>) => ({
	failureIfNotReady: async () => undefined,
	loadsEarly: () => false,
	load: async () => ({ value: NO_BYTES }),
	attempt,
});

/** A run whose messages are attempted once. */
const runOf = async (
	messages: AsyncGenerator<Message | FailedItem, undefined>,
	sender: Sender<Message, number>,
	options: Partial<SendAllOptions>,
) =>
	await sendAll(messages, sender, {
		clock: new VirtualClock(),
		cancelled: new AbortController().signal,
		maxAttempts: 1,
		pace: { intervalMs: 0, randomPart: 0, maxWaitMs: 0 },
		concurrency: 1,
		stopOnFailure: false,
		...options,
	});

const INVALID = { failure: { kind: 'invalidInput', error: new Error('invalid') } } as const;
const FAILED = { failure: connectionFailure('CERT_HAS_EXPIRED') };

/** Stands for a chat that may be any. */
const ANY = '?';

/** Sends messages to these chats. Each finishes on command. */
function stage(chats: string[], concurrency: number) {
	const started: number[] = [];
	const finishers = new Map<number, (result: Result<number>) => void>();
	const sender = senderOf(async ({ index }) => {
		started.push(index);
		return await new Promise((resolve) => finishers.set(index, resolve));
	});
	const done = runOf(to(chats), sender, { concurrency });
	const finish = async (index: number) => {
		finishers.get(index)!({ value: index });
		await settled();
	};
	return { started, done, finish };
}

test('sends to as many chats at the same time as it may, and to each chat one by one, in order', async () => {
	const chats = fc.array(fc.constantFrom('a', 'b', 'c', ANY), { maxLength: 12 });
	const limit = fc.integer({ min: 1, max: 4 });
	const choices = fc.infiniteStream(fc.nat());
	const property = fc.asyncProperty(chats, limit, choices, async (all, concurrency, next) => {
		const { started, finish, done } = stage(all, concurrency);
		const mayBeSame = (one: number, other: number) =>
			all[one] === all[other] || [all[one], all[other]].includes(ANY);
		const finished: number[] = [];
		const isReady = (index: number) =>
			!finished.includes(index) &&
			all.every(
				(_, other) => other >= index || !mayBeSame(index, other) || finished.includes(other),
			);
		for (;;) {
			await settled();
			const inFlight = started.filter((index) => !finished.includes(index));
			expect(inFlight.every(isReady)).toBe(true);
			const ready = all.filter((_, index) => isReady(index)).length;
			expect(inFlight).toHaveLength(Math.min(ready, concurrency));
			if (inFlight.length === 0) break;
			const index = inFlight[next.next().value % inFlight.length]!;
			finished.push(index);
			await finish(index);
		}
		expect((await done).results.size).toBe(all.length);
	});
	await fc.assert(property, { seed: 47, numRuns: depth(100, 2_000) });
});

test('with a time to send, no message starts later, each has a result, and one in parts is completed', async () => {
	const LATE = { failure: { kind: 'notSent', cause: 'late' }, attempts: 0 };
	const seconds = fc.integer({ min: 0, max: 30 }).map((count) => count * 1_000);
	const message = fc.record({
		chat: fc.constantFrom('a', 'b', ANY),
		takesMs: seconds,
		parts: fc.integer({ min: 1, max: 3 }),
		fails: fc.boolean(),
	});
	const run = fc.record({
		...{ sendWithinMs: seconds.map((ms) => ms + 500), intervalMs: seconds, onlineAfterMs: seconds },
		concurrency: fc.integer({ min: 1, max: 3 }),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(message, { maxLength: 8 }), run, async (all, settings) => {
			const { intervalMs, onlineAfterMs, ...options } = settings;
			const clock = new VirtualClock();
			const newMessage = newMessages(clock);
			const startedAt = new Map<number, number>();
			let done = false;
			const sent = runOf(
				(async function* () {
					for (const [index, { chat, parts }] of all.entries()) {
						const ofMessage = newMessage(index, chat === ANY ? undefined : chat);
						yield { ...ofMessage, parts: Array<undefined>(parts).fill(undefined) };
					}
					return undefined;
				})(),
				{
					...senderOf(async ({ index }) => {
						if (!startedAt.has(index)) startedAt.set(index, clock.now());
						await clock.sleepUntil(clock.now() + all[index]!.takesMs);
						return all[index]!.fails ? FAILED : { value: index };
					}),
					failureIfNotReady: async () => {
						await clock.sleepUntil(onlineAfterMs);
						return undefined;
					},
				},
				{ ...options, clock, pace: { intervalMs, randomPart: 0, maxWaitMs: 60_000 } },
			).finally(() => (done = true));
			await clock.run(() => done);
			const { results } = await sent;
			for (const [index, { parts, fails }] of all.entries()) {
				const time = startedAt.get(index);
				if (time !== undefined) expect(time).toBeLessThanOrEqual(options.sendWithinMs);
				const values = Array<number>(parts).fill(index);
				const ofStarted = fails ? expect.objectContaining(FAILED) : { value: values };
				const late = parts === 1 ? LATE : { ...LATE, parts: { sent: 0, of: parts } };
				expect(results.get(index)).toEqual(time === undefined ? late : ofStarted);
			}
		}),
		{ seed: 24, numRuns: depth(200, 5_000) },
	);
});

// Invalid messages are read as fast as nothing else.
test('lets other work run while it reads thousands of messages', async () => {
	let time = 0;
	let lastSleep = 0;
	const stretches: number[] = [];
	const clock: Clock = {
		now: () => time,
		date: () => time,
		random: () => 0,
		async sleepUntil(until) {
			stretches.push(time - lastSleep);
			lastSleep = time = Math.max(time, until);
			await settled();
		},
	};
	async function* messages(): AsyncGenerator<FailedItem, undefined> {
		for (let index = 0; index < 5_000; index++) {
			time += 0.4;
			yield { index, ...INVALID };
		}
	}
	void runOf(messages(), neverSends, { clock });
	while (time < 2_000) await settled();
	expect(stretches.length).toBeGreaterThan(30);
	expect(Math.max(...stretches)).toBeLessThanOrEqual(51);
});

test('sends the rest of a run whose account was forgotten and created again meanwhile', async () => {
	const clock = new VirtualClock();
	const [before, after] = [newMessages(clock), newMessages(clock)];
	async function* messages(): AsyncGenerator<Message, undefined> {
		yield before(0, 'a');
		yield after(1, 'b');
	}
	const sender = senderOf(async ({ index }) => ({ value: index }));
	const { results } = await runOf(messages(), sender, { clock });
	expect([...results]).toEqual([
		[0, { value: [0] }],
		[1, { value: [1] }],
	]);
});

/** One more than a run reads ahead. */
const MANY = Array.from({ length: 10_001 }, (_, index) => String(index));
const neverSends = senderOf(async () => await Promise.reject(new Error()));

test('reads on when more messages than it reads ahead fail because of the status of their account', async () => {
	const failureIfNotReady = async () => {
		// Until as many messages wait as the run reads ahead.
		for (let turn = 0; turn < 500; turn++) await settled();
		return FAILED;
	};
	const run = runOf(to(MANY), { ...neverSends, failureIfNotReady }, {});
	let results = 0;
	void run.then((result) => (results = result.results.size));
	for (let turn = 0; turn < 1_000 && results === 0; turn++) await settled();
	expect(results).toBe(MANY.length);
});

test('a cancelled run ends, also when as many messages wait as it reads ahead', async () => {
	const cancelled = new AbortController();
	let waiting = 0;
	async function* messages() {
		for await (const message of to(MANY)) {
			waiting += 1;
			yield message;
		}
		return undefined;
	}
	const failureIfNotReady = async (_: unknown, signal: AbortSignal) => {
		await once(signal, 'abort');
		return undefined;
	};
	const options = { cancelled: cancelled.signal };
	const run = runOf(messages(), { ...neverSends, failureIfNotReady }, options);
	for (let turn = 0; turn < 1_000 && waiting < 10_000; turn++) await settled();
	cancelled.abort();
	const { results } = await run;
	expect([waiting, results.size]).toEqual([10_000, 0]);
});
