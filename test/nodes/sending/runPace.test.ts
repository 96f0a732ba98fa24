import { rejection, type Result } from '../../../gateway/replies/failure';
import { readResponse } from '../../../gateway/wire/response';
import { RunPace } from '../../../nodes/MessagingGateway/sending/runPace';
import { Schedule } from '../../../nodes/MessagingGateway/sending/schedule';
import { settled, VirtualClock } from '../../harness/virtualClock';

let clock: VirtualClock;
let pace: RunPace;
beforeEach(() => {
	clock = new VirtualClock();
	pace = new RunPace({ intervalMs: 0, jitter: 0 }, 60_000, new Schedule(clock));
});

const limited = (retryAfter: string): Result<string> => {
	const response = { status: 429, headers: { 'Retry-After': retryAfter }, bytes: Buffer.from('') };
	return { failure: rejection(readResponse(response, (value) => value)) };
};
const never = new AbortController().signal;
const send = async (result: Result<string>) =>
	await pace.schedule.message(pace, async () => await Promise.resolve(result), never);

test('without a 429 there is no hint', async () => {
	await send({ value: 'sent' });
	expect(pace.hint).toBeUndefined();
});

test('the hint says when the 429 was, what it cost, which rate applies, and until when', async () => {
	await send(limited('3'));
	const second = send({ value: 'sent' });
	await clock.advance(1_000);
	await second;
	expect(pace.hint).toBe(
		"The gateway limited the rate (429, last at 00:00:00 UTC), so this run took about 1.0 s longer. The account now gets about 60 messages per minute, more from 00:00:01 UTC on, and no limit after a minute without messages. To stay below the limit, set 'Messages per Minute' under Options.",
	);
});

test('a 429 of another run is not blamed for anything', async () => {
	const other = new RunPace({ intervalMs: 0, jitter: 0 }, 60_000, pace.schedule);
	await send(limited('3'));
	await clock.advance(120_000);
	const sent = pace.schedule.message(other, async () => await Promise.resolve({ value: 1 }), never);
	await settled();
	expect(await sent).toEqual({ value: 1 });
	expect(other.hint).toBeUndefined();
});
