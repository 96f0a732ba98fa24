import fc from 'fast-check';

import type { Coverage } from './coverage';
import { RULES } from './rules';
import { ANNOUNCEMENTS, FAULTS, type Scenario, scenarioFor } from './scenario';
import { simulate } from './simulate';
import type { Violation } from './world';

export interface Failure {
	/** Gives the same scenario again. */
	seed: number;
	/** The smallest scenario that was found. */
	scenario: Scenario;
	violations: Violation[];
}

/** What must happen in a simulation that is large enough. */
export const expectedCoverage = [
	...FAULTS.map((fault) => `fault: ${fault}`),
	...[...ANNOUNCEMENTS, 'window'].map((name) => `limit: 429, announces ${name}`),
	...['success', 'refused', 'later', 'permanent', 'unknown', 'cancelled'].map(
		(name) => `reply: ${name}`,
	),
	...['sent', 'failed', 'not tried'].map((name) => `message: ${name}`),
	'status: not tried',
	...['deferred', 'rejected', 'duplicate, replay', 'duplicate, reject'].map(
		(name) => `response: ${name}`,
	),
	'pace: several paced runs of an account',
	'pace of an account',
	'cancelled before the start',
	'failed because of the status of the account',
	'fault: outage',
	'fault: slow response',
	'hint about the rate limit',
	'message in parts: failed after its first part',
	'message in parts: sent',
	'status: paused until the deadline',
	'throws',
	'limit: of a chat',
	'limit: plan',
	'cancelled while waiting',
	'cancelled with requests in flight',
	'failed after all attempts',
	'retry on fail',
	'stopped',
];

/** Shrinking a scenario stops after this many attempts, or when a better one takes too long. */
const MAX_SHRINKS = 2_000;
const MAX_SHRINK_MS = 20_000;

/** Simulates the scenario of the seed, and shrinks it if it fails. */
export async function simulateOne(seed: number, coverage?: Coverage) {
	let steps: number | undefined;
	let runs = 0;
	let failure: Failure | undefined;
	let shrinkUntil = Infinity;
	const property = fc.asyncProperty(scenarioFor(seed), async (scenario) => {
		runs += 1;
		if (failure && (runs > MAX_SHRINKS || performance.now() > shrinkUntil)) return true;
		const result = await simulate(scenario, failure ? undefined : coverage);
		steps ??= result.steps;
		// A smaller scenario that breaks another rule is another failure.
		const [first] = failure?.violations ?? result.violations;
		if (!result.violations.some(({ rule }) => rule === first?.rule)) return true;
		if (!failure) shrinkUntil = performance.now() + MAX_SHRINK_MS;
		failure = { seed, scenario, violations: result.violations };
		return false;
	});
	// fast-check's own report would only repeat the failure.
	await fc.check(property, { seed, numRuns: 1 });
	return { failure, steps: steps ?? 0 };
}

const MAX_LISTED = 10;

/** How to repeat a failed scenario, what it violated, and the smallest scenario that does the same. */
export function describeFailure({ seed, scenario, violations }: Failure): string {
	const listed = violations
		.slice(0, MAX_LISTED)
		.map(
			({ rule, at, details }) => `  at ${at.toFixed(1)} ms, ${rule}: ${RULES[rule]}; ${details}`,
		);
	return [
		`Repeat it with: node test/simulation/main.mjs --scenarios=1 --seed=${seed}`,
		...listed,
		JSON.stringify(scenario),
	].join('\n');
}
