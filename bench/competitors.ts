import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
} from 'n8n-workflow';

import { post, textTo } from '../test/harness/client';
import { type Account, description } from '../test/harness/engine';
import type { Text } from './messages';
import { built, execute } from './n8nEngine';
import { CONCURRENCY } from './workload';

export interface Competitor {
	name: 'limit' | 'floor' | 'ours';
	send(account: Account, texts: Text[]): Promise<void>;
}

async function concurrently(count: number, work: (index: number) => Promise<void>): Promise<void> {
	let next = 0;
	const worker = async () => {
		while (next < count) await work(next++);
	};
	await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** Node.js without n8n: signs and posts, with a new connection per request like n8n. */
const limit: Competitor = {
	name: 'limit',
	async send(account, texts) {
		await concurrently(texts.length, async (index) => {
			const { chat, text } = texts[index]!;
			const { status } = await post(account, 'sendMessage', textTo(chat, text));
			if (status !== 200) throw new Error(`The gateway responded with ${status}.`);
		});
	},
};

const field = (name: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
});

/** A minimal n8n node: reads two fields and posts them with n8n's helper. No order, no rate limiter, no error handling. */
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

async function sendWith(nodeType: INodeType, account: Account, texts: Text[]): Promise<void> {
	await execute({
		nodeType,
		account,
		items: texts.map((text) => ({ json: { ...text } })),
		parameters: {
			resource: 'message',
			operation: 'send',
			chatId: '={{ $json.chat }}',
			text: '={{ $json.text }}',
		},
	});
}

const floor: Competitor = {
	name: 'floor',
	send: async (account, texts) => await sendWith(new MinimalNode(), account, texts),
};

export const ours: Competitor = {
	name: 'ours',
	send: async (account, texts) => await sendWith(new built.MessagingGateway(), account, texts),
};

export const competitors = [limit, floor, ours];
