import { answer } from '../apart';
import { type Competitor, competitors } from '../competitors';
import type { Extent } from '../extent';
import { startGateway } from '../gateway';
import type { CostInN8n } from '../inN8n/n8n';
import type { Sending } from '../inN8n/sendings';
import { orderViolations, texts } from '../messages';
import { startExpressions } from '../n8n';
import { costOf, inTurn } from '../rounds';

export interface Run extends CostInN8n {
	violations: number;
}

/** One competitor at one latency, run by run. */
export interface Row {
	/** In n8n's engine alone (or beside it), or in all of a real n8n. */
	where: 'engine' | 'n8n';
	latencyMs: number;
	texts: number;
	name: Competitor['name'] | Sending['name'];
	runs: Run[];
}

export interface Throughput {
	expressions: string;
	rows: Row[];
}

async function throughput({ warmUpRounds, rounds, texts: count, chats, latenciesMs }: Extent) {
	const expressions = await startExpressions();
	const gateway = await startGateway();
	const messages = texts(count, chats);
	const runAt = (latencyMs: number) => async (competitor: Competitor) => {
		await gateway.begin(latencyMs);
		const cost = await costOf(async () => await competitor.send(gateway.account, messages));
		return { ...cost, violations: orderViolations(messages, await gateway.delivered()) };
	};

	await inTurn(competitors, warmUpRounds, runAt(0));
	const rows: Row[] = [];
	for (const latencyMs of latenciesMs) {
		const runs = await inTurn(competitors, rounds, runAt(latencyMs));
		competitors.forEach(({ name }, i) => {
			rows.push({ where: 'engine', latencyMs, texts: count, name, runs: runs[i]! });
		});
	}
	return { expressions, rows } satisfies Throughput;
}

answer(throughput);
