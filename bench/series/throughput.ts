import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { countOutOfOrder, createTexts } from '../measuring/messages';
import { interleave } from '../measuring/timing';
import type { Gateway } from '../receiver/gateway';
import type { Section } from '../report/section';
import { type Row, type Run, throughputSection } from '../report/throughput';
import { engineSenders, type Sender } from '../senders/engine';
import type { Load, Workload } from '../workload';

/** `npm start` creates this file when the installation is complete. */
const INSTALLED = join(__dirname, '../../live/node_modules/.complete');

export async function throughput(gateway: Gateway, workload: Workload): Promise<Section> {
	const { engineLoads, realN8nLoads } = workload;
	const rows: Row[] = [];
	const measure = async (environment: Row['environment'], load: Load, senders: Sender[]) => {
		const runs = await measureLoad(gateway, load, senders, workload);
		senders.forEach(({ name, concurrency }, i) => {
			rows.push({ environment, name, concurrency, load, runs: runs[i]! });
		});
	};

	const inEngine = engineSenders(gateway.account);
	for (const load of engineLoads) await measure('engine', load, inEngine);
	if (!existsSync(INSTALLED)) return throughputSection(rows, undefined, workload);
	const { startRealN8n, version } = await import('../senders/realN8n.mjs');
	const n8n = await startRealN8n(gateway);
	try {
		for (const load of realN8nLoads) await measure('n8n', load, await n8n.senders(load));
	} finally {
		await n8n.stop();
	}
	return throughputSection(rows, version, workload);
}

async function measureLoad(
	gateway: Gateway,
	{ latencyMs, texts }: Load,
	senders: Sender[],
	{ warmUpRounds, rounds, chats }: Workload,
): Promise<Run[][]> {
	const messages = createTexts(texts, chats);
	const runAt =
		(latencyMs: number) =>
		async ({ name, send }: Sender): Promise<Run> => {
			await gateway.reset(latencyMs);
			const cost = await send(messages);
			if (name === 'Telegram') return cost;
			return { ...cost, outOfOrder: countOutOfOrder(messages, await gateway.delivered()) };
		};
	await interleave(senders, warmUpRounds, runAt(0));
	return await interleave(senders, rounds, runAt(latencyMs));
}
