import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';

import type { ICredentialType, INodeExecutionData, INodeType } from 'n8n-workflow';

import { type Outcome, run, type RunOptions } from '../../test/harness/engine';
import { keepFilesIn, storedFile } from '../../test/harness/storedFiles';
import type { Text } from './messages';

const load = createRequire(__filename);

export const { version } = load('n8n-core/package.json') as { version: string };

/** The package as it is published. */
export const built = load('../..') as {
	MessagingGateway: new () => INodeType;
	MessagingGatewayTrigger: new () => INodeType;
	MessagingGatewayApi: new () => ICredentialType;
};

/** Send, with one item for each text. */
export const SEND = {
	resource: 'message',
	operation: 'send',
	chatId: '={{ $json.chat }}',
	text: '={{ $json.text }}',
};

/** Runs our node with the built credential. Throws on failure, because a failed run is not a valid measurement. */
export async function execute(options: RunOptions): Promise<Outcome> {
	const outcome = await run({
		nodeType: new built.MessagingGateway(),
		credentialType: new built.MessagingGatewayApi(),
		...options,
	});
	if (outcome.error) throw new Error(outcome.error.message);
	return outcome;
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
