import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
} from 'n8n-workflow';

import { post, textTo } from '../../test/harness/client';
import { type Account, description } from '../../test/harness/engine';
import type { Text } from '../measuring/messages';
import { execute, SEND } from '../measuring/n8nEngine';
import { type Cost, measureCost } from '../measuring/timing';
import { CONCURRENCY } from '../workload';

/** One way to send texts. */
export interface Sender {
	name: 'limit' | 'floor' | 'ours' | 'chain' | 'Telegram';
	/** How many requests it has in flight at most. */
	concurrency: number | 'all';
	send(this: void, texts: Text[]): Promise<Cost>;
}

/** In this process: without n8n, and with n8n's engine. */
export function engineSenders(account: Account): Sender[] {
	const sender = (name: Sender['name'], send: (texts: Text[]) => Promise<void>): Sender => ({
		name,
		concurrency: CONCURRENCY,
		send: async (texts) => await measureCost(async () => await send(texts)),
	});
	return [
		sender('limit', async (texts) => await sendWithoutN8n(account, texts)),
		sender('floor', async (texts) => await sendInEngine(account, texts, new MinimalNode())),
		sender('ours', async (texts) => await sendInEngine(account, texts)),
	];
}

/** Signs and posts, with a new connection per request like n8n. */
async function sendWithoutN8n(account: Account, texts: Text[]): Promise<void> {
	await concurrently(texts.length, async (index) => {
		const { chat, text } = texts[index]!;
		const { status } = await post(account, 'sendMessage', textTo(chat, text));
		if (status !== 200) throw new Error(`The gateway responded with ${status}.`);
	});
}

/** With our node, unless another is given. */
export async function sendInEngine(
	account: Account,
	texts: Text[],
	nodeType?: INodeType,
): Promise<void> {
	const items = texts.map((text) => ({ json: { ...text } }));
	await execute({ account, items, parameters: SEND, ...(nodeType && { nodeType }) });
}

const field = (name: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
});

/** Reads two fields and posts them with n8n's helper. No order, no rate limiter, no error handling. */
class MinimalNode implements INodeType {
	description = description('floor', ['resource', 'operation', 'chatId', 'text'].map(field));

	customOperations = {
		message: {
			async send(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
				const output: INodeExecutionData[] = [];
				await concurrently(this.getInputData().length, async (item) => {
					const json = (await this.helpers.httpRequestWithAuthentication.call(
						this,
						'messagingGatewayApi',
						{
							method: 'POST',
							url: '/api/whatsapp/{token}/sendMessage',
							body: {
								chatId: this.getNodeParameter('chatId', item),
								type: 'text',
								text: this.getNodeParameter('text', item),
							},
						},
					)) as IDataObject;
					output[item] = { json, pairedItem: { item } };
				});
				return [output];
			},
		},
	};
}

async function concurrently(count: number, work: (index: number) => Promise<void>): Promise<void> {
	let next = 0;
	const worker = async () => {
		while (next < count) await work(next++);
	};
	await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
