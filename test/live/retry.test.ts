import { inBrowser, picture, useBrowser } from './browser';
import { part } from './editor';
import { live } from './live';
import { publishWorkflow } from './n8n';
import { messagingGateway, newWorkflow } from './newWorkflow';
import { sandbox } from './sandbox';

useBrowser();
beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});

for (const choice of ['Retry with original workflow', 'Retry with currently saved workflow']) {
	inBrowser(`${choice}: a message that had arrived already arrives once`, async (page) => {
		await page.goto(`${live.urls.n8n}/workflow/${await runWithoutAnAnswer()}/executions`);
		const executions = part(page, 'current-executions-list');
		await executions.getByText('Error').waitFor();
		expect((await sandbox.state()).delivered).toHaveLength(1);

		await part(page, 'execution-preview-retry-button').click();
		await page.getByText(choice).click();
		await executions.getByText('Succeeded').click();
		const ours = part(page, 'canvas-node').filter({ hasText: 'Messaging Gateway' });
		await part(ours, 'canvas-node-status-success').waitFor();
		await ours.dblclick();
		await part(page, 'output-panel')
			.getByRole('cell', { name: 'duplicate', exact: true })
			.waitFor();
		await picture(page, 'retry');
		expect((await sandbox.state()).delivered).toHaveLength(1);
		expect((await sandbox.requests()).map(({ outcome }) => outcome)).toEqual(['cut', 'answered']);
	});
}

/** A published workflow, run once: the gateway took the message, and nobody was told. */
async function runWithoutAnAnswer(): Promise<string> {
	const path = crypto.randomUUID();
	const options = { idempotencyKey: 'automatic', maxTries: 1 };
	const workflow = await newWorkflow([
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

function webhook(path: string) {
	return {
		id: 'webhook',
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		webhookId: path,
		parameters: { httpMethod: 'POST', path, options: {} },
	};
}
