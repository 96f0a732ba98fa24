import type { Failed, RequestFailure, Result } from '../../gateway/responses/failure';
import type { FailedItem, Message } from '../../nodes/MessagingGateway/sending/retry';
import type { RunResult } from '../../nodes/MessagingGateway/sending/sendAll';
import { READ_AHEAD } from './engine';
import { accountsOf, checkIdleTime, delay } from './idle';
import { checkPaces } from './paces';
import {
	type AccountRecord,
	type Attempt,
	counted,
	isPaced,
	isUncertain,
	lastAttempt,
	lastMeaning,
	type MessageRecord,
	partsOf,
	refusedSpansOf,
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
): void {
	const behindOthers = chats >= count && !checksOnline ? 0 : READ_AHEAD.sameChat;
	if (run.waiting <= behindOthers + READ_AHEAD.block + concurrency) return;
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
	const failed = [...results].filter(([, result]) => 'failure' in result);
	const mayLeaveOut = run.cancelledAt !== undefined || (run.stopOnFailure && failed.length > 0);
	for (let index = 0; index < count; index++) {
		const about = `${run.name}, message ${index}`;
		const result = results.get(index);
		const failure = result && 'failure' in result ? result.failure : undefined;
		const message = run.messages.get(index);
		if (index === run.invalid) {
			const isRight = result ? failure?.kind === 'invalidInput' : mayLeaveOut;
			world.expect('wrongReason', isRight, about);
		} else if (failure === UNLOADABLE) {
			world.expect('wrongReason', message?.attempts.length === 0, about);
		} else if (result) {
			if (message) checkResult(world, message, result);
			else world.violates('lost', `${about} has a result, and was not read`);
		} else if (!mayLeaveOut || (message?.attempts.length && !isBetweenParts(message))) {
			world.violates('lost', about);
		}
	}
	checkStop(world, run, failed as Array<[number, Failed]>, stoppedBy);
	checkCancellation(world, run);
}

/** If a message in parts is cancelled after one of them, no attempt has failed. */
const isBetweenParts = (message: MessageRecord) =>
	message.run.cancelledAt !== undefined &&
	message.laterParts.length > 0 &&
	lastAttempt(message)?.reply?.meaning === 'success';

function checkStartedBefore(world: World, { messages }: RunRecord, turn: number): void {
	for (const { attempts, name } of messages.values()) {
		world.expect('startedAfterStop', !attempts[0] || attempts[0].startTurn < turn, name);
	}
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
	checkCancellation(world, run);
}

const isPausedFailure = (failure: RequestFailure) =>
	failure.kind === 'notSent' && failure.cause === 'paused';

/** A status request that the limit of the account held back until its deadline. */
function checkPaused(world: World, { run, account, attempts }: MessageRecord): void {
	const isRight =
		attempts.length === 0 && run.endedAt >= run.deadline && account.firstRefusalAt <= run.endedAt;
	world.expect('wrongReason', isRight, `${run.name} was not paused`);
}

function checkResult(world: World, message: MessageRecord, result: Result<unknown>): void {
	const { run, account, chat, name } = message;
	const parts = partsOf(message);
	if ('value' in result) {
		world.expect('falseSuccess', parts.every(isSent), name);
		const values = run.kind === 'status' ? [result.value] : (result.value as unknown[]);
		const responses = parts.map(({ attempts }) => attempts.at(-1)?.reply?.response);
		const isSame = responses.every((response, part) => values[part] === response);
		return world.expect('parts', isSame && values.length === parts.length, `${name}, values`);
	}
	const failed = parts.find((part) => lastMeaning(part) !== 'success');
	// If its account may not send, a message is not begun.
	const isBegun = lastAttempt(message) !== undefined || failedCheck(message) === undefined;
	const named = parts.length > 1 && isBegun ? result.parts?.sent : 0;
	if (!failed || failed.part !== named)
		return world.violates('wrongReason', `${name}: ${named} parts`);
	const last = failed.attempts.at(-1);
	if (!last) return checkNotTried(world, failed, result.failure);
	world.expect('wrongReason', last.failure === result.failure, name);
	const isOfOtherChat = account.gateway.limitsOnlyAnotherChat(chat);
	world.expect('oneChat', last.reply?.meaning !== 'refused' || !isOfOtherChat, name);
	if (run.kind === 'status') return;
	const isUnknown = isUncertain(failed);
	const isNamed = Boolean(result.isUncertain) === isUnknown;
	world.expect(isUnknown ? 'falseCertainty' : 'wrongReason', isNamed, `${name}, isUncertain`);
	checkEffort(world, failed, last);
}

const failedCheck = ({ run, account }: MessageRecord) => run.checks.get(account)?.failure;

function isSent(message: MessageRecord): boolean {
	const { run, account, key, attempts } = message;
	const isKnown = key !== undefined && account.gateway.keys.has(key);
	const wasAccepted = isKnown || attempts.some(({ acceptedAt }) => acceptedAt !== undefined);
	return lastMeaning(message) === 'success' && (wasAccepted || run.kind === 'status');
}

/** Failed without an attempt: only because the account is refused, and with the gateway's reason. */
function checkNotTried(world: World, message: MessageRecord, failure: RequestFailure): void {
	const { run, account, name } = message;
	if (failedCheck(message) === failure) return;
	const reasons = account.attempts.map((attempt) => attempt.failure);
	const isRight = reasons.includes(failure) && isRefusedTooLong(run, account);
	world.expect('wrongReason', isRight, `${name} was not tried`);
}

/** Whether the account had no success for longer than Max Wait, at a time during the run or a part of it. */
function isRefusedTooLong(
	run: RunRecord,
	account: AccountRecord,
	during: Span = { from: run.startedAt, to: run.endedAt },
): boolean {
	// Numbers are rounded.
	const tooLong = run.maxWaitMs - 1;
	return refusedSpansOf(account).some(
		({ from, to }) => to >= during.from && Math.min(to, during.to) - from >= tooLong,
	);
}

/** As when its chat is limited: the account has successes. */
function isMessageRefusedTooLong({ run, attempts }: MessageRecord): boolean {
	const refused = attempts.filter(({ reply }) => reply?.meaning === 'refused');
	return refused.length > 1 && refused.at(-1)!.endedAt - refused[0]!.endedAt >= run.maxWaitMs - 1;
}

/** Whether a failed message got the attempts that it may have. */
function checkEffort(world: World, message: MessageRecord, last: Attempt): void {
	const { run, account, attempts, key, name } = message;
	if (run.cancelledAt !== undefined || last.reply?.meaning === 'permanent') return;
	if (isUncertain(message) && key === undefined) return;
	if (isRefusedTooLong(run, account) || isMessageRefusedTooLong(message)) return;
	const isEnough = counted(attempts) >= run.maxTries || run.maxTries === 1;
	world.expect('gaveUpEarly', isEnough, `${name}: ${attempts.length} attempts`);
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
	failed: Array<[index: number, failed: Failed]>,
	stoppedBy: FailedItem | undefined,
): void {
	const { name, messages, invalid } = run;
	if (!run.stopOnFailure) return world.expect('wrongStop', !stoppedBy, `${name} does not stop`);
	if (run.cancelledAt !== undefined) return;
	const isStopped = stoppedBy !== undefined;
	world.expect('wrongStop', isStopped === failed.length > 0, `${name}: ${failed.length} failed`);
	if (!stoppedBy) return;
	const isFailed = failed.some(
		([index, { failure }]) => index === stoppedBy.index && failure === stoppedBy.failure,
	);
	world.expect('wrongStop', isFailed, `${name} by message ${stoppedBy.index}`);
	const later = [...messages.keys()].filter((index) => invalid !== undefined && index > invalid);
	world.expect('startedAfterStop', later.length === 0, `${name}: read ${later[0]}`);
	const lastOf = (index: number) => messages.has(index) && lastAttempt(messages.get(index)!);
	const lasts = failed.flatMap(([index]) => lastOf(index) || []);
	const checks = [...run.checks.values()].map(({ failedTurn }) => failedTurn);
	const stopTurn = Math.min(...lasts.filter(isFinal).map(({ endTurn }) => endTurn), ...checks);
	checkStartedBefore(world, run, stopTurn);
	const stopper = lastOf(stoppedBy.index);
	const isFirst = stopper
		? !isFinal(stopper) || stopper.endTurn <= stopTurn
		: stoppedBy.index !== invalid || lasts.length === 0;
	world.expect('wrongStop', isFirst, `${name}: message ${stoppedBy.index} was not the first`);
}

function checkCancellation(world: World, run: RunRecord): void {
	if (run.cancelledAt === undefined) return;
	const limitMs = 2 * MAX_ABORT_DELAY_MS + world.latenessMs;
	world.expect('cancelledSlowly', run.endedAt - run.cancelledAt <= limitMs, run.name);
}

/** When everything has ended, including what the gateway does after its client has given up. */
export function checkEnd(world: World): void {
	for (const { messages } of world.runs) {
		for (const { attempts, name } of [...messages.values()].flatMap(partsOf)) {
			const accepted = attempts.filter(({ acceptedAt }) => acceptedAt !== undefined);
			world.expect('acceptedTwice', accepted.length <= 1, name);
			const isCertain = attempts.every(({ reply }) =>
				['refused', 'later', 'permanent'].includes(reply?.meaning ?? ''),
			);
			if (isCertain && accepted.length > 0) throw new Error(`The model denies ${name}`);
		}
	}
	checkPaces(world);
	checkIdleTime(world);
	for (const run of world.runs) checkEndOfRun(world, run);
}

/** How much longer than Max Wait a run may take if everything is refused. */
const MAX_LATE_END_MS = 2_000;

/** Only if nothing but refusals kept the run waiting. */
function checkEndOfRun(world: World, run: RunRecord): void {
	const [account, ...others] = accountsOf(run);
	const isPlain =
		run.kind !== 'status' &&
		!isPaced(run) &&
		!accountsOf(run).some(({ pace }) => pace) &&
		run.reading.length === 0 &&
		run.checks.size === 0;
	if (!isPlain || !account || others.length > 0) return;
	const span = refusedSpansOf(account).find(
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
	const durations = account.attempts.map(({ startedAt, endedAt }) => endedAt - startedAt);
	const reactionMs = world.latenessMs + Math.max(0, ...durations);
	const isLate = run.endedAt - since > run.maxWaitMs + MAX_LATE_END_MS + reactionMs;
	world.expect('endsLate', !isOnlyRefused || !isLate, run.name);
}
