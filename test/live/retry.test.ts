import { browserTest, useBrowser } from './browser';
import { byTestId } from './editor';
import { live } from './live';
import { publishWorkflow } from './n8n';
import { createWorkflow, messagingGateway, webhook } from './createWorkflow';
import { sandbox } from './sandbox';

useBrowser();
beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});

browserTest(
	'Retry with original workflow: does not send a message again that has already arrived',
	async (page) => {
		await page.goto(`${live.urls.n8n}/workflow/${await runWithLostResponse()}/executions`);
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

/** Runs a published workflow once. The gateway accepts the message, but the response is lost. */
async function runWithLostResponse(): Promise<string> {
	const path = crypto.randomUUID();
	const options = { idempotencyKey: 'automatic', maxTries: 1 };
	const workflow = await createWorkflow([
		webhook(path),
		messagingGateway({ chatId: '={{ $json.body.phone }}', text: 'Hello', options }),
	]);
	await publishWorkflow(workflow);
	await sandbox.faults([{ endpoint: 'sendMessage', times: 1, cut: 'after' }]);
	const body = new URLSearchParams({ phone: '+44 7700 900123' });
	const url = `${live.urls.n8n}/webhook/${path}`;
	expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
	return workflow;
}
