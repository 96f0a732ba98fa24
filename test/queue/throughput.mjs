// `npm run bench:queue`: messages per second with one, two and four workers, and the CPU time of each process.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

import { startQueueMode } from '../../live/modes/queueMode.mjs';
import { stopAll } from '../../live/process/launch.mjs';
import { installAll } from '../../live/workspace/install.mjs';
import { findServers } from '../../tools/servers.mjs';
import {
	CONNECTIONS,
	LATENCY_MS,
	publishDirect,
	publishProtected,
	publishStored,
	round,
	sum,
} from './measure.mjs';

const WORKERS = [1, 2, 4];
const WARM_UP = 100;
const CALLS = 300;
const ROUNDS = 3;

const servers = findServers();
await installAll();
process.on('SIGINT', async () => {
	await stopAll();
	process.exit(1);
});
const rows = [];
for (const workers of WORKERS) rows.push(tableRow(workers, await measure(workers, publishDirect)));
for (const [name, publish] of [
	['a password', publishProtected],
	['the outbox', publishStored],
]) {
	rows.push(tableRow(`2, with ${name}`, await measure(2, publish)));
}
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
