import { checkEnd } from './checks';
import type { Coverage } from './coverage';
import { schedule } from './executions';
import type { RunRecord } from './records';
import type { Scenario } from './scenario';
import { type Violation, World } from './world';

export interface Outcome {
	world: World;
	violations: Violation[];
	/** The number of events, a measure of the work. */
	steps: number;
}

/** Runs a scenario in virtual time, and checks everything. */
export async function simulate(scenario: Scenario, coverage?: Coverage): Promise<Outcome> {
	const world = new World(scenario, coverage);
	const { clock } = world;
	const running = schedule(world);
	const latest = longestMs(scenario);
	let isLeft = true;
	await clock.run(() => {
		if (isLeft && running() === 0) {
			isLeft = false;
			// All executions have ended, so nothing may wait any more.
			world.expect('leaked', clock.sleeping === 0, `${clock.sleeping} waits after all executions`);
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

/** Far longer than the scenario takes if every message fails as slowly as possible, and one after the other. */
function longestMs({ executions }: Scenario): number {
	const longest = executions.map((spec) => {
		if (spec.kind === 'status') return spec.times * (spec.everyMs + spec.timeoutMs);
		const requests = spec.times * spec.count * spec.parts * spec.maxTries;
		return requests * (spec.timeoutMs + spec.maxWaitMs + 20_000);
	});
	return 20 * longest.reduce((sum, ms) => sum + ms, 0) + 3_600_000;
}

/** While it waits, a message may check what has changed, this often. */
const CHECK_MS = 20;

function checkSteps(world: World): void {
	const { clock, runs, scenario } = world;
	const most = ({ startedAt, endedAt, concurrency, messages, attempts }: RunRecord) =>
		((endedAt - startedAt) / CHECK_MS) * Math.min(concurrency, messages.size) +
		50 * attempts.length +
		20 * messages.size;
	const limit = runs.reduce((sum, run) => sum + most(run), 1_000 + scenario.executions.length);
	world.expect('tooManySteps', clock.turn <= limit, `${clock.turn}, not ${limit}`);
}
