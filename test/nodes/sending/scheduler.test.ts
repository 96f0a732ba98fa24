import { rejection, type Result } from '../../../gateway/replies/failure';
import { readResponse } from '../../../gateway/wire/response';
import type { RunQueue } from '../../../nodes/MessagingGateway/sending/scheduler';
import { Scheduler } from '../../../nodes/MessagingGateway/sending/scheduler';
import { limitHint } from '../../../nodes/MessagingGateway/sending/summary';
import { VirtualClock } from '../../harness/virtualClock';

let clock: VirtualClock;
let scheduler: Scheduler;
let queue: RunQueue;
beforeEach(() => {
	clock = new VirtualClock();
	scheduler = new Scheduler(clock);
	queue = scheduler.join({ intervalMs: 0, jitter: 0, maxWaitMs: 60_000 });
});

const limited = (retryAfter: string): Result<string> => {
	const response = { status: 429, headers: { 'Retry-After': retryAfter }, bytes: Buffer.from('') };
	return { failure: rejection(readResponse(response, (value) => value)) };
};
const never = new AbortController().signal;
async function send(result: Result<string>, of = queue) {
	const permit = (await scheduler.waitForTurn(of, never))!;
	return scheduler.recordResult(of, permit, result);
}

test('without a 429 there is no hint', async () => {
	await send({ value: 'sent' });
	expect(limitHint(scheduler, queue)).toBeUndefined();
});

test('the hint says when the 429 was, what it cost, which rate applies, and until when', async () => {
	await send(limited('3'));
	const second = send({ value: 'sent' });
	await clock.advance(1_000);
	await second;
	expect(limitHint(scheduler, queue)).toBe(
		"The gateway limited the rate (429, last at 00:00:00 UTC), so this run took about 1.0 s longer. The account now gets about 60 messages per minute, more from 00:00:01 UTC on, and no limit after a minute without messages. To stay below the limit, set 'Messages per Minute' under Options.",
	);
});

test('a 429 of another run is not blamed for anything', async () => {
	const other = scheduler.join({ intervalMs: 0, jitter: 0, maxWaitMs: 60_000 });
	await send(limited('3'));
	await clock.advance(120_000);
	await send({ value: 'sent' }, other);
	expect(limitHint(scheduler, other)).toBeUndefined();
});

test('a wait that nobody notices is not reported', async () => {
	await send(limited('3'));
	await clock.advance(120_000);
	const other = scheduler.join({ intervalMs: 0, jitter: 0, maxWaitMs: 60_000 });
	scheduler.limiter.pause(clock.now(), 49);
	const sent = send({ value: 'sent' }, other);
	await clock.advance(49);
	await sent;
	expect(limitHint(scheduler, other)).toBeUndefined();
});
