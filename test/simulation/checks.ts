import type { RequestFailure, Result } from '../../gateway/replies/failure';
import type { Message } from '../../nodes/MessagingGateway/sending/retry';
import type { RunResult } from '../../nodes/MessagingGateway/sending/sendAll';
import { checkIdleTime, delay } from './idle';
import { checkRates } from './rates';
import {
	type AccountRecord,
	type Attempt,
	counted,
	isInBatches,
	isPaced,
	lastAttempt,
	type MessageRecord,
	partsOf,
	type RunRecord,
	type Span,
	UNLOADABLE,
} from './records';
import type { RunSpec } from './scenario';
import { MAX_ABORT_DELAY_MS, type World } from './world';

/** Called for each message that the engine reads. */
export function checkReading(
	world: World,
	run: RunRecord,
	{ chats, count, concurrency, checksOnline }: RunSpec,
	limits: { sameChat: number; block: number },
): void {
	const behindOthers = chats >= count && !checksOnline ? 0 : limits.sameChat;
	if (run.waiting <= behindOthers + limits.block + concurrency) return;
	const isOffline = [...run.checks.values()].some(({ failure }) => failure);
	if (isOffline || world.accounts.some((account) => mayHaveGivenUp(world, run, account))) return;
	world.violates('readAhead', `${run.name}: ${run.waiting} messages are waiting`);
}

/** A run that has given up reads its other messages without sending them, even if the account has a success later. */
function mayHaveGivenUp({ clock }: World, run: RunRecord, account: AccountRecord): boolean {
	const last = run.attempts.findLast(({ message }) => message.account === account);
	return isRefusedTooLong(run, account, {
		from: last?.startedAt ?? run.startedAt,
		to: clock.now(),
	});
}

/** Checks the result of a run over items. */
export function checkRun(
	world: World,
	run: RunRecord,
	count: number,
	{ results, stoppedBy }: Pick<RunResult<Message, unknown>, 'results' | 'stoppedBy'>,
): void {
	const { coverage } = world;
	const isCancelled = run.cancelledAt !== undefined;
	const failed = [...results.values()].filter((result) => 'failure' in result);
	const mayLeaveOut = isCancelled || (run.stopOnFailure && failed.length > 0);
	for (let index = 0; index < count; index++) {
		const result = results.get(index);
		const message = run.messages.get(index);
		if (index === run.invalid) {
			if (result && 'failure' in result && result.failure.kind === 'invalidInput') continue;
			if (!result && mayLeaveOut) continue;
			world.violates('wrongReason', `${run.name}, invalid message ${index}`);
		} else if (result && 'failure' in result && result.failure === UNLOADABLE) {
			coverage.count('message: its file cannot be loaded');
			if (message?.attempts.length !== 0) world.violates('wrongReason', `${run.name}, ${index}`);
		} else if (result) {
			coverage.count(`message: ${'failure' in result ? 'failed' : 'sent'}`);
			if (message) checkResult(world, message, result);
			else world.violates('lost', `${run.name} has a result for ${index}, which it did not read`);
		} else if (!mayLeaveOut || (message?.attempts.length && !isBetweenParts(message))) {
			world.violates('lost', `${run.name}, message ${index}`);
		} else coverage.count('message: not tried');
	}
	checkStop(world, run, results, stoppedBy);
	checkAcceptedOrder(world, run, results);
	checkCancellation(world, run);
}

/** If a message in parts is cancelled after one of them, no attempt has failed. */
const isBetweenParts = (message: MessageRecord) =>
	message.run.cancelledAt !== undefined &&
	message.laterParts.length > 0 &&
	lastAttempt(message)?.reply?.meaning === 'success';

/** The hints that a run gives the user. */
export function checkHints(world: World, run: RunRecord, hints: string[]): void {
	for (const hint of hints) {
		world.coverage.count('hint about the rate limit');
		const seconds = Number(/about ([\d.]+) s longer/.exec(hint)?.[1]);
		const isRefused = world.accounts.some(({ firstRefusalAt }) => firstRefusalAt <= run.endedAt);
		// It has one digit after the point.
		const isPossible = (seconds - 0.051) * 1_000 <= run.endedAt - run.startedAt;
		if (!isRefused || !isPossible) world.violates('falseHint', `${run.name}: ${hint}`);
	}
}

/** Checks a run that ended with the error that sending a message threw. */
export function checkThrown(world: World, run: RunRecord): void {
	world.coverage.count('throws');
	for (const { attempts, index } of run.messages.values()) {
		if (attempts[0] && attempts[0].startTurn >= run.thrownTurn) {
			world.violates('startedAfterStop', `${run.name}, message ${index}`);
		}
	}
	checkCancellation(world, run);
}

/** Checks the result of a status request. */
export function checkStatus(
	world: World,
	message: MessageRecord,
	result: Result<unknown> | undefined,
): void {
	const { run, attempts } = message;
	if (result && 'failure' in result && isPausedFailure(result.failure)) {
		checkPaused(world, message);
	} else if (result) checkResult(world, message, result);
	else if (attempts.length > 0 || run.cancelledAt === undefined) world.violates('lost', run.name);
	else world.coverage.count('status: not tried');
	checkCancellation(world, run);
}

const isPausedFailure = (failure: RequestFailure) =>
	failure.kind === 'notSent' && failure.cause === 'paused';

/** A status request that the limit of the account held back until its deadline. */
function checkPaused(world: World, { run, account, attempts }: MessageRecord): void {
	world.coverage.count('status: paused until the deadline');
	const isRight =
		attempts.length === 0 && run.endedAt >= run.deadline && account.firstRefusalAt <= run.endedAt;
	if (!isRight) world.violates('wrongReason', `${run.name} was not paused`);
}

function checkResult(world: World, message: MessageRecord, result: Result<unknown>): void {
	const { run, account, chat } = message;
	const about = `${run.name}, message ${message.index}`;
	const parts = partsOf(message);
	if ('value' in result) {
		if (!parts.every(isSent)) world.violates('falseSuccess', about);
		if (parts.length > 1) world.coverage.count('message in parts: sent');
		const values = run.kind === 'status' ? [result.value] : (result.value as unknown[]);
		const responses = parts.map(({ attempts }) => attempts.at(-1)?.reply?.response);
		const isSame = responses.every((response, part) => values[part] === response);
		if (!isSame || values.length !== parts.length) world.violates('parts', `${about}, values`);
		return;
	}
	const failed = parts.find(({ attempts }) => attempts.at(-1)?.reply?.meaning !== 'success');
	const sent = failed?.part;
	// If its account may not send, a message is not begun.
	const isBegun = lastAttempt(message) !== undefined || failedCheck(message) === undefined;
	const named = parts.length > 1 && isBegun ? result.parts?.sent : 0;
	if (!failed || sent !== named) return world.violates('wrongReason', `${about}: ${named} parts`);
	if (failed.part > 0) world.coverage.count('message in parts: failed after its first part');
	const { attempts } = failed;
	const last = attempts.at(-1);
	if (!last) return checkNotTried(world, failed, result.failure);
	if (last.failure !== result.failure) world.violates('wrongReason', about);
	if (last.reply?.meaning === 'refused' && account.gateway.limitsOnlyAnotherChat(chat)) {
		world.violates('oneChat', about);
	}
	const isUnknown = attempts.some(({ reply }) => reply?.meaning === 'unknown');
	if (run.kind !== 'status' && isUnknown !== Boolean(result.isUncertain)) {
		world.violates(isUnknown ? 'falseCertainty' : 'wrongReason', `${about}, isUncertain`);
	}
	checkEffort(world, failed, last);
}

const failedCheck = ({ run, account }: MessageRecord) => run.checks.get(account)?.failure;

function isSent({ run, account, key, attempts }: MessageRecord): boolean {
	const isKnown = key !== undefined && account.gateway.keys.has(key);
	const wasAccepted = isKnown || attempts.some(({ acceptedAt }) => acceptedAt !== undefined);
	const isSuccess = attempts.at(-1)?.reply?.meaning === 'success';
	return isSuccess && (wasAccepted || run.kind === 'status');
}

/** Failed without an attempt: only because the account is refused, and with the gateway's reason. */
function checkNotTried(world: World, message: MessageRecord, failure: RequestFailure): void {
	const { run, account, index } = message;
	if (failedCheck(message) === failure) {
		return world.coverage.count('failed because of the status of the account');
	}
	world.coverage.count('failed without an attempt');
	const reasons = account.attempts.map((attempt) => attempt.failure);
	if (!reasons.includes(failure) || !isRefusedTooLong(run, account)) {
		world.violates('wrongReason', `${run.name}, message ${index} was not tried`);
	}
}

/** Whether the account had no success for longer than Max Wait, at a time during the run or a part of it. */
function isRefusedTooLong(
	run: RunRecord,
	{ refusedSince, refusedSpans }: AccountRecord,
	during: Span = { from: run.startedAt, to: run.endedAt },
): boolean {
	// Numbers are rounded.
	const tooLong = run.maxWaitMs - 1;
	return (
		during.to - refusedSince >= tooLong ||
		refusedSpans.some(({ from, to }) => to >= during.from && to - from >= tooLong)
	);
}

/** As when its chat is limited: the account has successes. */
function isMessageRefusedTooLong({ run, attempts }: MessageRecord): boolean {
	const refused = attempts.filter(({ reply }) => reply?.meaning === 'refused');
	return refused.length > 1 && refused.at(-1)!.endedAt - refused[0]!.endedAt >= run.maxWaitMs - 1;
}

/** Whether a failed message got the attempts that it may have. */
function checkEffort(world: World, message: MessageRecord, last: Attempt): void {
	const { run, account, attempts, key } = message;
	if (run.cancelledAt !== undefined || run.kind === 'status') return;
	const isUnknown = attempts.some(({ reply }) => reply?.meaning === 'unknown');
	if (last.reply?.meaning === 'permanent' || (isUnknown && key === undefined)) return;
	const about = `${run.name}, message ${message.index}`;
	if (isRefusedTooLong(run, account) || isMessageRefusedTooLong(message)) return;
	const isEnough = counted(attempts) >= run.maxTries || run.maxTries === 1;
	if (!isEnough) world.violates('gaveUpEarly', `${about}: ${attempts.length} attempts`);
	else world.coverage.count('failed after all attempts');
}

/** Whether it was certain, at its end, that this attempt was the last one of its message. */
function isFinal({ message, reply }: Attempt): boolean {
	const { attempts, key, run } = message;
	// If a part of a failed message was sent, the next one was not attempted.
	if (reply?.meaning === 'success') return false;
	if (reply?.meaning === 'permanent') return true;
	if (reply?.meaning === 'unknown' && key === undefined) return true;
	return reply?.meaning !== 'refused' && counted(attempts) >= run.maxTries;
}

function checkStop(
	world: World,
	run: RunRecord,
	results: Map<number, Result<unknown>>,
	stoppedBy: RunResult<Message, unknown>['stoppedBy'],
): void {
	const failed = [...results].filter(([, result]) => 'failure' in result);
	if (!run.stopOnFailure) {
		if (stoppedBy) world.violates('wrongStop', `${run.name} does not stop`);
		return;
	}
	if (run.cancelledAt !== undefined) return;
	if ((stoppedBy === undefined) !== (failed.length === 0)) {
		world.violates('wrongStop', `${run.name}: ${failed.length} failed`);
	}
	if (!stoppedBy) return;
	world.coverage.count('stopped');
	const isFailed = failed.some(
		([index, result]) =>
			index === stoppedBy.index && 'failure' in result && result.failure === stoppedBy.failure,
	);
	if (!isFailed) world.violates('wrongStop', `${run.name} by message ${stoppedBy.index}`);
	if (run.invalid !== undefined) checkStopAtInvalid(world, run, run.invalid);
	const lasts = failed.flatMap(([index]) => lastOf(run, index) ?? []);
	const checks = [...run.checks.values()].map(({ failedTurn }) => failedTurn);
	const stopTurn = Math.min(...lasts.filter(isFinal).map(({ endTurn }) => endTurn), ...checks);
	for (const { attempts, index } of run.messages.values()) {
		if (attempts[0] && attempts[0].startTurn >= stopTurn) {
			world.violates('startedAfterStop', `${run.name}, message ${index}`);
		}
	}
	const stopper = lastOf(run, stoppedBy.index);
	if (stopper && isFinal(stopper) && stopper.endTurn > stopTurn) {
		world.violates('wrongStop', `${run.name}: message ${stoppedBy.index} was not the first`);
	}
	if (!stopper && stoppedBy.index === run.invalid && lasts.length > 0) {
		world.violates('wrongStop', `${run.name}: an attempted message comes first`);
	}
}

function lastOf({ messages }: RunRecord, index: number): Attempt | undefined {
	const message = messages.get(index);
	return message && lastAttempt(message);
}

function checkStopAtInvalid(world: World, run: RunRecord, invalid: number): void {
	const later = [...run.messages.keys()].find((index) => index > invalid);
	if (later !== undefined) world.violates('startedAfterStop', `${run.name}: read ${later}`);
}

function checkAcceptedOrder(
	world: World,
	run: RunRecord,
	results: Map<number, Result<unknown>>,
): void {
	const lastOfChat = new Map<string, number>();
	for (const message of run.messages.values()) {
		const result = results.get(message.index);
		if (!result || 'failure' in result) continue;
		for (const part of partsOf(message)) checkAccepted(world, part, lastOfChat);
	}
}

function checkAccepted(
	world: World,
	{ run, index, chat, attempts }: MessageRecord,
	lastOfChat: Map<string, number>,
): void {
	const at = attempts.find(({ acceptedAt }) => acceptedAt !== undefined)?.acceptedAt;
	if (at === undefined) return;
	if (at < (lastOfChat.get(chat) ?? -Infinity)) {
		world.violates('acceptedOrder', `${run.name}, message ${index}`);
	}
	lastOfChat.set(chat, at);
}

function checkCancellation(world: World, run: RunRecord): void {
	if (run.cancelledAt === undefined) return;
	const limitMs = 2 * MAX_ABORT_DELAY_MS + world.latenessMs;
	if (run.endedAt - run.cancelledAt > limitMs) world.violates('cancelledSlowly', run.name);
}

/** When everything has ended, including what the gateway does after its client has given up. */
export function checkEnd(world: World): void {
	for (const { messages, name } of world.runs) {
		for (const { attempts, index } of [...messages.values()].flatMap(partsOf)) {
			const accepted = attempts.filter(({ acceptedAt }) => acceptedAt !== undefined);
			if (accepted.length > 1) world.violates('acceptedTwice', `${name}, message ${index}`);
			const isCertain = attempts.every(({ reply }) =>
				['refused', 'later', 'permanent'].includes(reply?.meaning ?? ''),
			);
			if (isCertain && accepted.length > 0) {
				throw new Error(`The model accepted ${name}, message ${index}, and denies it`);
			}
		}
	}
	checkRates(world);
	checkIdleTime(world);
	for (const run of world.runs) checkEndOfRun(world, run);
}

/** How much longer than Max Wait a run may take if everything is refused. */
const MAX_LATE_END_MS = 2_000;

/** Only if nothing but refusals kept the run waiting. */
function checkEndOfRun(world: World, run: RunRecord): void {
	const accounts = new Set([...run.messages.values()].map(({ account }) => account));
	const [account] = accounts;
	const isPlain =
		run.kind !== 'status' &&
		!isPaced(run) &&
		!isInBatches(run) &&
		run.reading.length === 0 &&
		run.checks.size === 0;
	if (!isPlain || !account || accounts.size > 1) return;
	const { refusedSpans, refusedSince, attempts } = account;
	const span = [...refusedSpans, { from: refusedSince, to: Infinity }].find(
		({ from, to }) => from < run.endedAt && to >= run.endedAt,
	);
	if (!span) return;
	const from = Math.max(span.from, run.startedAt);
	const isOnlyRefused = run.attempts.every(
		({ endedAt, reply }) => endedAt < from || reply?.meaning === 'refused',
	);
	// A message that failed before does not wait for the account until the time of its retry.
	const failed = run.attempts.filter(
		({ endedAt, reply }) => endedAt < from && reply?.meaning !== 'success',
	);
	const since = Math.max(from, ...failed.map((attempt) => delay(attempt).to));
	const durations = attempts.map(({ startedAt, endedAt }) => endedAt - startedAt);
	const reactionMs = world.latenessMs + Math.max(0, ...durations);
	if (isOnlyRefused && run.endedAt - since > run.maxWaitMs + MAX_LATE_END_MS + reactionMs) {
		world.violates('endsLate', `${run.name}, which waited ${run.endedAt - since} ms`);
	}
}
