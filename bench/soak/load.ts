import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';

import type { INodeExecutionData, NodeParameterValueType } from 'n8n-workflow';

import type { Fault } from '../../sandbox/sandbox';
import { type Outcome, run } from '../../test/engine';
import { Polling } from '../../test/nodes/trigger/polling';
import { MEGABYTE } from '../extent';
import type { Gateway } from '../gateway';
import { texts } from '../messages';
import { built, startFiles } from '../n8n';

type Parameters = Record<string, NodeParameterValueType>;

const TEXT = {
	resource: 'message',
	operation: 'send',
	chatId: '={{ $json.chat }}',
	text: '={{ $json.text }}',
};

const TROUBLE: Fault[] = [
	{ probability: 0.05, cut: 'before' },
	{ probability: 0.05, cut: 'after' },
	{ probability: 0.05, status: 500, after: true },
	{ probability: 0.02, status: 503, retryAfter: 0 },
	{ probability: 0.005, status: 429, retryAfter: '0.005' },
];

const GARBAGE: Fault = {
	body: { contentType: 'application/json', text: `{"data":${'['.repeat(200_000)}` },
};

/** Everything that the package does, once: messages, files, trouble, look-ups, pairing, the trigger. */
export async function loadOf(gateway: Gateway): Promise<() => Promise<number>> {
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
	const sheet = (count: number) => texts(count, 20).map((json) => ({ json: { ...json } }));
	const trigger = new Polling(
		account,
		{ event: 'deferredSettled' },
		{ nodeType: () => new built.MessagingGatewayTrigger() },
	);
	await trigger.start();

	return async () => {
		executions = 0;
		await gateway.begin(0);
		await execute(TEXT, sheet(300));
		await execute({ ...TEXT, operation: 'sendMedia', options: { concurrency: 2 } }, files);
		await execute({ resource: 'session', operation: 'status' }, sheet(30));
		await execute(
			{ resource: 'message', operation: 'inviteInfo', inviteCode: 'AbC123' },
			sheet(10),
		);

		await gateway.faults(TROUBLE);
		await execute({ ...TEXT, options: { idempotencyKey: 'automatic', maxTries: 10 } }, sheet(50));
		await gateway.faults([GARBAGE]);
		await execute({ resource: 'session', operation: 'qr', qrOutput: 'png' });
		await execute({ resource: 'deferred', operation: 'getAll' });

		await gateway.faults([]);
		await gateway.setStatus('DISCONNECTED');
		await execute({ ...TEXT, options: { windowMs: 60_000 } }, sheet(100));
		await execute({ resource: 'deferred', operation: 'getAll', returnAll: true });
		await trigger.poll();
		const { items } = await execute({ resource: 'session', operation: 'pair' });
		const waiting = { timeout: 1, pollInterval: 0.5, options: { onTimeout: 'item' } };
		await execute({ resource: 'session', operation: 'waitUntilOnline', ...waiting }, items);
		await gateway.setStatus('ONLINE');
		await trigger.poll();
		return executions;
	};
}

async function filesOnDisk(count: number): Promise<INodeExecutionData[]> {
	const store = await startFiles();
	const original = join(process.env.N8N_USER_FOLDER!, 'original.bin');
	writeFileSync(original, randomBytes(MEGABYTE));
	const location = { type: 'execution' as const, workflowId: 'workflow', executionId: '1' };
	const about = { data: '', mimeType: 'video/mp4', fileName: 'video.mp4' };
	return await Promise.all(
		Array.from({ length: count }, async (_, i) => ({
			json: { chat: String(49_151_000_000_000 + i) },
			binary: { data: await store.copyBinaryFile(location, about, original) },
		})),
	);
}
