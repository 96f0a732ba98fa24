import { ALL_OPERATIONS } from '../harness/operations';
import { browserTest, useBrowser } from './browser';
import { choose, chooseAction, openNodePanel, optionsOf, byTestId } from './editor';
import { createWorkflow } from './createWorkflow';
import { live } from './live';
import { agent, connections, sendTool } from './reviews';

useBrowser();

browserTest('finds the node in the panel and lists all its operations', async (page) => {
	await openNodePanel(page, 'messaging gateway');
	await chooseAction(page, 'Send text message');

	const operations = ALL_OPERATIONS.map(({ title }) => title.split(' > ') as [string, string]);
	const resources = [...new Set(operations.map(([resource]) => resource))];
	expect(await optionsOf(page, 'resource')).toEqual([...resources, 'Custom API Call']);
	for (const resource of resources) {
		await choose(page, 'resource', resource);
		const expected = operations.filter(([of]) => of === resource).map(([, name]) => name);
		expect(await optionsOf(page, 'operation')).toEqual([...expected, 'Custom API Call']);
	}
});

// n8n offers what has an operation sendAndWait and webhooks, whatever its category.
browserTest('is offered as the human review of a tool', async (page) => {
	const tool = sendTool('Send message');
	const workflow = await createWorkflow([agent(), tool], {
		connections: connections([[tool.name, 'Agent', 'ai_tool']]),
	});
	await page.goto(`${live.urls.n8n}/workflow/${workflow}`);
	await byTestId(page, 'edge').first().dispatchEvent('mouseenter');
	await byTestId(page, 'add-connection-button').first().click();
	const found = byTestId(page, 'node-creator-item-name').getByText('Messaging Gateway', {
		exact: true,
	});
	await found.waitFor();
});

browserTest('lists the package under Community nodes', async (page) => {
	await page.goto(`${live.urls.n8n}/settings/community-nodes`);
	await page.getByText('n8n-nodes-messaging-gateway', { exact: true }).waitFor();
	await page.getByText('2 nodes:').waitFor();
});
