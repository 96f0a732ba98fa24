import type { INodeExecutionData } from 'n8n-workflow';

import { serveSeries } from '../childProcess';
import { startGateway } from '../gateway';
import { createTexts } from '../messages';
import { built, execute, startExpressions } from '../n8nEngine';
import type { Workload } from '../workload';

/** Live memory in bytes, after a garbage collection: heap and buffers. */
export interface ManyItems {
	items: number;
	inputItems: number;
	outputItems: number;
	/** The most at any time of the run, without the input items and the output items that exist by then. */
	own: number;
}

const SAMPLES = 20;

function liveMemory(): number {
	globalThis.gc!();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

async function manyItems({ itemCounts, chats, texts }: Workload): Promise<ManyItems> {
	await startExpressions();
	const gateway = await startGateway();
	const samples: { sent: number; live: number }[] = [];
	let sent = 0;
	let sampleEvery = Infinity;
	const credentialType = new built.MessagingGatewayApi();
	const { authenticate } = credentialType;
	if (typeof authenticate !== 'function') throw new Error('The credential has no function.');
	credentialType.authenticate = async (...given) => {
		sent += 1;
		if (sent % sampleEvery === 0) samples.push({ sent, live: liveMemory() });
		return await authenticate(...given);
	};
	const send = async (list: INodeExecutionData[]) => {
		await gateway.reset(0);
		return await execute({
			nodeType: new built.MessagingGateway(),
			credentialType,
			account: gateway.account,
			items: list,
			parameters: {
				resource: 'message',
				operation: 'send',
				chatId: '={{ $json.chat }}',
				text: '={{ $json.text }}',
			},
		});
	};
	const createItems = (count: number): INodeExecutionData[] =>
		createTexts(count, chats).map((text) => ({ json: { ...text } }));

	await send(createItems(texts));
	const items = itemCounts.at(-1)!;
	const before = liveMemory();
	const input = createItems(items);
	const withInput = liveMemory();
	sent = 0;
	sampleEvery = items / SAMPLES;
	const outcome = await send(input);
	const after = liveMemory();
	if (outcome.items.length !== input.length) throw new Error('Some items are missing.');
	const outputItems = after - withInput;
	const own = samples.map(({ sent, live }) => live - withInput - (outputItems * sent) / items);
	return { items, inputItems: withInput - before, outputItems, own: Math.max(...own) };
}

serveSeries(manyItems);
