import { checkEnd } from './checks';
import type { Coverage } from './coverage';
import { INTERVAL_MS } from './engine';
import { schedule } from './executions';
import type { RunRecord } from './records';
import type { Rule } from './rules';
import type { ExecutionSpec, Scenario } from './scenario';
import { type Violation, World } from './world';

export interface Outcome {
	world: World;
	violations: Violation[];
	/** The number of events, a measure of the work. */
	steps: number;
}

/** Runs a scenario in virtual time, and checks everything. */
export async function simulate(
	scenario: Scenario,
	coverage: Coverage,
	known?: readonly Rule[],
): Promise<Outcome> {
	const world = new World(scenario, coverage, known);
	const { clock } = world;
	const running = schedule(world);
	const latest = longestTime(scenario);
	let isLeft = true;
	await clock.run(() => {
		if (isLeft && running() === 0) {
			isLeft = false;
			checkRemains(world);
		}
		return clock.now() > latest || clock.turn > MAX_STEPS;
	});
	if (running() > 0) world.violates('neverEnded', `${running()} executions are left`);
	else checkSteps(world);
	checkEnd(world);
	return { world, violations: world.violations, steps: clock.turn };
}

/** No scenario needs nearly as many. */
const MAX_STEPS = 20_000_000;

/** All executions have ended, so nothing may wait any more. */
function checkRemains(world: World): void {
	const { clock } = world;
	if (clock.sleeping > 0) {
		world.violates('leaked', `${clock.sleeping} waits after the last execution`);
	}
}

/** Far longer than the scenario takes if every message fails as slowly as possible, and one after the other. */
function longestTime({ executions, gateways }: Scenario): number {
	const ends = gateways.flatMap(({ outages }) =>
		outages.map(({ fromMs, durationMs }) => fromMs + durationMs),
	);
	// The time to refill a token.
	const slots = gateways.map(({ bucket }) => 1_000 / (bucket?.perSecond ?? Infinity));
	const sum = executions.reduce((total, spec) => total + longestExecution(spec), 0);
	return 3 * (sum + Math.max(0, ...ends)) * (1 + Math.max(0, ...slots) / 1_000) + 3_600_000;
}

function longestExecution(spec: ExecutionSpec): number {
	if (spec.kind === 'status') {
		return spec.atMs + spec.times * (spec.everyMs + spec.timeoutMs);
	}
	const attempt = spec.timeoutMs + spec.maxWaitMs + INTERVAL_MS(spec.perMinute) * 2 + 1_000;
	const { reading, batch } = spec;
	const message =
		spec.parts * spec.maxTries * (attempt + batch.breakMs) + reading.busyMs + reading.waitMs;
	const tries = spec.retryOnFail?.tries ?? 1;
	const run = tries * (spec.count * message + (spec.retryOnFail?.waitMs ?? 0));
	return spec.atMs + spec.times * (spec.everyMs + run);
}

/** While it waits, a message may check what has changed, this often. */
const CHECK_MS = 20;

function checkSteps(world: World): void {
	const { clock, runs, scenario } = world;
	const waits = ({ startedAt, endedAt, concurrency, messages }: RunRecord) =>
		((endedAt - startedAt) / CHECK_MS) * Math.min(concurrency, messages.size);
	const attempts = runs.reduce((sum, run) => sum + run.attempts.length, 0);
	const messages = runs.reduce((sum, run) => sum + run.messages.size, 0);
	const waiting = runs.reduce((sum, run) => sum + waits(run), 0);
	const limit = 1_000 + scenario.executions.length + 50 * attempts + 20 * messages + waiting;
	if (clock.turn > limit) world.violates('tooManySteps', `${clock.turn}, not ${limit}`);
}
