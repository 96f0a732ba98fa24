import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
} from 'n8n-workflow';

import { type Account, description } from '../test/engine';
import { post, textTo } from '../test/sandbox/client';
import type { Text } from './messages';
import { built, execute } from './n8n';

export interface Competitor {
	name: 'limit' | 'floor' | 'ours';
	send(account: Account, texts: Text[]): Promise<void>;
}

/** The default of our node. */
const CONCURRENCY = 10;

async function atOnce(count: number, work: (index: number) => Promise<void>): Promise<void> {
	let next = 0;
	const worker = async () => {
		while (next < count) await work(next++);
	};
	await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** What Node can do: sign and post, with a new connection each, as n8n makes them. */
const limit: Competitor = {
	name: 'limit',
	async send(account, texts) {
		await atOnce(texts.length, async (index) => {
			const { chat, text } = texts[index]!;
			const { status } = await post(account, 'sendMessage', textTo(chat, text));
			if (status !== 200) throw new Error(`The gateway answered ${status}.`);
		});
	},
};

const field = (name: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
});

/** What n8n can do: two fields read, and posted by its helper. No order, no pace, no care for what goes wrong. */
class Floor implements INodeType {
	description = description('floor', ['resource', 'operation', 'chatId', 'text'].map(field));

	customOperations = {
		message: {
			async send(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
				const output: INodeExecutionData[] = [];
				await atOnce(this.getInputData().length, async (item) => {
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

async function sendThrough(nodeType: INodeType, account: Account, texts: Text[]): Promise<void> {
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
	send: async (account, texts) => await sendThrough(new Floor(), account, texts),
};

export const ours: Competitor = {
	name: 'ours',
	send: async (account, texts) => await sendThrough(new built.MessagingGateway(), account, texts),
};

export const competitors = [limit, floor, ours];
