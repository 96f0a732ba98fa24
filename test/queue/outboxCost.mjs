// `npm run bench:outbox`: the CPU time of a message through the outbox, compared with one that is sent directly, in turn in one run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startQueueMode } from '../../live/modes/queueMode.mjs';
import { stopAll } from '../../live/process/launch.mjs';
import { installAll } from '../../live/workspace/install.mjs';
import { findServers } from '../../tools/servers.mjs';
import { publishDirect, publishProtected, publishStored, round, sum } from './measure.mjs';

const WORKERS = 2;
const WARM_UP = 50;
const CALLS = Number(process.env.CALLS ?? 200);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const WAYS = {
	direct: publishDirect,
	'direct, with a password': publishProtected,
	outbox: publishStored,
};
const PROCESSES = [
	...['main', 'webhook process', 'workers', 'PostgreSQL', 'Redis', 'gateway', 'load generator'],
];

const servers = findServers();
await installAll();
process.on('SIGINT', async () => {
	await stopAll();
	process.exit(1);
});
const home = mkdtempSync(join(tmpdir(), 'messaging-gateway-queue-'));
try {
	const queue = await startQueueMode({ home, servers, workers: WORKERS });
	for (const publish of Object.values(WAYS)) await round(queue, WARM_UP, publish);
	const factors = [];
	for (let i = 0; i < ROUNDS; i += 1) {
		const costs = {};
		for (const [name, publish] of Object.entries(WAYS)) {
			const { cpuPerMessage } = await round(queue, CALLS, publish);
			costs[name] = sum(cpuPerMessage);
			const parts = PROCESSES.map((process, at) => `${process} ${cpuPerMessage[at].toFixed(1)}`);
			console.log(`${name}: ${costs[name].toFixed(1)} ms per message (${parts.join(', ')})`);
		}
		factors.push({
			all: costs.outbox / costs.direct,
			sameLogin: costs.outbox / costs['direct, with a password'],
		});
	}
	console.log(`
Medians of ${ROUNDS} rounds with ${CALLS} calls each, CPU of a message through the outbox:
${median(factors.map(({ sameLogin }) => sameLogin))} × one that is sent directly, by a webhook with a password, too
${median(factors.map(({ all }) => all))} × one that is sent directly, by a webhook without a password`);
} finally {
	await stopAll();
	rmSync(home, { recursive: true, force: true });
}

function median(values) {
	return values.sort((a, b) => a - b)[Math.floor(values.length / 2)].toFixed(2);
}
