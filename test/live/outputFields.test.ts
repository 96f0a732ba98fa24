import { browserTest, useBrowser } from './browser';
import { createWorkflow, manualTrigger, messagingGateway } from './createWorkflow';
import { byTestId, openNode } from './editor';

useBrowser();

const next = {
	id: 'next',
	name: 'Edit Fields',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: { options: {} },
};

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
