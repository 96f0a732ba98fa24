// `npm run bench:queue`: messages per second with one, two and four workers, and what each process costs for it.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

import { watchCpuOfThoseIn } from '../../bench/inN8n/cpu.ts';
import { installAll } from '../../live/installation.mjs';
import { stopAll } from '../../live/launch.mjs';
import { startQueueMode } from '../../live/queueMode.mjs';
import { findServers } from '../../tools/servers.mjs';
import { newTexts } from './calls.mjs';
import { executionsOf } from './executions.mjs';
import { controlOf } from './gateway.mjs';
import { startLoad } from './load.mjs';
import { publishWorkflow } from './workflow.mjs';

const WORKERS = [1, 2, 4];
const WARM_UP = 100;
const CALLS = 300;
const ROUNDS = 3;
const CALLERS = 10;
const LATENCY_MS = 50;

const servers = findServers();
await installAll();
process.on('SIGINT', async () => {
	await stopAll();
	process.exit(1);
});
const rows = [];
for (const workers of WORKERS) rows.push(row(workers, await measured(workers)));
console.log(`
${CALLS} calls of one text each, ${CALLERS} callers who call again when they are answered, a gateway that answers after ${LATENCY_MS} ms,
${availableParallelism()} CPUs for everything, n8n's settings as they come; the median of ${ROUNDS} rounds. CPU in ms per message.

| Workers | Messages/s | Accepted/s | Main | Webhook process | Workers | PostgreSQL | Redis | Gateway | Callers | All | CPUs busy |
| ------- | ---------- | ---------- | ---- | --------------- | ------- | ---------- | ----- | ------- | ------- | --- | --------- |
${rows.join('\n')}`);

async function measured(workers) {
	const home = mkdtempSync(join(tmpdir(), 'messaging-gateway-queue-'));
	try {
		const queue = await startQueueMode({ home, servers, workers });
		await round(queue, WARM_UP);
		const rounds = [];
		for (let i = 0; i < ROUNDS; i += 1) rounds.push(await round(queue, CALLS));
		return rounds.sort((one, other) => one.perSecond - other.perSecond)[Math.floor(ROUNDS / 2)];
	} finally {
		await stopAll();
		rmSync(home, { recursive: true, force: true });
	}
}

/** From the first call until the last execution has ended. */
async function round(queue, count) {
	const gateway = controlOf(queue.gateway);
	await gateway.begin(LATENCY_MS);
	const workflow = await publishWorkflow(queue);
	const cpu = watchCpu(queue);
	const startedAt = performance.now();
	const load = startLoad({ url: workflow.url, calls: newTexts(count), connections: CALLERS });
	await load.ended;
	const acceptedMs = performance.now() - startedAt;
	await executionsOf(queue, workflow.id).settled();
	const wallMs = performance.now() - startedAt;
	const cpuMs = cpu();

	const { delivered } = await gateway.state();
	if (delivered.length !== count)
		throw new Error(`${delivered.length} of ${count} were delivered.`);
	return {
		perSecond: (count * 1000) / wallMs,
		acceptedPerSecond: (count * 1000) / acceptedMs,
		cpuPerMessage: cpuMs.map((ms) => ms / count),
		busy: sum(cpuMs) / wallMs,
	};
}

function watchCpu({ main, webhooks, workers, postgres, redis, gateway }) {
	const groups = [
		[main.home],
		[webhooks.home],
		workers.map(({ home }) => home),
		[postgres.folder],
		[redis.folder],
		[join(gateway.home, 'sandbox')],
	].map((folders) => folders.map((folder) => watchCpuOfThoseIn(folder)));
	const ours = process.cpuUsage();
	return () => {
		const { user, system } = process.cpuUsage(ours);
		return [...groups.map((watches) => sum(watches.map((cpu) => cpu()))), (user + system) / 1000];
	};
}

function sum(numbers) {
	return numbers.reduce((total, number) => total + number, 0);
}

function row(workers, { perSecond, acceptedPerSecond, cpuPerMessage, busy }) {
	const costs = [...cpuPerMessage, sum(cpuPerMessage)].map((ms) => ms.toFixed(1));
	const cells = [
		workers,
		perSecond.toFixed(0),
		acceptedPerSecond.toFixed(0),
		...costs,
		busy.toFixed(1),
	];
	return `| ${cells.join(' | ')} |`;
}
