import { answer } from '../apart';
import type { Extent } from '../extent';
import { startGateway } from '../gateway';
import { type RealN8n, startRealN8n } from '../inN8n/n8n';
import { type Sending, sendingsTo } from '../inN8n/sendings';
import { orderViolations, type Text, texts } from '../messages';
import { inTurn } from '../rounds';
import type { Row, Run } from './throughput';

export interface InN8n {
	version: string;
	rows: Row[];
}

async function inN8n(extent: Extent): Promise<InN8n> {
	const gateway = await startGateway();
	const n8n = await startRealN8n(process.env.N8N_USER_FOLDER!);
	try {
		const rows = await measured(await contestants(n8n, sendingsTo(gateway)), extent);
		return { version: n8n.version, rows };
	} finally {
		await n8n.stop();
	}
}

interface Contestant {
	name: Sending['name'];
	run(messages: Text[], latencyMs: number): Promise<Run>;
}

async function contestants(n8n: RealN8n, sendings: Sending[]): Promise<Contestant[]> {
	return await Promise.all(
		sendings.map(async ({ name, steps, to }) => {
			const execute = await n8n.workflow(name, steps);
			return {
				name,
				async run(messages, latencyMs) {
					await to.begin(latencyMs);
					const cost = await execute(messages);
					return { ...cost, violations: orderViolations(messages, await to.delivered()) };
				},
			} satisfies Contestant;
		}),
	);
}

async function measured(
	all: Contestant[],
	{ warmUpRounds, rounds, chats, loadsInN8n }: Extent,
): Promise<Row[]> {
	const first = texts(loadsInN8n[0]!.texts, chats);
	await inTurn(all, warmUpRounds, async (one) => await one.run(first, 0));

	const rows: Row[] = [];
	for (const { latencyMs, texts: count } of loadsInN8n) {
		const messages = texts(count, chats);
		const runs = await inTurn(all, rounds, async (one) => await one.run(messages, latencyMs));
		all.forEach(({ name }, i) => {
			rows.push({ where: 'n8n', latencyMs, texts: count, name, runs: runs[i]! });
		});
	}
	return rows;
}

answer(inN8n);
