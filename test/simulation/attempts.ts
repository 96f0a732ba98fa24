import type { Result } from '../../gateway/failure';
import { STATUS_MAX_WAIT_MS, toResult } from './engine';
import { CANCELLED, type Reply } from './gateway';
import { type AccountRecord, type Attempt, counted, type MessageRecord, partsOf } from './records';
import type { World } from './world';

/** The first delay of a retry is at least this long, unless the gateway or Max Wait say otherwise. */
const MIN_DELAY_MS = 250;
/** Numbers are rounded. */
const ROUNDING_MS = 0.01;

/** The functions that end the attempts in flight of an execution when it is cancelled. */
export type InFlight = Set<() => void>;

/** Sends a message to its virtual gateway, and checks that it may be sent now. */
export async function attempt(
	world: World,
	message: MessageRecord,
	inFlight: InFlight,
	/** Whether the engine gets an error instead of the reply. */
	throws: boolean,
): Promise<Result<unknown>> {
	const { clock } = world;
	const { account, run, key, isRejected } = message;
	checkStart(world, message);
	const record: Attempt = {
		message,
		startedAt: clock.now(),
		startTurn: clock.turn,
		endedAt: Infinity,
		endTurn: Infinity,
	};
	if (message.part === 0 && message.attempts.length === 0) run.waiting -= 1;
	for (const { attempts } of [message, run, account]) attempts.push(record);
	run.lastOfChat.set(message.chat, message);
	run.inFlight += 1;
	const reply = await new Promise<Reply>((resolve) => {
		const cancel = () => resolve(CANCELLED);
		inFlight.add(cancel);
		account.gateway.send(
			{
				kind: run.kind === 'status' ? 'status' : 'message',
				key,
				isRejected,
				timeoutMs: run.timeoutMs,
				onAccepted: () => (record.acceptedAt = clock.now()),
			},
			(received) => {
				inFlight.delete(cancel);
				resolve(received);
			},
		);
	});
	run.inFlight -= 1;
	return finish(world, record, reply, throws);
}

function checkStart(world: World, message: MessageRecord): void {
	const { clock } = world;
	const now = clock.now();
	const { run, account, attempts } = message;
	const about = `${run.name}, message ${message.index}`;
	const last = attempts.at(-1);
	const check = run.checks.get(account);
	if (check && (check.endedAt === Infinity || check.failure)) {
		world.violates('startedBeforeReady', about);
	}
	if (message.part > 0) {
		const before = partsOf(run.messages.get(message.index)!)[message.part - 1];
		if (before?.attempts.at(-1)?.reply?.meaning !== 'success') world.violates('parts', about);
	}
	if (run.cancelledAt !== undefined) world.violates('startedAfterCancel', about);
	if (now >= run.deadline) world.violates('startedAfterDeadline', about);
	if (run.inFlight >= run.concurrency) world.violates('concurrency', about);
	const { pausedUntil, statusesPausedUntil } = account;
	const notBefore = run.kind === 'status' ? statusesPausedUntil : pausedUntil;
	if (now < notBefore - ROUNDING_MS) {
		world.violates('startedDuringPause', `${about}, paused until ${notBefore}`);
	}
	const previous = run.lastOfChat.get(message.chat);
	const isInFlight = previous?.attempts.at(-1)?.endedAt === Infinity;
	if (previous && (isInFlight || previous.index > message.index)) {
		world.violates('order', `${about} after message ${previous.index}`);
	}
	if (!last) return;
	if (last.reply?.meaning === 'permanent') world.violates('retriedPermanent', about);
	if (message.key === undefined && attempts.some(({ reply }) => reply?.meaning === 'unknown')) {
		world.violates('retriedWithoutKey', about);
	}
	if (run.maxTries === 1 || counted(attempts) >= run.maxTries) {
		world.violates('tooManyAttempts', about);
	}
	if (now < last.endedAt + ownDelayMs(last) - ROUNDING_MS) {
		world.violates('startedTooSoon', `${about}, last attempt ended at ${last.endedAt}`);
	}
}

/** How long a message must wait after a failed attempt. */
function ownDelayMs({ reply, message }: Attempt): number {
	const unannounced = reply?.meaning === 'refused' ? 0 : MIN_DELAY_MS;
	return Math.min(reply?.waitMs ?? unannounced, message.run.maxWaitMs);
}

function finish(world: World, attempt: Attempt, received: Reply, throws: boolean): Result<unknown> {
	const { clock, coverage } = world;
	const { retryAt } = received;
	const reply =
		retryAt === undefined ? received : { ...received, waitMs: Math.max(0, retryAt - clock.date()) };
	const { message } = attempt;
	const { run, account } = message;
	attempt.reply = reply;
	attempt.endedAt = clock.now();
	attempt.endTurn = clock.turn;
	coverage.count(`reply: ${reply === CANCELLED ? 'cancelled' : reply.meaning}`);
	if (reply.meaning === 'refused' && !throws) refuse(attempt);
	if (reply.meaning === 'success' && run.kind !== 'status' && !throws) {
		account.successAt = attempt.endedAt;
		if (account.refusedSince !== Infinity) {
			account.refusedSpans.push({ from: account.refusedSince, to: attempt.endedAt });
		}
		account.refusedSince = Infinity;
	}
	const result = toResult(reply, run.kind !== 'status', message.key !== undefined);
	if ('failure' in result) attempt.failure = result.failure;
	return result;
}

/** After a longer time without refusals, a refusal has another reason: if all before were within 5 s, and if not. */
const MAX_QUIET_MS = { within5s: 60_000, longer: 600_000 };

function refuseMessage(account: AccountRecord, now: number, announcedMs: number): void {
	const { refusedSince, refusedAt, refusedUntil } = account;
	const maxQuietMs = refusedAt - refusedSince < 5_000 ? MAX_QUIET_MS.within5s : MAX_QUIET_MS.longer;
	if (now - refusedUntil > maxQuietMs && refusedSince !== Infinity) {
		account.refusedSpans.push({ from: refusedSince, to: refusedUntil });
		account.refusedSince = Infinity;
	}
	account.refusedSince = Math.min(account.refusedSince, now);
	account.refusedAt = now;
	account.refusedUntil = Math.max(refusedUntil, now + announcedMs);
}

function refuse(attempt: Attempt): void {
	const { reply, endedAt, message } = attempt;
	const { account, run } = message;
	account.firstRefusalAt = Math.min(account.firstRefusalAt, endedAt);
	attempt.isFree = endedAt - account.successAt <= run.maxWaitMs;
	const maxWaitMs = run.kind === 'status' ? STATUS_MAX_WAIT_MS : run.maxWaitMs;
	const announcedMs = Math.min(reply!.waitMs ?? 0, maxWaitMs);
	if (run.kind !== 'status') refuseMessage(account, endedAt, announcedMs);
	if (reply!.waitMs !== undefined) {
		account.pausedUntil = Math.max(account.pausedUntil, endedAt + announcedMs);
		const statusMs = Math.min(announcedMs, STATUS_MAX_WAIT_MS);
		account.statusesPausedUntil = Math.max(account.statusesPausedUntil, endedAt + statusMs);
	}
	// Without an announced wait, the engine chooses one: half a second, doubled with each attempt.
	const longest = 500 * 2 ** (message.attempts.length - 1);
	const to = endedAt + Math.min(reply!.waitMs ?? longest, maxWaitMs);
	account.pauses.push({ from: endedAt, to });
}
