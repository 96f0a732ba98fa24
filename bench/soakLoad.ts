import type { INodeExecutionData, NodeParameterValueType } from 'n8n-workflow';

import type { Fault } from '../sandbox/sandbox';
import { type Outcome, run } from '../test/harness/engine';
import { OPERATIONS, prepare, quickParameters } from '../test/harness/operations';
import { Polling } from '../test/harness/polling';
import { createTexts } from './measuring/messages';
import { built, filesOnDisk, SEND } from './measuring/n8nEngine';
import type { Gateway } from './receiver/gateway';
import { MEGABYTE } from './workload';

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
 * package: all operations, many messages, files, failures, deferred deliveries and the trigger.
 */
export async function createLoad(gateway: Gateway): Promise<() => Promise<number>> {
	const { account } = gateway;
	const files = await filesOnDisk(createTexts(4, 4), MEGABYTE);
	const credentialType = new built.MessagingGatewayApi();
	let executions = 0;
	const execute = async (parameters: object, items?: INodeExecutionData[]): Promise<Outcome> => {
		executions += 1;
		return await run({
			credentialType,
			nodeType: new built.MessagingGateway(),
			account,
			parameters: parameters as Record<string, NodeParameterValueType>,
			items,
			settings: { onError: 'continueErrorOutput' },
		});
	};
	const textItems = (count: number) =>
		createTexts(count, 20).map((json) => ({ json: { ...json } }));
	const nodeType = () => new built.MessagingGatewayTrigger();
	const trigger = new Polling(account, { event: 'deferredSettled' }, { nodeType });
	await trigger.start();

	return async () => {
		executions = 0;
		await gateway.reset(0);
		for (const operation of OPERATIONS) {
			const parameters = await prepare(operation, account, gateway);
			const items = operation.needsFile ? files : undefined;
			await execute({ ...quickParameters(operation), ...parameters }, items);
		}
		await gateway.reset(0);
		await execute(SEND, textItems(300));

		await gateway.faults(RANDOM_FAULTS);
		const retried = { idempotencyKey: 'automatic', maxTries: 10 };
		await execute({ ...SEND, options: retried }, textItems(50));
		await gateway.faults([INVALID_JSON]);
		await execute({ resource: 'session', operation: 'qr', qrOutput: 'png' });
		await execute({ resource: 'deferred', operation: 'getAll' });

		await gateway.faults([]);
		await gateway.setStatus('DISCONNECTED');
		const deliveryWindow = { values: { amount: 1, unit: 'minutes' } };
		await execute({ ...SEND, options: { deliveryWindow } }, textItems(100));
		await trigger.poll();
		const { items } = await execute({ resource: 'session', operation: 'pair' });
		const wait = { timeout: 1, pollInterval: 0.5, options: { onTimeout: 'item' } };
		await execute({ resource: 'session', operation: 'waitUntilOnline', ...wait }, items);
		await gateway.setStatus('ONLINE');
		await trigger.poll();
		return executions;
	};
}
