import type { Result } from '../../gateway/responses/failure';
import { STATUS_MAX_WAIT_MS, toResult } from './engine';
import { CANCELLED, type Reply } from './gateway';
import {
	type AccountRecord,
	type Attempt,
	counted,
	isUncertain,
	lastMeaning,
	type MessageRecord,
	partsOf,
} from './records';
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
): Promise<Result<unknown>> {
	const { clock } = world;
	const { account, run } = message;
	checkStart(world, message);
	const record: Attempt = {
		message,
		startedAt: clock.now(),
		startTurn: clock.turn,
		endedAt: Infinity,
		endTurn: Infinity,
		delayMs: run.maxWaitMs,
	};
	if (message.part === 0 && message.attempts.length === 0) run.waiting -= 1;
	for (const { attempts } of [message, run, account]) attempts.push(record);
	run.lastOfChat.set(message.chat, message);
	run.inFlight += 1;
	const reply = await new Promise<Reply>((resolve) => {
		const cancel = () => resolve(CANCELLED);
		inFlight.add(cancel);
		const onAccepted = () => (record.acceptedAt = clock.now());
		account.gateway.send(message, onAccepted, (received) => {
			inFlight.delete(cancel);
			resolve(received);
		});
	});
	run.inFlight -= 1;
	return finish(world, record, reply);
}

function checkStart(world: World, message: MessageRecord): void {
	const now = world.clock.now();
	const { run, account, attempts, name } = message;
	const check = run.checks.get(account);
	const isReady = !check || (check.endedAt < Infinity && !check.failure);
	world.expect('startedBeforeReady', isReady, name);
	const partBefore = partsOf(run.messages.get(message.index)!)[message.part - 1];
	world.expect('parts', !partBefore || lastMeaning(partBefore) === 'success', name);
	world.expect('startedAfterCancel', run.cancelledAt === undefined, name);
	world.expect('startedAfterDeadline', now < run.deadline, name);
	world.expect('concurrency', run.inFlight < run.concurrency, name);
	const { pausedUntil, statusesPausedUntil } = account;
	const notBefore = run.kind === 'status' ? statusesPausedUntil : pausedUntil;
	world.expect('startedDuringPause', now >= notBefore - ROUNDING_MS, name);
	const previous = run.lastOfChat.get(message.chat);
	const isInFlight = previous?.attempts.at(-1)?.endedAt === Infinity;
	world.expect('order', !previous || (!isInFlight && previous.index <= message.index), name);
	const last = attempts.at(-1);
	if (!last) return;
	world.expect('retriedPermanent', last.reply?.meaning !== 'permanent', name);
	world.expect('retriedWithoutKey', message.key !== undefined || !isUncertain(message), name);
	const mayRetry = run.maxTries > 1 && counted(attempts) < run.maxTries;
	world.expect('tooManyAttempts', mayRetry, name);
	const dueAt = last.endedAt + ownDelayMs(last);
	world.expect('startedTooSoon', now >= dueAt - ROUNDING_MS, name);
}

/** How long a message must wait after a failed attempt. */
const ownDelayMs = ({ reply, delayMs }: Attempt) =>
	reply?.meaning === 'refused' ? delayMs : Math.min(reply?.waitMs ?? MIN_DELAY_MS, delayMs);

function finish(world: World, attempt: Attempt, reply: Reply): Result<unknown> {
	const { clock } = world;
	const { message } = attempt;
	const { run } = message;
	attempt.reply = reply;
	attempt.endedAt = clock.now();
	attempt.endTurn = clock.turn;
	if (reply.meaning === 'refused') refuse(attempt);
	if (reply.meaning === 'success' && run.kind !== 'status') succeed(attempt);
	const result = toResult(reply, run.kind !== 'status', message.key !== undefined, clock.date());
	if ('failure' in result) attempt.failure = result.failure;
	return result;
}

function succeed({ startTurn, endedAt, message: { account } }: Attempt): void {
	// Requests that were on their way at the last refusal show nothing.
	const isNew = startTurn >= account.refusedTurn && account.refusedSince < Infinity;
	if (isNew) endRefusals(account, endedAt);
}

function endRefusals(account: AccountRecord, at: number): void {
	account.refusedSpans.push({ from: account.refusedSince, to: at });
	account.refusedSince = Infinity;
	account.refusals = 0;
}

/** After a longer time without refusals, a refusal has another reason. */
const maxQuietMs = ({ refusedSince, refusedAt }: AccountRecord) =>
	Math.min(600_000, 60_000 + 60 * (refusedAt - refusedSince));

function refuseMessage(attempt: Attempt): void {
	const { endedAt: now, reply, message } = attempt;
	const { account, run } = message;
	const quietUntil = Math.max(account.refusedAt, account.refusedUntil) + maxQuietMs(account);
	if (account.refusedSince < Infinity && now > quietUntil) {
		// Until then, the refusals counted, and a run may have given up. The engine may have added a wait of its own.
		endRefusals(account, Math.min(now, quietUntil + MAX_BACK_OFF_MS));
	}
	if (account.refusedSince === Infinity) account.refusedSince = account.refusedUntil = now;
	if (attempt.startTurn >= account.refusedTurn || account.refusals === 0) {
		account.refusals += 1;
		account.refusedAt = now;
		account.refusedTurn = attempt.endTurn;
	}
	// No run waits longer than Max Wait without a success.
	const leftMs = Math.max(0, account.refusedSince + run.maxWaitMs - now);
	attempt.delayMs = Math.min(reply!.waitMs ?? 0, run.maxWaitMs, leftMs);
	account.refusedUntil = Math.max(account.refusedUntil, now + attempt.delayMs);
	const pauseMs = Math.min(attempt.delayMs, account.refusals === 1 ? MAX_FIRST_PAUSE_MS : Infinity);
	account.pausedUntil = Math.max(account.pausedUntil, now + pauseMs);
}

/** After a single refusal, another message may show that only a chat is refused. */
const MAX_FIRST_PAUSE_MS = 1_000;

function refuse(attempt: Attempt): void {
	const { reply, endedAt, message } = attempt;
	const { account, run } = message;
	account.firstRefusalAt = Math.min(account.firstRefusalAt, endedAt);
	if (run.kind !== 'status') refuseMessage(attempt);
	else {
		const pauseMs = Math.min(reply!.waitMs ?? 0, MAX_FIRST_PAUSE_MS);
		account.pausedUntil = Math.max(account.pausedUntil, endedAt + pauseMs);
	}
	const announcedMs = run.kind === 'status' ? (reply!.waitMs ?? 0) : attempt.delayMs;
	const statusMs = Math.min(announcedMs, STATUS_MAX_WAIT_MS);
	account.statusesPausedUntil = Math.max(account.statusesPausedUntil, endedAt + statusMs);
	const longest = reply!.waitMs ?? MAX_BACK_OFF_MS;
	account.pauses.push({ from: endedAt, to: endedAt + Math.min(longest, run.maxWaitMs) });
}

/** Without an announced wait, the engine chooses one. */
const MAX_BACK_OFF_MS = 10_000;
