import { parseArgs } from 'node:util';

import { describeFailure, expectedCoverage, simulateOne } from './campaign';
import { KNOWN_DEFECTS } from './rules';
import { Coverage } from './coverage';

/** `node test/simulation/main.mjs`. Exits with 1 if a rule is violated, or if something never happened. */
const { values } = parseArgs({
	options: {
		scenarios: { type: 'string', default: '100000' },
		/** Of the first scenario. */
		seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 30)) },
		/** Ends after this many failed scenarios. */
		failures: { type: 'string', default: '3' },
		/** Prints only failures, and does not measure what happened. */
		quiet: { type: 'boolean', default: false },
	},
});

/** In fewer scenarios, rare things may not happen. */
const ENOUGH_SCENARIOS = 20_000;
const PROGRESS_MS = 10_000;

async function main(): Promise<number> {
	const seed = Number(values.seed);
	const scenarios = Number(values.scenarios);
	if (!Number.isInteger(seed) || !Number.isInteger(scenarios)) throw new Error('Not a number');
	const startedAt = performance.now();
	let shownAt = startedAt;
	const coverage = new Coverage();
	let [done, steps, failures] = [0, 0, 0];
	while (done < scenarios && failures < Number(values.failures)) {
		const result = await simulateOne(seed + done, coverage);
		done += 1;
		steps += result.steps;
		if (result.failure) {
			failures += 1;
			console.log(`\n${describeFailure(result.failure)}`);
		}
		if (values.quiet || performance.now() - shownAt < PROGRESS_MS) continue;
		shownAt = performance.now();
		console.log(`${done} scenarios, ${perSecond(done, startedAt)} per second`);
	}
	if (values.quiet) return failures > 0 ? 1 : 0;

	console.log(`\n${done} scenarios from seed ${seed}, ${perSecond(done, startedAt)} per second`);
	console.log(`${Math.round(steps / done)} events per scenario, ${memory()} MB`);
	console.log(`${failures} scenarios violate a rule`);
	console.log(`Rules that are known to be violated: ${KNOWN_DEFECTS.join(', ') || 'none'}\n`);
	for (const [name, count] of [...coverage.counts].sort()) {
		console.log(`${String(count).padStart(12)}  ${name}`);
	}
	const missing = expectedCoverage.filter((name) => !coverage.counts.has(name));
	console.log(`\nNever happened: ${missing.join(', ') || 'nothing'}`);
	const isIncomplete = done >= ENOUGH_SCENARIOS && missing.length > 0;
	return failures > 0 || isIncomplete ? 1 : 0;
}

const perSecond = (count: number, since: number) =>
	Math.round((count / (performance.now() - since)) * 1_000);

const memory = () => Math.round(process.memoryUsage().rss / 2 ** 20);

main().then(
	(code) => (process.exitCode = code),
	(error: unknown) => {
		console.error(error);
		process.exitCode = 2;
	},
);
