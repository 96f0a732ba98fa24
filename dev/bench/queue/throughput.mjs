// `node --import tsx dev/bench/queue/throughput.mjs`: messages per second with one, two and four workers, and the CPU time of each process.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

import { startQueueMode } from '../../live/modes/queueMode.mjs';
import { stopAll } from '../../live/process/launch.mjs';
import { installAll } from '../../live/workspace/install.mjs';
import { findServers } from '../../tools/servers.mjs';
import { watchCpu } from '../../../test/harness/cpu.ts';
import { createTextCalls } from '../../../test/queue/calls.mjs';
import { executionsOf } from '../../../test/queue/executions.mjs';
import { startLoad } from '../../../test/queue/load.mjs';
import { sandboxControl } from '../../../test/queue/sandboxControl.mjs';
import { publishWorkflow } from '../../../test/queue/workflow.mjs';

const WORKERS = [1, 2, 4];
const WARM_UP = 100;
const CALLS = 300;
const ROUNDS = 3;
const CONNECTIONS = 10;
const LATENCY_MS = 50;

const servers = findServers();
await installAll();
process.on('SIGINT', async () => {
	await stopAll();
	process.exit(1);
});
const rows = [];
for (const workers of WORKERS) rows.push(tableRow(workers, await measure(workers)));
console.log(`
${CALLS} calls with one text each from ${CONNECTIONS} connections that do not pause between calls. Gateway latency: ${LATENCY_MS} ms.
${availableParallelism()} CPUs for all processes, default settings of n8n. Median of ${ROUNDS} rounds. CPU time in ms per message.

| Workers | Messages/s | Accepted/s | Main | Webhook process | Workers | PostgreSQL | Redis | Gateway | Load generator | Total | Busy CPUs |
| ------- | ---------- | ---------- | ---- | --------------- | ------- | ---------- | ----- | ------- | -------------- | ----- | --------- |
${rows.join('\n')}`);

async function measure(workers) {
	const home = mkdtempSync(join(tmpdir(), 'messaging-gateway-queue-'));
	try {
		const queue = await startQueueMode({ home, servers, workers });
		await round(queue, WARM_UP);
		const rounds = [];
		for (let i = 0; i < ROUNDS; i += 1) rounds.push(await round(queue, CALLS));
		return rounds.sort((a, b) => a.perSecond - b.perSecond)[Math.floor(ROUNDS / 2)];
	} finally {
		await stopAll();
		rmSync(home, { recursive: true, force: true });
	}
}

/** Sends this many messages and measures from the first call until the last message is sent. */
async function round(queue, count) {
	const gateway = sandboxControl(queue.gateway);
	await gateway.reset(LATENCY_MS);
	const { id, url } = await publishWorkflow(queue);
	const cpu = watchAllCpu(queue);
	const startedAt = performance.now();
	const load = startLoad({ url, calls: createTextCalls(count), connections: CONNECTIONS });
	await load.finished;
	const acceptedMs = performance.now() - startedAt;
	await executionsOf(queue, id).waitUntilFinished();
	const wallMs = performance.now() - startedAt;
	const cpuMs = cpu();

	const { delivered } = await gateway.state();
	if (delivered.length !== count)
		throw new Error(`${delivered.length} of ${count} messages were delivered.`);
	return {
		perSecond: (count * 1000) / wallMs,
		acceptedPerSecond: (count * 1000) / acceptedMs,
		cpuPerMessage: cpuMs.map((ms) => ms / count),
		busyCpus: sum(cpuMs) / wallMs,
	};
}

/** Main, webhook process, workers, PostgreSQL, Redis, gateway, load generator. */
function watchAllCpu({ main, webhooks, workers, postgres, redis, gateway }) {
	const groups = [
		...[[main.home], [webhooks.home], workers.map(({ home }) => home)],
		...[[postgres.folder], [redis.folder], [join(gateway.home, 'sandbox')]],
	].map((folders) => folders.map((folder) => watchCpu(folder)));
	const ownCpu = process.cpuUsage();
	return () => {
		const { user, system } = process.cpuUsage(ownCpu);
		const others = groups.map((watches) => sum(watches.map((readCpu) => readCpu())));
		return [...others, (user + system) / 1000];
	};
}

function tableRow(workers, { perSecond, acceptedPerSecond, cpuPerMessage, busyCpus }) {
	const costs = [...cpuPerMessage, sum(cpuPerMessage), busyCpus].map((each) => each.toFixed(1));
	const rates = [perSecond, acceptedPerSecond].map((rate) => rate.toFixed(0));
	return `| ${[workers, ...rates, ...costs].join(' | ')} |`;
}

function sum(numbers) {
	return numbers.reduce((total, number) => total + number, 0);
}
