import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

// n8n reads these while it loads.
process.env.N8N_USER_FOLDER = mkdtempSync(join(tmpdir(), 'messaging-gateway-soak-'));
process.env.N8N_LOG_LEVEL = 'silent';

import { endWithParent } from '../apart';
import { MEGABYTE } from '../extent';
import { startGateway } from '../gateway';
import { startExpressions } from '../n8n';
import { curve } from './curve';
import { loadOf } from './load';

/** Of the process that runs n8n's engine; the gateway is another one. */
export interface Sample {
	minute: number;
	/** After a collection of garbage, in MB. */
	heap: number;
	buffers: number;
	rss: number;
}

const SAMPLES = 120;
/** Until code is compiled and caches are filled. */
const WARM_UP_SHARE = 0.2;
/** What the second half may keep more than the first, per hour of load: less than a leak of a byte per message. */
const TOLERATED_GROWTH_MB = 5;

async function main(): Promise<void> {
	endWithParent();
	process.channel?.unref();
	const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
	const minutes = Number(values.minutes);
	const { samples, executions, rounds } = await soak(minutes);
	const { growth, from, to } = growthOf(samples);
	console.log(
		`${minutes} minutes, ${rounds} rounds, ${executions} executions: heap after a collection ${from.toFixed(1)} MB, then ${to.toFixed(1)} MB (median of the first and of the second half, without the warm-up); memory of the process at most ${Math.max(...samples.map(({ rss }) => rss)).toFixed(0)} MB.`,
	);
	if (minutes >= 30) writeFileSync(join(__dirname, '../../docs/soak.svg'), curve(samples));
	const isStable = growth <= TOLERATED_GROWTH_MB;
	console.log(`\n${isStable ? '1 passed, 0 failed' : '0 passed, 1 failed'}`);
	rmSync(process.env.N8N_USER_FOLDER!, { recursive: true, force: true, maxRetries: 10 });
	process.exit(isStable ? 0 : 1);
}

async function soak(minutes: number) {
	await startExpressions();
	const load = await loadOf(await startGateway());
	const startedAt = performance.now();
	const elapsed = () => (performance.now() - startedAt) / 60_000;
	const samples: Sample[] = [];
	let executions = 0;
	let rounds = 0;
	while (elapsed() < minutes) {
		executions += await load();
		rounds += 1;
		if (elapsed() < (samples.length * minutes) / SAMPLES) continue;
		samples.push(await sample(elapsed()));
	}
	return { samples, executions, rounds };
}

async function sample(minute: number): Promise<Sample> {
	// What ends a moment later is no leak: sockets that close, sleeps that run out.
	await pause(1_000);
	globalThis.gc!();
	const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
	return {
		minute,
		heap: heapUsed / MEGABYTE,
		buffers: arrayBuffers / MEGABYTE,
		rss: rss / MEGABYTE,
	};
}

function growthOf(samples: Sample[]) {
	const warm = samples.slice(Math.ceil(samples.length * WARM_UP_SHARE));
	const half = Math.floor(warm.length / 2);
	const from = median(warm.slice(0, half));
	const to = median(warm.slice(half));
	return { from, to, growth: to - from };
}

const median = (samples: Sample[]) =>
	samples.map(({ heap, buffers }) => heap + buffers).sort((a, b) => a - b)[samples.length >> 1]!;

void main();
