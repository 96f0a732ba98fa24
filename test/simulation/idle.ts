import { MAX_INTERVAL_MS } from './engine';
import type { AccountRecord, Attempt, OnlineCheck, RunRecord, Span } from './records';
import { counted, isPaced, refusedSpansOf } from './records';
import { MAX_ABORT_DELAY_MS, type World } from './world';

/**
 * Checks that nothing waits without a reason: when a run has no request in flight, then it waits for a delay or a pace
 * of its own, for a pause of its account, or, if its account has been refused before, for another request.
 */
export function checkIdleTime(world: World): void {
	for (const run of world.runs) {
		const accounts = accountsOf(run);
		const gap = longestGap(run, reasonsToWait(world, run, accounts));
		// Messages that wait notice a stop a bit later.
		const stopMs = run.stopOnFailure ? 2 * MAX_ABORT_DELAY_MS : 0;
		const maxMs = maxGapMs(world, accounts, gap) + stopMs;
		world.expect('idle', gap.to - gap.from <= maxMs, `${run.name} from ${gap.from} to ${gap.to}`);
		if (run.kind === 'status') checkStatusWait(world, run, accounts);
		if (run.kind === 'run') for (const account of accounts) checkGivingUp(world, run, account);
	}
}

export const accountsOf = ({ messages }: RunRecord): AccountRecord[] => [
	...new Set([...messages.values()].map(({ account }) => account)),
];

/** The longest interval between two messages of an account that has been refused, and a bit, unless the gateway asked for a longer wait. */
const MAX_LIMITED_INTERVAL_MS = 21_000;

function longestIntervalMs({ attempts }: AccountRecord): number {
	const waits = attempts.map(({ reply, message }) =>
		reply?.meaning === 'refused' ? Math.min(reply.waitMs ?? 0, message.run.maxWaitMs) : 0,
	);
	return Math.max(MAX_LIMITED_INTERVAL_MS, 1.05 * Math.max(0, ...waits));
}

/** It lets other work run after 50 ms, and checks every 25 ms what has changed. */
const REACTION_MS = 80;

function maxGapMs(world: World, accounts: AccountRecord[], { from }: Span): number {
	const reactionMs = REACTION_MS + world.latenessMs;
	if (accounts.every(({ firstRefusalAt }) => firstRefusalAt > from)) return reactionMs;
	return reactionMs + Math.max(...accounts.map(longestIntervalMs));
}

const end = ({ endedAt, cancelledAt }: RunRecord) => Math.min(endedAt, cancelledAt ?? Infinity);

/** The longest time during a run that no span covers. */
function longestGap(run: RunRecord, spans: Span[]): Span {
	const until = end(run);
	let longest = { from: run.startedAt, to: run.startedAt };
	let covered = run.startedAt;
	const sorted = spans.filter(({ to }) => to > run.startedAt).sort((a, b) => a.from - b.from);
	for (const { from, to } of [...sorted, { from: until, to: until }]) {
		const gap = { from: covered, to: Math.min(from, until) };
		if (gap.to - gap.from > longest.to - longest.from) longest = gap;
		covered = Math.max(covered, to);
	}
	return longest;
}

function reasonsToWait(world: World, run: RunRecord, accounts: AccountRecord[]): Span[] {
	const own = [inFlight, delay].flatMap((reason) => run.attempts.map(reason));
	const ofAccounts = accounts.flatMap((account) => [
		...(account.firstRefusalAt < end(run) ? refusals(run, account) : []),
		...(isPaced(run) ? sharedPace(world, run, account) : []),
		...(account.pace && run.kind === 'run' ? paceOfAccount(run, account) : []),
	]);
	const checks = [...run.checks.values()].map(inFlight);
	return [...own, ...backOffs(run), ...run.reading, ...checks, ...ofAccounts];
}

const MIN_BACK_OFF_MS = 500;

/** A run that is refused waits twice as long each time, even if another run is accepted meanwhile. */
function backOffs({ attempts, maxWaitMs }: RunRecord): Span[] {
	let inARow = 0;
	return attempts.map(({ endedAt, reply }) => {
		inARow = reply?.meaning === 'refused' ? inARow + 1 : 0;
		const backOffMs = Math.max(reply?.waitMs ?? 0, MIN_BACK_OFF_MS) * 2 ** (inARow - 1);
		return { from: endedAt, to: endedAt + (inARow > 0 ? Math.min(backOffMs, maxWaitMs) : 0) };
	});
}

const span = (from: number, to: number): Span => ({ from, to });

const inFlight = ({ startedAt, endedAt }: Attempt | OnlineCheck) => span(startedAt, endedAt);

/** Until the next attempt of the same message may start. */
export function delay({ endedAt, reply, message }: Attempt): Span {
	const attempts = message.attempts.filter((attempt) => attempt.endedAt <= endedAt);
	const delayMs = reply?.waitMs ?? 500 * 2 ** (counted(attempts) - 1);
	return { from: endedAt, to: endedAt + Math.min(delayMs, message.run.maxWaitMs) };
}

/** The runs of an account that have a pace share the lowest one. */
function sharedPace(world: World, run: RunRecord, account: AccountRecord): Span[] {
	const paced = world.runs.filter(
		(other) =>
			isPaced(other) &&
			other.startedAt <= end(run) &&
			other.endedAt >= run.startedAt &&
			accountsOf(other).includes(account),
	);
	const intervalMs = Math.max(...paced.map(({ pace }) => MAX_INTERVAL_MS(pace)));
	return spansAfter(run, account, intervalMs, isPaced);
}

function paceOfAccount(run: RunRecord, account: AccountRecord): Span[] {
	const { intervalMs } = account.pace!;
	const isMessage = ({ kind }: RunRecord) => kind === 'run';
	return [span(0, intervalMs), ...spansAfter(run, account, intervalMs, isMessage)];
}

const spansAfter = (
	run: RunRecord,
	{ attempts }: AccountRecord,
	ms: number,
	counts: (run: RunRecord) => boolean,
): Span[] =>
	attempts
		.filter(({ message, startedAt }) => counts(message.run) && startedAt < end(run))
		.map(({ startedAt }) => span(startedAt, startedAt + ms));

/** After a refusal, an account may wait for pauses and for the responses to other requests. */
function refusals(run: RunRecord, account: AccountRecord): Span[] {
	const intervalMs = longestIntervalMs(account);
	const others = account.attempts
		.filter(({ startedAt }) => startedAt < end(run))
		.map(({ startedAt, endedAt }) => ({ from: startedAt, to: endedAt + intervalMs }));
	// While everything is refused, the engine may try less and less often, but not less often than Max Wait says.
	const longest = Math.min(run.maxWaitMs, MAX_REFUSED_MS) + GRACE_MS;
	const refused = refusedSpansOf(account).map(({ from, to }) =>
		span(from, Math.min(to, from + longest)),
	);
	return [...others, ...account.pauses, ...refused];
}

/** A run waits so much longer than Max Wait. */
const GRACE_MS = 2_000;

/** The longest default of Max Wait. */
const MAX_REFUSED_MS = 60_000;

/** A status request may wait for pauses and for two requests of a refused account, but not for all its messages. */
function checkStatusWait(world: World, run: RunRecord, accounts: AccountRecord[]): void {
	const startedAt = run.attempts[0]?.startedAt ?? end(run);
	const whole = { from: run.startedAt, to: startedAt };
	const waitMs = accounts
		.flatMap((account) => [...account.pauses, ...refusedSpansOf(account)])
		.reduce((left, span) => left.flatMap((part) => without(part, span)), [whole])
		.reduce((sum, { from, to }) => sum + to - from, 0);
	const durations = accounts
		.flatMap(({ attempts }) => attempts)
		.filter((attempt) => attempt.startedAt <= startedAt && attempt.endedAt >= run.startedAt)
		.map((attempt) => attempt.endedAt - attempt.startedAt);
	const longest = Math.max(0, ...durations);
	const inLineMs = MAX_STATUS_INTERVAL_MS * statusesBefore(world, run, accounts);
	const maxMs = maxGapMs(world, accounts, whole) + 2 * longest + inLineMs;
	world.expect('statusWaits', waitMs <= maxMs, run.name);
}

/** After a 429, status requests start no more often than this. */
const MAX_STATUS_INTERVAL_MS = 1_000;

/** How many status requests were in line before this one. */
const statusesBefore = (world: World, run: RunRecord, accounts: AccountRecord[]) =>
	world.runs.filter(
		(other) =>
			other.kind === 'status' &&
			other !== run &&
			other.startedAt <= run.startedAt &&
			(other.attempts[0]?.startedAt ?? other.endedAt) >= run.startedAt &&
			accountsOf(other).some((account) => accounts.includes(account)),
	).length;

/** What is left of a span without another one. */
const without = ({ from, to }: Span, other: Span): Span[] =>
	[span(from, Math.min(to, other.from)), span(Math.max(from, other.to), to)].filter(
		(part) => part.to > part.from,
	);

/** A run may find out that the account is still refused, and no more. */
const MAX_HOPELESS_ATTEMPTS = 3;

function checkGivingUp(world: World, run: RunRecord, account: AccountRecord): void {
	for (const { from, to } of refusedSpansOf(account)) {
		const hopeless = run.attempts.filter(
			({ message, startedAt, reply }) =>
				message.account === account &&
				reply?.meaning === 'refused' &&
				startedAt > from + run.maxWaitMs &&
				startedAt < to,
		);
		// Others may start while the response to the first one is late.
		const knownAt = Math.min(...hopeless.map(({ endedAt }) => endedAt));
		const known = hopeless.filter(({ startedAt }) => startedAt > knownAt);
		world.expect('ignoresLastingRefusal', known.length <= MAX_HOPELESS_ATTEMPTS, run.name);
	}
}
