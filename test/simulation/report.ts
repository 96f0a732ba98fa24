import type { Failure } from './campaign';
import { RULES } from './rules';

const MAX_LISTED = 10;

/** How to repeat a failed scenario, what it violated, and the smallest scenario that does the same. */
export function describeFailure({ seed, scenario, violations }: Failure): string {
	const listed = violations
		.slice(0, MAX_LISTED)
		.map(
			({ rule, at, details }) => `  at ${at.toFixed(1)} ms, ${rule}: ${RULES[rule]}; ${details}`,
		);
	return [
		`Repeat it with: npm run simulate -- --scenarios=1 --seed=${seed}`,
		...listed,
		JSON.stringify(scenario),
	].join('\n');
}
