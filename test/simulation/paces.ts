import { INTERVAL_MS } from './engine';
import type { AccountRecord, Attempt, RunRecord } from './records';
import { isPaced } from './records';
import type { World } from './world';

/** Numbers are rounded. */
const ROUNDING_MS = 0.1;

/** Checks the option Pace, and the pace of the account: how long after a start the next one follows at least. */
export function checkPaces(world: World): void {
	for (const account of world.accounts) {
		checkAccount(world, account);
		const paced = account.attempts.filter(({ message }) => isPaced(message.run));
		const runs = [...new Set(paced.map(({ message }) => message.run))];
		for (const run of runs) checkRun(world, run, paced);
	}
}

/** Between its turn and its request, the process may be busy. */
const slackMs = ({ clock }: World) => ROUNDING_MS + clock.maxLatenessMs;

function checkAccount(world: World, { pace, name, attempts }: AccountRecord): void {
	if (!pace) return;
	const messages = attempts.filter(({ message }) => message.run.kind === 'run');
	const starts = [0, ...messages.map(({ startedAt }) => startedAt)];
	world.expect('paceOfAccount', shortestGap(starts) >= pace.intervalMs - slackMs(world), name);
}

/** While a run sends, the others with a pace do not exceed it. */
function checkRun(world: World, run: RunRecord, paced: Attempt[]): void {
	const isOwn = ({ message }: Attempt) => message.run === run;
	// Its first message follows one of another run.
	const first = Math.max(0, paced.findIndex(isOwn) - 1);
	const starts = paced.slice(first, paced.findLastIndex(isOwn) + 1).map((one) => one.startedAt);
	const intervalMs = INTERVAL_MS(run.pace.perMinute);
	world.expect('paceOfRun', shortestGap(starts) >= intervalMs - slackMs(world), run.name);
}

const shortestGap = (starts: number[]) =>
	Math.min(...starts.slice(1).map((start, index) => start - starts[index]!));
