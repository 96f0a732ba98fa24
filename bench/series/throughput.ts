import { serveSeries } from '../childProcess';
import { type Competitor, competitors } from '../competitors';
import { startGateway } from '../gateway';
import { countOutOfOrder, createTexts } from '../messages';
import { startExpressions } from '../n8nEngine';
import type { ExecutionCost } from '../realN8n/n8n';
import type { SendWorkflow } from '../realN8n/workflows';
import { interleave, measureCost } from '../timing';
import { CONCURRENCY, type Workload } from '../workload';

export interface Run extends ExecutionCost {
	outOfOrder: number;
}

/** One sender under one load. */
export interface Row {
	/** In this process (with n8n's engine, or without any n8n), or in a complete n8n. */
	environment: 'engine' | 'n8n';
	latencyMs: number;
	tls: boolean;
	texts: number;
	/** How many requests the sender has in flight at most. */
	concurrency: number | 'all';
	name: Competitor['name'] | SendWorkflow['name'];
	runs: Run[];
}

export interface Throughput {
	expressions: string;
	rows: Row[];
}

async function throughput({ warmUpRounds, rounds, texts, chats, latenciesMs }: Workload) {
	const expressions = await startExpressions();
	const gateway = await startGateway();
	const messages = createTexts(texts, chats);
	const runAt = (latencyMs: number) => async (competitor: Competitor) => {
		await gateway.reset(latencyMs);
		const cost = await measureCost(async () => await competitor.send(gateway.account, messages));
		return { ...cost, outOfOrder: countOutOfOrder(messages, await gateway.delivered()) };
	};

	await interleave(competitors, warmUpRounds, runAt(0));
	const rows: Row[] = [];
	for (const latencyMs of latenciesMs) {
		const runs = await interleave(competitors, rounds, runAt(latencyMs));
		competitors.forEach(({ name }, i) => {
			const row = { latencyMs, texts, name, concurrency: CONCURRENCY, runs: runs[i]! };
			rows.push({ environment: 'engine', tls: false, ...row });
		});
	}
	return { expressions, rows } satisfies Throughput;
}

serveSeries(throughput);
