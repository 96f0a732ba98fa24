import { countOutOfOrder, createTexts } from '../measuring/messages';
import { built, execute, SEND } from '../measuring/n8nEngine';
import { type Cost, interleave, measureCost } from '../measuring/timing';
import type { Gateway } from '../receiver/gateway';
import { integer, median, medianRatio, type Section, table, target } from '../report/section';
import { sendInEngine } from '../senders/engine';
import { MEGABYTE, type Workload } from '../workload';

/** Runs with few items are short, so each of their results is the mean of several. */
const SHORT_RUNS = 5;
const SAMPLES = 20;

export async function manyItems(gateway: Gateway, workload: Workload): Promise<Section> {
	const { itemCounts, itemRounds } = workload;
	const [few, many] = itemCounts.map(integer);
	const costs = await interleave(itemCounts, itemRounds, async (items) => {
		const runs = items === itemCounts[0] ? SHORT_RUNS : 1;
		return await costPerItem(gateway, createTexts(items * runs, workload.chats), items);
	});
	const all = (i: number, cost: keyof Cost) => costs[i]!.map((round) => round[cost]);
	const growth = (cost: keyof Cost) => {
		const measured = medianRatio(all(1, cost), all(0, cost));
		return { measured, atMost: 1.2, unit: '×' } as const;
	};
	const times = itemCounts.map((_, i) => median(all(i, 'wallMs')));
	const { input, output, own } = await liveMemory(gateway, workload);
	return {
		targets: [
			target(`Time per item, ${many} items in one run / ${few}`, growth('wallMs')),
			target(`CPU per item, ${many} items in one run / ${few}`, growth('cpuMs')),
			target(`Live memory of our node with ${many} items, without n8n's items`, {
				measured: own,
				atMost: 50,
				unit: 'MB',
			}),
		],
		markdown: `## Many items in one run

Our Send in n8n's engine at 0 ms latency, ${itemRounds} rounds; for the smaller number, each round is the mean of ${SHORT_RUNS} runs. With ${many} items, live memory (heap and buffers after a garbage collection, ${SAMPLES} times during one run) was at most ${own.toFixed(0)} MB more than n8n's items, which took ${input.toFixed(0)} MB (input) and ${output.toFixed(0)} MB (output).

${table(
	['Items', 'Time per item', 'Relative to the minimum', 'CPU per item'],
	itemCounts.map((items, i) => [
		integer(items),
		`${times[i]!.toFixed(2)} ms`,
		`${(times[i]! / Math.min(...times)).toFixed(2)} ×`,
		`${median(all(i, 'cpuMs')).toFixed(2)} ms`,
	]),
)}`,
	};
}

async function costPerItem(
	{ account, reset, delivered }: Gateway,
	texts: ReturnType<typeof createTexts>,
	itemsPerRun: number,
): Promise<Cost> {
	await reset(0);
	const mean = { wallMs: 0, cpuMs: 0 };
	for (let start = 0; start < texts.length; start += itemsPerRun) {
		const items = texts.slice(start, start + itemsPerRun);
		const { wallMs, cpuMs } = await measureCost(async () => await sendInEngine(account, items));
		mean.wallMs += wallMs / texts.length;
		mean.cpuMs += cpuMs / texts.length;
	}
	countOutOfOrder(texts, await delivered());
	return mean;
}

/** In MB: of n8n's items, and the most of anything else at any time of the run. */
async function liveMemory({ account, reset }: Gateway, { itemCounts, chats }: Workload) {
	const count = itemCounts[1];
	const samples: Array<{ sent: number; live: number }> = [];
	const credentialType = new built.MessagingGatewayApi();
	const { authenticate } = credentialType;
	if (typeof authenticate !== 'function') throw new Error('The credential has no function.');
	let sent = 0;
	credentialType.authenticate = async (...given) => {
		sent += 1;
		if (sent % (count / SAMPLES) === 0) samples.push({ sent, live: liveMegabytes() });
		return await authenticate(...given);
	};
	await reset(0);
	const before = liveMegabytes();
	const items = createTexts(count, chats).map((text) => ({ json: { ...text } }));
	const withInput = liveMegabytes();
	const outcome = await execute({ account, credentialType, items, parameters: SEND });
	const output = liveMegabytes() - withInput;
	if (outcome.items.length !== count) throw new Error('Some items are missing.');
	// The output items grow with each message.
	const own = samples.map(({ sent, live }) => live - withInput - (output * sent) / count);
	return { input: withInput - before, output, own: Math.max(...own) };
}

function liveMegabytes(): number {
	globalThis.gc!();
	const { heapUsed, external } = process.memoryUsage();
	return (heapUsed + external) / MEGABYTE;
}
