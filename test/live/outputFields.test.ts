import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ALL_OPERATIONS } from '../harness/operations';
import { browserTest, useBrowser } from './browser';
import { createWorkflow, manualTrigger, messagingGateway } from './createWorkflow';
import { byTestId, openNode } from './editor';
import { live } from './live';

useBrowser();

const next = {
	id: 'next',
	name: 'Edit Fields',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: { options: {} },
};

test.each(ALL_OPERATIONS)('n8n serves the output fields of $title', async ({ parameters }) => {
	const path = `messagingGateway/1.0.0/${parameters.resource}/${parameters.operation}`;
	const response = await fetch(`${live.urls.n8n}/schemas/n8n-nodes-messaging-gateway.${path}.json`);
	expect(response.status).toBe(200);
	const file = join(__dirname, '../../nodes/MessagingGateway/outputSchemas.json');
	const schemas = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { $ref?: string }>;
	const name = `${parameters.resource}/${parameters.operation}`;
	expect(await response.json()).toEqual(schemas[schemas[name]!.$ref ?? name]);
});

browserTest('offers the output fields to the next node before anything has run', async (page) => {
	const text = { resource: 'message', operation: 'send', chatId: '4915123456789', text: 'x' };
	const workflow = await createWorkflow([manualTrigger, messagingGateway(text), next]);
	await openNode(page, workflow, next.id);
	const input = byTestId(page, 'ndv-input-panel');
	await input.getByText('Preview', { exact: true }).waitFor();
	for (const field of ['outcome', 'messageId', 'chatId', 'deliveryKey']) {
		await input.getByText(field, { exact: true }).first().waitFor();
	}
});
