import { browserTest, useBrowser } from './browser';
import { byTestId } from './editor';
import { live } from './live';
import { publishWorkflow } from './n8n';
import { createWorkflow, messagingGateway, webhook } from './createWorkflow';
import { sandbox, useSandbox } from './sandbox';

useBrowser();
useSandbox();

browserTest(
	'Retry with original workflow: does not send a message again that has already arrived',
	async (page) => {
		const path = crypto.randomUUID();
		const send = messagingGateway({
			...{ chatId: '={{ $json.body.phone }}', text: 'Hello' },
			...{ options: { idempotencyKey: 'automatic' }, advancedOptions: { maxTries: 1 } },
		});
		const workflow = await createWorkflow([webhook(path), send]);
		await publishWorkflow(workflow);
		// The gateway accepts the message, but the response is lost.
		await sandbox.faults([{ endpoint: 'sendMessage', times: 1, cut: 'after' }]);
		const body = new URLSearchParams({ phone: '+44 7700 900123' });
		const url = `${live.urls.n8n}/webhook/${path}`;
		expect((await fetch(url, { method: 'POST', body })).status).toBe(200);

		await page.goto(`${live.urls.n8n}/workflow/${workflow}/executions`);
		const executions = byTestId(page, 'current-executions-list');
		await executions.getByText('Error').waitFor();
		expect((await sandbox.state()).delivered).toHaveLength(1);

		await byTestId(page, 'execution-preview-retry-button').click();
		await page.getByText('Retry with original workflow').click();
		await executions.getByText('Succeeded').click();
		const ours = byTestId(page, 'canvas-node').filter({ hasText: 'Messaging Gateway' });
		await byTestId(ours, 'canvas-node-status-success').waitFor();
		await ours.dblclick();
		await byTestId(page, 'output-panel')
			.getByRole('cell', { name: 'duplicate', exact: true })
			.waitFor();
		expect((await sandbox.state()).delivered).toHaveLength(1);
		expect((await sandbox.requests()).map(({ outcome }) => outcome)).toEqual(['cut', 'answered']);
	},
);
