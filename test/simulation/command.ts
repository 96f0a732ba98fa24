import { checkScenario } from './simulate';

/** For dev/tools/mutations/simulation.mjs: the seed of the first scenario, and how many. Ends at the first that violates a rule. */
const [first, count] = process.argv.slice(2).map(Number) as [number, number];

async function main(): Promise<void> {
	for (let seed = first; seed < first + count; seed++) await checkScenario(seed);
}

main().catch((error: unknown) => {
	console.log(error);
	process.exitCode = 1;
});
