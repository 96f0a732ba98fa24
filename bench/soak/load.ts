import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeExecutionData, NodeParameterValueType } from 'n8n-workflow';

import type { Fault } from '../../sandbox/sandbox';
import { type Outcome, run } from '../../test/harness/engine';
import { Polling } from '../../test/harness/polling';
import type { Gateway } from '../gateway';
import { createTexts } from '../messages';
import { built, startFileStorage } from '../n8nEngine';
import { MEGABYTE } from '../workload';

type Parameters = Record<string, NodeParameterValueType>;

const SEND_TEXT = {
	resource: 'message',
	operation: 'send',
	chatId: '={{ $json.chat }}',
	text: '={{ $json.text }}',
};

const RANDOM_FAULTS: Fault[] = [
	{ probability: 0.05, cut: 'before' },
	{ probability: 0.05, cut: 'after' },
	{ probability: 0.05, status: 500, after: true },
	{ probability: 0.02, status: 503, retryAfter: 0 },
	{ probability: 0.005, status: 429, retryAfter: '0.005' },
];

const INVALID_JSON: Fault = {
	body: { contentType: 'application/json', text: `{"data":${'['.repeat(200_000)}` },
};

/**
 * Returns a function that runs one round and resolves to the number of executions. A round uses everything in the
 * package: messages, files, failures, read operations, pairing and the trigger.
 */
export async function createLoad(gateway: Gateway): Promise<() => Promise<number>> {
	const { account } = gateway;
	const files = await filesOnDisk(4);
	const credentialType = new built.MessagingGatewayApi();
	let executions = 0;
	const execute = async (
		parameters: Parameters,
		items?: INodeExecutionData[],
	): Promise<Outcome> => {
		executions += 1;
		const nodeType = new built.MessagingGateway();
		const settings = { onError: 'continueErrorOutput' } as const;
		return await run({ credentialType, nodeType, account, parameters, items, settings });
	};
	const textItems = (count: number) =>
		createTexts(count, 20).map((json) => ({ json: { ...json } }));
	const trigger = new Polling(
		account,
		{ event: 'deferredSettled' },
		{ nodeType: () => new built.MessagingGatewayTrigger() },
	);
	await trigger.start();

	return async () => {
		executions = 0;
		await gateway.reset(0);
		await execute(SEND_TEXT, textItems(300));
		await execute({ ...SEND_TEXT, operation: 'sendMedia', options: { concurrency: 2 } }, files);
		await execute({ resource: 'session', operation: 'status' }, textItems(30));
		await execute(
			{ resource: 'message', operation: 'inviteInfo', inviteCode: 'AbC123' },
			textItems(10),
		);

		await gateway.faults(RANDOM_FAULTS);
		const retried = { idempotencyKey: 'automatic', maxTries: 10 };
		await execute({ ...SEND_TEXT, options: retried }, textItems(50));
		await gateway.faults([INVALID_JSON]);
		await execute({ resource: 'session', operation: 'qr', qrOutput: 'png' });
		await execute({ resource: 'deferred', operation: 'getAll' });

		await gateway.faults([]);
		await gateway.setStatus('DISCONNECTED');
		await execute(
			{ ...SEND_TEXT, options: { deliveryWindow: { values: { amount: 1, unit: 'minutes' } } } },
			textItems(100),
		);
		await execute({ resource: 'deferred', operation: 'getAll', returnAll: true });
		await trigger.poll();
		const { items } = await execute({ resource: 'session', operation: 'pair' });
		const wait = { timeout: 1, pollInterval: 0.5, options: { onTimeout: 'item' } };
		await execute({ resource: 'session', operation: 'waitUntilOnline', ...wait }, items);
		await gateway.setStatus('ONLINE');
		await trigger.poll();
		return executions;
	};
}

async function filesOnDisk(count: number): Promise<INodeExecutionData[]> {
	const storage = await startFileStorage();
	const original = join(process.env.N8N_USER_FOLDER!, 'original.bin');
	writeFileSync(original, randomBytes(MEGABYTE));
	const location = { type: 'execution' as const, workflowId: 'workflow', executionId: '1' };
	const metadata = { data: '', mimeType: 'video/mp4', fileName: 'video.mp4' };
	return await Promise.all(
		Array.from({ length: count }, async (_, i) => ({
			json: { chat: String(49_151_000_000_000 + i) },
			binary: { data: await storage.copyBinaryFile(location, metadata, original) },
		})),
	);
}
