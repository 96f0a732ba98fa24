import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { serveSeries } from '../childProcess';
import { type Gateway, startGateway } from '../gateway';
import { countOutOfOrder, createTexts, type Text } from '../messages';
import { type RealN8n, startRealN8n } from '../realN8n/n8n';
import { type SendWorkflow, sendWorkflows } from '../realN8n/workflows';
import { interleave } from '../timing';
import type { Workload } from '../workload';
import type { Row, Run } from './throughput';

export interface RealN8nThroughput {
	version: string;
	rows: Row[];
}

async function realN8n(workload: Workload): Promise<RealN8nThroughput> {
	const gateway = await startGateway();
	const home = process.env.N8N_USER_FOLDER!;
	const n8n = await startRealN8n(home, trusting(gateway, home));
	try {
		return { version: n8n.version, rows: await measureAll(n8n, gateway, workload) };
	} finally {
		await n8n.stop();
	}
}

/** The variable with which Node.js trusts the certificate of the gateway. */
function trusting({ tls }: Gateway, home: string): NodeJS.ProcessEnv {
	if (!tls) return {};
	const file = join(home, 'certificate.pem');
	writeFileSync(file, tls.certificate);
	return { NODE_EXTRA_CA_CERTS: file };
}

interface Contestant extends Pick<SendWorkflow, 'name' | 'concurrency'> {
	run: (messages: Text[], latencyMs: number) => Promise<Run>;
}

async function measureAll(
	n8n: RealN8n,
	gateway: Gateway,
	{ warmUpRounds, rounds, chats, realN8nLoads }: Workload,
): Promise<Row[]> {
	const rows: Row[] = [];
	for (const [index, load] of realN8nLoads.entries()) {
		const contestants = await publishAll(n8n, sendWorkflows(gateway, load), index);
		const messages = createTexts(load.texts, chats);
		const measure =
			(latencyMs: number) =>
			async ({ run }: Contestant) =>
				await run(messages, latencyMs);
		// The code is compiled after the first load. The others only need their workflows to be loaded.
		await interleave(contestants, index === 0 ? warmUpRounds : 1, measure(0));
		const runs = await interleave(contestants, rounds, measure(load.latencyMs));
		contestants.forEach(({ name, concurrency }, i) => {
			const { latencyMs, tls, texts } = load;
			const row = { latencyMs, tls, texts, name, concurrency, runs: runs[i]! };
			rows.push({ environment: 'n8n', ...row });
		});
	}
	return rows;
}

async function publishAll(
	n8n: RealN8n,
	workflows: SendWorkflow[],
	load: number,
): Promise<Contestant[]> {
	return await Promise.all(
		workflows.map(async ({ name, concurrency, steps, receiver }) => {
			const execute = await n8n.publish(`load-${load}-${name}-${concurrency}`, steps);
			return {
				name,
				concurrency,
				async run(messages, latencyMs) {
					await receiver.reset(latencyMs);
					const cost = await execute(messages);
					const delivered = await receiver.delivered();
					return { ...cost, outOfOrder: countOutOfOrder(messages, delivered) };
				},
			} satisfies Contestant;
		}),
	);
}

serveSeries(realN8n);
