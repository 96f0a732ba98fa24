import { serveSeries } from '../childProcess';
import { startGateway } from '../gateway';
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
	const n8n = await startRealN8n(process.env.N8N_USER_FOLDER!);
	try {
		const contestants = await publishAll(n8n, sendWorkflows(gateway));
		return { version: n8n.version, rows: await measureAll(contestants, workload) };
	} finally {
		await n8n.stop();
	}
}

interface Contestant {
	name: SendWorkflow['name'];
	run: (messages: Text[], latencyMs: number) => Promise<Run>;
}

async function publishAll(n8n: RealN8n, workflows: SendWorkflow[]): Promise<Contestant[]> {
	return await Promise.all(
		workflows.map(async ({ name, steps, receiver }) => {
			const execute = await n8n.publish(name, steps);
			return {
				name,
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

async function measureAll(
	contestants: Contestant[],
	{ warmUpRounds, rounds, chats, realN8nLoads }: Workload,
): Promise<Row[]> {
	const warmUp = createTexts(realN8nLoads[0]!.texts, chats);
	await interleave(contestants, warmUpRounds, async ({ run }) => await run(warmUp, 0));

	const rows: Row[] = [];
	for (const { latencyMs, texts } of realN8nLoads) {
		const messages = createTexts(texts, chats);
		const runs = await interleave(
			contestants,
			rounds,
			async ({ run }) => await run(messages, latencyMs),
		);
		contestants.forEach(({ name }, i) => {
			rows.push({ environment: 'n8n', latencyMs, texts, name, runs: runs[i]! });
		});
	}
	return rows;
}

serveSeries(realN8n);
