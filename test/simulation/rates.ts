import { INTERVAL_MS } from './engine';
import type { AccountRecord, Attempt, RunRecord } from './records';
import { isInBatches, isPaced } from './records';
import type { World } from './world';

/** Checks Messages per Minute and Batching. */
export function checkRates(world: World): void {
	for (const account of world.accounts) {
		for (const run of world.runs) {
			const attempts = run.attempts.filter(({ message }) => message.account === account);
			checkRun(world, run, startsOf(attempts));
		}
		checkAccount(world, account);
	}
}

/** Numbers are rounded. */
const ROUNDING_MS = 0.1;

/** A start that is late by no more than this does not delay the next one. */
const MAX_LATE_MS = 50;

/** A start may be late, and the next one is not: that makes a gap shorter. */
function slackMs({ scenario, clock, runs, accounts }: World): number {
	const mayBeHeld =
		runs.filter(isPaced).length > 1 ||
		accounts.some(({ firstRefusalAt }) => firstRefusalAt !== Infinity);
	const lateMs = scenario.timerDelayMs + clock.maxLatenessMs;
	return ROUNDING_MS + (mayBeHeld ? Math.max(MAX_LATE_MS, lateMs) : lateMs);
}

const interval = ({ rate }: RunRecord) => INTERVAL_MS(rate.perMinute);

const startsOf = (attempts: Attempt[]) => attempts.map(({ startedAt }) => startedAt);

function checkRun(world: World, run: RunRecord, starts: number[]): void {
	const { batch, jitter } = run.rate;
	const maxDelayMs = interval(run) * jitter + slackMs(world);
	if (run.kind === 'run' && isPaced(run)) {
		world.expect('rateOfRun', isSpaced(starts, 1, interval(run), maxDelayMs), run.name);
	}
	if (isInBatches(run)) {
		const isKept = isSpaced(starts, batch.size, batch.breakMs, maxDelayMs);
		world.expect('batchOfRun', isKept, run.name);
	}
}

/**
 * Whether the time from each start to the one `step` places later is at least `gapMs`, from each to the one `2 * step`
 * places later twice that, and so on, except for the delay that each start may have.
 */
function isSpaced(starts: number[], step: number, gapMs: number, maxDelayMs: number): boolean {
	/** The latest start by position in the step, moved to where the first one would be. */
	const latest: number[] = [];
	return starts.every((start, index) => {
		const place = index % step;
		const moved = start - Math.floor(index / step) * gapMs;
		const isLate = moved < (latest[place] ?? -Infinity) - maxDelayMs;
		latest[place] = Math.max(latest[place] ?? -Infinity, moved);
		return !isLate;
	});
}

function checkAccount(world: World, { attempts, name }: AccountRecord): void {
	const paced = attempts.filter(({ message }) => isPaced(message.run));
	const runs = new Set(paced.map(({ message }) => message.run));
	if (runs.size < 2) return;
	world.coverage.count('rate: several paced runs of an account');
	const intervals = [...runs].map(interval);
	const jitter = Math.max(...[...runs].map(({ rate }) => rate.jitter));
	const maxDelayMs = jitter * Math.max(...intervals) + slackMs(world);
	const isKept = isSpaced(startsOf(paced), 1, Math.min(...intervals), maxDelayMs);
	world.expect('ratePerAccount', isKept, name);
	for (const run of runs) checkLowestRate(world, run, paced, maxDelayMs);
}

/** Between two consecutive starts of a run, the others may not start more often than this run allows. */
function checkLowestRate(world: World, run: RunRecord, paced: Attempt[], maxDelayMs: number): void {
	const gapMs = interval(run);
	let last: { index: number; startedAt: number } | undefined;
	for (const [index, { message, startedAt }] of paced.entries()) {
		if (message.run !== run) continue;
		const elapsedMs = last ? startedAt - last.startedAt : Infinity;
		// After a longer time, the run may have had nothing to send meanwhile.
		const isConsecutive = elapsedMs < 2 * gapMs;
		if (last && isConsecutive && elapsedMs < (index - last.index) * gapMs - maxDelayMs) {
			return world.violates('lowestRateWins', run.name);
		}
		last = { index, startedAt };
	}
}
