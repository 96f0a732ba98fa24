import { parseArgs } from 'node:util';

import { simulateMany } from './campaign';
import { RULES } from './rules';

const { values } = parseArgs({
	options: {
		scenarios: { type: 'string', default: '100000' },
		seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000_000)) },
		failures: { type: 'string', default: '5' },
	},
});

let lastAt = performance.now(); let lastCpu = 0;
async function main() {
	const seed = Number(values.seed);
	const scenarios = Number(values.scenarios);
	const startedAt = performance.now();
	const result = await simulateMany({ seed, scenarios, maxFailures: Number(values.failures), onProgress: (n) => { const now = performance.now(); if (process.env.SLOW) { const cpu = process.cpuUsage(); const ms = (cpu.user - lastCpu) / 1000; lastCpu = cpu.user; if (ms > Number(process.env.SLOW)) console.log('slow', seed + n - 1, ms); }; lastAt = now; } });
	const seconds = (performance.now() - startedAt) / 1_000;
	for (const { seed: own, scenario, violations } of result.failures) {
		console.log(`\nseed ${own}`, JSON.stringify(scenario));
		for (const { rule, at, details } of violations.slice(0, 10)) console.log(`${at} ms ${rule} (${RULES[rule]}): ${details}`);
	}
	for (const [name, count] of [...result.coverage.counts].sort()) console.log(name, count);
	console.log('cpu', process.cpuUsage().user / 1e6);console.log(`${result.done} scenarios in ${seconds} s, ${result.done/seconds} per s, steps ${result.steps / result.done}`);
}
void main();
