import fc from 'fast-check';

import { checkEnd } from './checks';
import { schedule } from './executions';
import { type Scenario, scenarioFor } from './scenario';
import { World } from './world';

/** Runs a scenario in virtual time, and checks everything. */
export async function simulate(scenario: Scenario): Promise<World> {
	const world = new World(scenario);
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
	world.expect('neverEnded', running() === 0, `${running()} executions are left`);
	checkEnd(world);
	return world;
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

const MAX_SHRINK_MS = 20_000;

/** Simulates the scenario of the seed. If it violates a rule, the error has the seed and the smallest scenario that violates one. */
export async function checkScenario(seed: number): Promise<void> {
	const property = fc.asyncProperty(scenarioFor(seed), async (scenario) => {
		const { violations } = await simulate(scenario);
		if (violations.length > 0) throw new Error(violations.slice(0, 10).join('\n'));
	});
	await fc.assert(property, { seed, numRuns: 1, interruptAfterTimeLimit: MAX_SHRINK_MS });
}
