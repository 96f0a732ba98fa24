// `npm run bench:queue`: messages per second with one, two and four workers, and the CPU time of each process.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

import { startQueueMode } from '../../live/modes/queueMode.mjs';
import { stopAll } from '../../live/process/launch.mjs';
import { installAll } from '../../live/workspace/install.mjs';
import { findServers } from '../../tools/servers.mjs';
import { watchCpu } from '../harness/cpu.ts';
import { createOutboxCalls, createTextCalls } from './calls.mjs';
import { executionsOf } from './executions.mjs';
import { startLoad } from './load.mjs';
import { publishOutbox } from './outbox.mjs';
import { sandboxControl } from './sandboxControl.mjs';
import { publishWorkflow } from './workflow.mjs';

const WORKERS = [1, 2, 4];
const OUTBOX_WORKERS = 2;
const WARM_UP = 100;
const CALLS = 300;
const ROUNDS = 3;
const CONNECTIONS = 10;
const LATENCY_MS = 50;
/** No run crashes. */
const RELEASE_SECONDS = 300;

const servers = findServers();
await installAll();
process.on('SIGINT', async () => {
	await stopAll();
	process.exit(1);
});
const rows = [];
for (const workers of WORKERS) rows.push(tableRow(workers, await measure(workers, publishDirect)));
rows.push(tableRow(`${OUTBOX_WORKERS}, outbox`, await measure(OUTBOX_WORKERS, publishStored)));
console.log(`
${CALLS} calls with one text each from ${CONNECTIONS} connections that do not pause between calls. Gateway latency: ${LATENCY_MS} ms.
${availableParallelism()} CPUs for all processes, default settings of n8n. Median of ${ROUNDS} rounds. CPU time in ms per message.

| Workers | Messages/s | Accepted/s | Main | Webhook process | Workers | PostgreSQL | Redis | Gateway | Load generator | Total | Busy CPUs |
| ------- | ---------- | ---------- | ---- | --------------- | ------- | ---------- | ----- | ------- | -------------- | ----- | --------- |
${rows.join('\n')}`);

async function measure(workers, publish) {
	const home = mkdtempSync(join(tmpdir(), 'messaging-gateway-queue-'));
	try {
		const queue = await startQueueMode({ home, servers, workers });
		await round(queue, WARM_UP, publish);
		const rounds = [];
		for (let i = 0; i < ROUNDS; i += 1) rounds.push(await round(queue, CALLS, publish));
		return rounds.sort((a, b) => a.perSecond - b.perSecond)[Math.floor(ROUNDS / 2)];
	} finally {
		await stopAll();
		rmSync(home, { recursive: true, force: true });
	}
}

/** The messages are sent by the executions that the calls start. */
async function publishDirect(queue, count) {
	const workflow = await publishWorkflow(queue);
	return {
		url: workflow.url,
		calls: createTextCalls(count),
		async waitUntilSent() {
			await executionsOf(queue, workflow.id).waitUntilFinished();
		},
	};
}

/** The calls are stored as rows, which another execution sends. */
async function publishStored(queue, count) {
	const outbox = await publishOutbox(queue, { releaseSeconds: RELEASE_SECONDS });
	return {
		url: outbox.url,
		calls: createOutboxCalls(count, outbox.login),
		waitUntilSent: async () => await outbox.waitUntil(({ sent = 0 }) => sent === count),
		stop: async () => await outbox.stop(),
	};
}

/** From the first call until the last message is sent. */
async function round(queue, count, publish) {
	const gateway = sandboxControl(queue.gateway);
	await gateway.reset(LATENCY_MS);
	const { url, calls, waitUntilSent, stop } = await publish(queue, count);
	const cpu = watchAllCpu(queue);
	const startedAt = performance.now();
	const load = startLoad({ url, calls, connections: CONNECTIONS });
	await load.finished;
	const acceptedMs = performance.now() - startedAt;
	await waitUntilSent();
	const wallMs = performance.now() - startedAt;
	const cpuMs = cpu();
	await stop?.();

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

function watchAllCpu({ main, webhooks, workers, postgres, redis, gateway }) {
	const groups = [
		[main.home],
		[webhooks.home],
		workers.map(({ home }) => home),
		[postgres.folder],
		[redis.folder],
		[join(gateway.home, 'sandbox')],
	].map((folders) => folders.map((folder) => watchCpu(folder)));
	const ownCpu = process.cpuUsage();
	return () => {
		const { user, system } = process.cpuUsage(ownCpu);
		return [
			...groups.map((watches) => sum(watches.map((readCpu) => readCpu()))),
			(user + system) / 1000,
		];
	};
}

function sum(numbers) {
	return numbers.reduce((total, number) => total + number, 0);
}

function tableRow(workers, { perSecond, acceptedPerSecond, cpuPerMessage, busyCpus }) {
	const costs = [...cpuPerMessage, sum(cpuPerMessage)].map((ms) => ms.toFixed(1));
	const cells = [
		workers,
		perSecond.toFixed(0),
		acceptedPerSecond.toFixed(0),
		...costs,
		busyCpus.toFixed(1),
	];
	return `| ${cells.join(' | ')} |`;
}
