import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import type { INodeExecutionData, NodeParameterValueType } from 'n8n-workflow';

import type { Fault } from '../sandbox/sandbox';
import { run } from '../../test/harness/engine';
import { OPERATIONS, prepare, quickParameters } from '../../test/harness/operations';
import { Polling } from '../../test/harness/polling';
import { built, createTexts, filesOnDisk, itemsOf, MEGABYTE, SEND } from './engine';
import { startGateway } from './gateway';
import { median } from './series';

const SAMPLES = 120;
/** Compiling code and filling caches takes memory at first. */
const WARM_UP_SHARE = 0.2;
/** Tolerated growth from the first half of a run to the second. */
const MAX_GROWTH_MB = 5;

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

async function main(): Promise<void> {
	const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
	const minutes = Number(values.minutes);
	const runRound = await createLoad();
	const startedAt = performance.now();
	const elapsed = () => (performance.now() - startedAt) / 60_000;
	/** Heap and buffers after a garbage collection, in MB. */
	const live: number[] = [];
	let maxRss = 0;
	let rounds = 0;
	for (; elapsed() < minutes; rounds += 1) {
		await runRound();
		if (elapsed() < (live.length * minutes) / SAMPLES) continue;
		// Sockets that are closing and timers that are about to expire are not leaks.
		await delay(1_000);
		globalThis.gc!();
		const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
		live.push((heapUsed + arrayBuffers) / MEGABYTE);
		maxRss = Math.max(maxRss, rss / MEGABYTE);
	}
	const measured = live.slice(Math.ceil(live.length * WARM_UP_SHARE));
	const half = Math.floor(measured.length / 2);
	const before = median(measured.slice(0, half));
	const after = median(measured.slice(half));
	console.log(
		`${minutes} minutes, ${rounds} rounds. Heap after a garbage collection: ${before.toFixed(1)} MB in the first half, ${after.toFixed(1)} MB in the second half (medians, without the warm-up). Resident memory: at most ${maxRss.toFixed(0)} MB.`,
	);
	const isStable = after - before <= MAX_GROWTH_MB;
	console.log(`\n${isStable ? '1 passed, 0 failed' : '0 passed, 1 failed'}`);
	process.exit(isStable ? 0 : 1);
}

/**
 * Returns a function that runs one round, which uses everything in the package: all operations, many messages, files,
 * failures, deferred deliveries and the trigger.
 */
async function createLoad(): Promise<() => Promise<void>> {
	const gateway = await startGateway();
	const { account } = gateway;
	const files = await filesOnDisk(createTexts(4), MEGABYTE);
	const credentialType = new built.MessagingGatewayApi();
	const execute = async (parameters: object, items?: INodeExecutionData[]) =>
		await run({
			credentialType,
			nodeType: new built.MessagingGateway(),
			account,
			parameters: parameters as Record<string, NodeParameterValueType>,
			items,
			settings: { onError: 'continueErrorOutput' },
		});
	const nodeType = () => new built.MessagingGatewayTrigger();
	const trigger = new Polling(account, { event: 'deferredSettled' }, { nodeType });
	await trigger.start();

	return async () => {
		await gateway.reset(0);
		for (const operation of OPERATIONS) {
			const parameters = await prepare(operation, account, gateway);
			const items = operation.needsFile ? files : undefined;
			await execute({ ...quickParameters(operation), ...parameters }, items);
		}
		await gateway.reset(0);
		await execute(SEND, itemsOf(createTexts(300)));

		await gateway.faults(RANDOM_FAULTS);
		const options = { idempotencyKey: 'automatic' };
		await execute(
			{ ...SEND, options, advancedOptions: { maxTries: 10 } },
			itemsOf(createTexts(50)),
		);
		await gateway.faults([INVALID_JSON]);
		await execute({ resource: 'session', operation: 'qr', qrOutput: 'png' });
		await execute({ resource: 'deferred', operation: 'getAll' });

		await gateway.faults([]);
		await gateway.setStatus('DISCONNECTED');
		await execute({ ...SEND, options: { deliveryWindow: 1 } }, itemsOf(createTexts(100)));
		await trigger.poll();
		const { items } = await execute({ resource: 'session', operation: 'pair' });
		const wait = { timeout: 1, pollInterval: 0.5, options: { onTimeout: 'item' } };
		await execute({ resource: 'session', operation: 'waitUntilOnline', ...wait }, items);
		await gateway.setStatus('ONLINE');
		await trigger.poll();
	};
}

void main();
