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

/** The others are short, so each of their results is the mean of several runs. */
const SHORT_RUNS = 5;

async function growth({
	warmUpRounds,
	texts,
	chats,
	itemCounts,
	itemRounds,
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
	const runs = await interleave(itemCounts, itemRounds, async (items) =>
		items === itemCounts.at(-1) ? await send(items) : await meanOf(SHORT_RUNS, items, send),
	);
	return itemCounts.map((items, i) => ({ items, runs: runs[i]! }));
}

async function meanOf(
	count: number,
	items: number,
	send: (items: number) => Promise<Cost>,
): Promise<Cost> {
	const total = { wallMs: 0, cpuMs: 0 };
	for (let run = 0; run < count; run++) {
		const { wallMs, cpuMs } = await send(items);
		total.wallMs += wallMs / count;
		total.cpuMs += cpuMs / count;
	}
	return total;
}

serveSeries(growth);
