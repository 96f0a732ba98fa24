import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

// n8n reads these while it loads.
process.env.N8N_USER_FOLDER = mkdtempSync(join(tmpdir(), 'messaging-gateway-soak-'));
process.env.N8N_LOG_LEVEL = 'silent';

import { exitWithParent } from '../childProcess';
import { startGateway } from '../gateway';
import { startExpressions } from '../n8nEngine';
import { createLoad } from './load';
import { memoryChart } from './memoryChart';
import { memoryGrowth, type Sample, takeSample } from './sample';

const SAMPLES = 120;
/** Tolerated growth from the first half of a run to the second. */
const MAX_GROWTH_MB = 5;

async function main(): Promise<void> {
	exitWithParent();
	process.channel?.unref();
	const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
	const minutes = Number(values.minutes);
	const { samples, executions, rounds } = await soak(minutes);
	const { growth, before, after } = memoryGrowth(samples);
	const maxRss = Math.max(...samples.map(({ rss }) => rss));
	console.log(
		`${minutes} minutes, ${rounds} rounds, ${executions} executions. Heap after a garbage collection: ${before.toFixed(1)} MB in the first half, ${after.toFixed(1)} MB in the second half (medians, without the warm-up). Resident memory: at most ${maxRss.toFixed(0)} MB.`,
	);
	if (minutes >= 30) {
		writeFileSync(join(__dirname, '../../docs/soak.svg'), memoryChart(samples));
	}
	const isStable = growth <= MAX_GROWTH_MB;
	console.log(`\n${isStable ? '1 passed, 0 failed' : '0 passed, 1 failed'}`);
	rmSync(process.env.N8N_USER_FOLDER!, { recursive: true, force: true, maxRetries: 10 });
	process.exit(isStable ? 0 : 1);
}

async function soak(minutes: number) {
	await startExpressions();
	const runRound = await createLoad(await startGateway());
	const startedAt = performance.now();
	const elapsed = () => (performance.now() - startedAt) / 60_000;
	const samples: Sample[] = [];
	let executions = 0;
	let rounds = 0;
	while (elapsed() < minutes) {
		executions += await runRound();
		rounds += 1;
		if (elapsed() < (samples.length * minutes) / SAMPLES) continue;
		samples.push(await takeSample(elapsed()));
	}
	return { samples, executions, rounds };
}

void main();
