import { answer } from '../apart';
import { ours } from '../competitors';
import type { Extent } from '../extent';
import { startGateway } from '../gateway';
import { orderViolations, texts } from '../messages';
import { startExpressions } from '../n8n';
import { type Cost, costOf, inTurn } from '../rounds';

/** Our node with so many items, run by run. */
export interface Growth {
	items: number;
	runs: Cost[];
}

async function growth({
	warmUpRounds,
	rounds,
	texts: count,
	chats,
	growth: counts,
}: Extent): Promise<Growth[]> {
	await startExpressions();
	const gateway = await startGateway();
	const send = async (items: number) => {
		const messages = texts(items, chats);
		await gateway.begin(0);
		const cost = await costOf(async () => await ours.send(gateway.account, messages));
		orderViolations(messages, await gateway.delivered());
		return cost;
	};

	await inTurn([count], warmUpRounds, send);
	const runs = await inTurn(counts, rounds, send);
	return counts.map((items, i) => ({ items, runs: runs[i]! }));
}

answer(growth);
