import { browserTest, screenshot, useBrowser } from './browser';
import { createWorkflow, manualTrigger, messagingGateway } from './createWorkflow';
import { byTestId, execute, openNode } from './editor';
import { sandbox } from './sandbox';

useBrowser();
beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});

const items = (count: number) => ({
	id: 'items',
	name: 'Items',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: {
		jsCode: `return Array.from({ length: ${count} }, (_, i) => ({ json: { order: i } }));`,
	},
});

const RATE = 'More than 50 messages, sent as fast as the gateway allows';
const RETRY = 'Retry On Fail is on, and messages were sent without an idempotency key';
const KEY = "All items have the same 'Idempotency Key'";

const send = (options: object) =>
	messagingGateway({
		...{ resource: 'message', operation: 'send', chatId: '447700900123' },
		...{ text: '={{ $json.order }}', options },
	});

browserTest('warns before many messages without a rate, and not with one', async (page) => {
	for (const [options, count] of [
		[{}, 1],
		[{ messagesPerMinute: 6000 }, 0],
	] as const) {
		await openNode(page, await createWorkflow([manualTrigger, items(60), send(options)]));
		await execute(page);
		expect(await byTestId(page, 'output-panel').getByText(RATE).count()).toBe(count);
		await screenshot(page, `hint-rate-${count}`);
	}
});

browserTest(
	'warns before one idempotency key for several items, and not before one per item',
	async (page) => {
		for (const [idempotencyKey, count] of [
			['order', 1],
			['=order-{{ $json.order }}', 0],
		] as const) {
			const node = send({ idempotencyKey });
			await openNode(page, await createWorkflow([manualTrigger, items(3), node]));
			await execute(page);
			expect(await byTestId(page, 'output-panel').getByText(KEY).count()).toBe(count);
			await screenshot(page, `hint-key-${count}`);
		}
	},
);

browserTest(
	'warns about Retry On Fail without an idempotency key, and not with one',
	async (page) => {
		for (const [options, count] of [
			[{}, 1],
			[{ idempotencyKey: 'automatic' }, 0],
		] as const) {
			const node = { ...send(options), retryOnFail: true };
			await openNode(page, await createWorkflow([manualTrigger, items(1), node]));
			await execute(page);
			expect(await byTestId(page, 'output-panel').getByText(RETRY).count()).toBe(count);
			await screenshot(page, `hint-retry-${count}`);
		}
	},
);
