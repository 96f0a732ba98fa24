import { serveSeries } from '../childProcess';
import { ours } from '../competitors';
import { startGateway } from '../gateway';
import { countOutOfOrder, createTexts } from '../messages';
import { startExpressions } from '../n8nEngine';
import { type Cost, interleave, measureCost } from '../timing';
import type { Workload } from '../workload';

/** Our node with this number of items. */
export interface Growth {
	items: number;
	runs: Cost[];
}

async function growth({
	warmUpRounds,
	rounds,
	texts,
	chats,
	itemCounts,
}: Workload): Promise<Growth[]> {
	await startExpressions();
	const gateway = await startGateway();
	const send = async (items: number) => {
		const messages = createTexts(items, chats);
		await gateway.reset(0);
		const cost = await measureCost(async () => await ours.send(gateway.account, messages));
		countOutOfOrder(messages, await gateway.delivered());
		return cost;
	};

	await interleave([texts], warmUpRounds, send);
	const runs = await interleave(itemCounts, rounds, send);
	return itemCounts.map((items, i) => ({ items, runs: runs[i]! }));
}

serveSeries(growth);
