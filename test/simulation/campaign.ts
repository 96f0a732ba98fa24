import fc from 'fast-check';

import { scenarioFor } from './arbitraries';
import { Coverage } from './coverage';
import type { Rule } from './rules';
import { ANNOUNCEMENTS, FAULTS, type Scenario } from './scenario';
import { simulate } from './simulate';
import type { Violation } from './world';

export interface Failure {
	/** Gives the same scenario again. */
	seed: number;
	/** The smallest scenario that was found. */
	scenario: Scenario;
	violations: Violation[];
}

interface Options {
	/** The seed of the first scenario; the next ones follow by 1. */
	seed: number;
	scenarios: number;
	known?: readonly Rule[];
	/** Ends after this many failures. */
	maxFailures?: number;
	onFailure?: (failure: Failure) => void;
	onProgress?: (done: number) => void;
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
	'rate: several paced runs of an account',
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

/** Runs many scenarios, each from its own seed, and shrinks those that fail. */
export async function simulateMany({
	seed,
	scenarios,
	known,
	maxFailures = 1,
	onFailure,
	onProgress,
}: Options): Promise<{ failures: Failure[]; coverage: Coverage; steps: number; done: number }> {
	const coverage = new Coverage();
	const failures: Failure[] = [];
	let steps = 0;
	let done = 0;
	while (done < scenarios && failures.length < maxFailures) {
		const result = await simulateOne(seed + done, coverage, known);
		steps += result.steps;
		if (result.failure) {
			failures.push(result.failure);
			onFailure?.(result.failure);
		}
		done += 1;
		onProgress?.(done);
	}
	return { failures, coverage, steps, done };
}

/** Shrinking a scenario stops after this many attempts, or when a better one takes too long. */
const MAX_SHRINKS = 2_000;
const MAX_SHRINK_MS = 20_000;

async function simulateOne(seed: number, coverage: Coverage, known?: readonly Rule[]) {
	let steps: number | undefined;
	let runs = 0;
	let failure: Failure | undefined;
	let shrinkUntil = Infinity;
	const property = fc.asyncProperty(scenarioFor(seed), async (scenario) => {
		runs += 1;
		if (failure && (runs > MAX_SHRINKS || performance.now() > shrinkUntil)) return true;
		const result = await simulate(scenario, failure ? new Coverage() : coverage, known);
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
