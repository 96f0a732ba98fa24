import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';

import type {
	ICredentialType,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
} from 'n8n-workflow';

import { type Account, description, run, type RunOptions } from '../../test/harness/engine';
import { keepFilesIn, storedFile } from '../../test/harness/storedFiles';

const load = createRequire(__filename);

export const { version } = load('n8n-core/package.json') as { version: string };

/** The package as it is published. */
export const built = load('../..') as {
	MessagingGateway: new () => INodeType;
	MessagingGatewayTrigger: new () => INodeType;
	MessagingGatewayApi: new () => ICredentialType;
};

export const MEGABYTE = 1024 * 1024;

/** The default of our node. */
export const CONCURRENCY = 10;

/** Send, with one item for each text. */
export const SEND = {
	resource: 'message',
	operation: 'send',
	chatId: '={{ $json.chat }}',
	text: '={{ $json.text }}',
};

export interface Text {
	chat: string;
	text: string;
}

/** Texts for 50 chats in turn, like the rows of a customer list. */
export const createTexts = (count: number): Text[] =>
	Array.from({ length: count }, (_, i) => ({
		chat: String(49_151_000_000_000 + (i % 50)),
		text: `Message ${i + 1} of ${count}: your table is booked for 7 pm.`,
	}));

export const itemsOf = (texts: Text[]): INodeExecutionData[] =>
	texts.map((text) => ({ json: { ...text } }));

/** Counts messages that arrived after a later message of their chat. Throws unless every message arrived exactly once. */
export function countOutOfOrder(
	sent: Text[],
	delivered: Array<{ chatId: string; text?: string }>,
): number {
	const positions = new Map(sent.map(({ chat, text }, position) => [`${chat} ${text}`, position]));
	const latest = new Map<string, number>();
	let outOfOrder = 0;
	for (const { chatId, text } of delivered) {
		const position = positions.get(`${chatId} ${text}`);
		if (position === undefined) {
			throw new Error(`Never sent, or delivered twice: ${chatId} ${text}`);
		}
		positions.delete(`${chatId} ${text}`);
		if (position < (latest.get(chatId) ?? -1)) outOfOrder++;
		else latest.set(chatId, position);
	}
	if (positions.size === 0) return outOfOrder;
	throw new Error(`${positions.size} of ${sent.length} messages did not arrive.`);
}

/** Runs our node with the built credential. Throws on failure, because a failed run is not a valid measurement. */
export async function execute(options: RunOptions): Promise<INodeExecutionData[]> {
	const { items, error } = await run({
		nodeType: new built.MessagingGateway(),
		credentialType: new built.MessagingGatewayApi(),
		...options,
	});
	if (error) throw new Error(error.message);
	return items;
}

/** One file per text, on disk, which is n8n's default: none of them is in memory before it is sent. */
export async function filesOnDisk(texts: Text[], size: number): Promise<INodeExecutionData[]> {
	await keepFilesIn('filesystem');
	const bytes = randomBytes(size);
	const items: INodeExecutionData[] = [];
	for (const { chat, text } of texts) {
		const data = await storedFile(bytes, { mimeType: 'video/mp4', fileName: `${text}.mp4` });
		items.push({ json: { chat }, binary: { data } });
	}
	return items;
}

/** Per name, sends the texts and resolves to the time and the CPU time that it took, in ms. */
export type Senders = Record<string, (texts: Text[]) => Promise<{ ms: number; cpuMs: number }>>;

/** Ways to send texts in this process. */
export const sendersTo = (account: Account) =>
	({
		floor: async (texts) =>
			await measureCost({
				account: { ...account, allowedHttpRequestDomains: 'all' },
				items: itemsOf(texts),
				parameters: SEND,
				nodeType: new MinimalNode(),
			}),
		ours: async (texts) => await measureCost({ account, items: itemsOf(texts), parameters: SEND }),
	}) satisfies Senders;

async function measureCost(options: RunOptions) {
	await settle();
	const cpuBefore = process.cpuUsage();
	const startedAt = performance.now();
	await execute(options);
	const ms = performance.now() - startedAt;
	const { user, system } = process.cpuUsage(cpuBefore);
	return { ms, cpuMs: (user + system) / 1000 };
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

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const output: INodeExecutionData[] = [];
		let next = 0;
		const worker = async (): Promise<void> => {
			const item = next++;
			if (item >= this.getInputData().length) return;
			const chatId = this.getNodeParameter('chatId', item);
			const text = this.getNodeParameter('text', item);
			const json = (await this.helpers.httpRequestWithAuthentication.call(
				this,
				'messagingGatewayApi',
				{
					method: 'POST',
					url: '/api/whatsapp/{token}/sendMessage',
					body: { chatId, type: 'text', text },
				},
			)) as IDataObject;
			output[item] = { json, pairedItem: { item } };
			await worker();
		};
		await Promise.all(Array.from({ length: CONCURRENCY }, worker));
		return [output];
	}
}

/**
 * Gives n8n time to create the isolate for the next run, which it does after the previous run has ended. Does not force
 * a garbage collection: that discards compiled code, and short runs then look more expensive than long ones.
 */
export const settle = async () => await delay(100);
