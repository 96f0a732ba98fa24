import { ALL_OPERATIONS } from '../harness/operations';
import { browserTest, screenshot, useBrowser } from './browser';
import { choose, chooseAction, field, openNodePanel, optionsOf, byTestId } from './editor';
import { createWorkflow } from './createWorkflow';
import { live } from './live';
import { agent, connections, sendTool } from './reviews';

useBrowser();

browserTest('finds the node in the panel and lists all its operations', async (page) => {
	await openNodePanel(page, 'messaging gateway');
	await screenshot(page, 'node-panel');
	await chooseAction(page, 'Send text message');

	const operations = ALL_OPERATIONS.map(({ title }) => title.split(' > ') as [string, string]);
	const resources = [...new Set(operations.map(([resource]) => resource))];
	expect(await optionsOf(page, 'resource')).toEqual([...resources, 'Custom API Call']);
	for (const resource of resources) {
		await choose(page, 'resource', resource);
		const expected = operations.filter(([of]) => of === resource).map(([, name]) => name);
		expect(await optionsOf(page, 'operation')).toEqual([...expected, 'Custom API Call']);
	}
	await screenshot(page, 'operations');
});

browserTest('finds the node by what it does, and says what it does', async (page) => {
	const searches = [
		'whatsapp',
		'send message',
		'bulk',
		'qr',
		'pair',
		'deferred',
		'queue',
		'notification',
		'send text',
		'send whatsapp',
		'whatsapp message',
		'text message',
		'notify',
		'reminder',
		'contact',
		'wait for response',
		'approval',
		'human review',
		'form',
	];
	await page.goto(`${live.urls.n8n}/workflow/new`);
	await byTestId(page, 'canvas-add-button').waitFor();
	await page.keyboard.press('n');
	for (const search of searches) {
		await byTestId(page, 'node-creator-search-bar').fill(search);
		const found = byTestId(page, 'item-iterator-item').filter({
			has: byTestId(page, 'node-creator-item-name').getByText('Messaging Gateway', { exact: true }),
		});
		// The text of the trigger.
		await found.getByText('Send messages, or start the workflow').waitFor();
		await screenshot(page, `search-${search.replaceAll(' ', '-')}`);
	}
});

browserTest('lists Send first among the actions', async (page) => {
	await openNodePanel(page, 'messaging gateway');
	await byTestId(page, 'node-creator-category-item').getByText('Actions').click();
	const names = byTestId(page, 'node-creator-item-name');
	await names.getByText('Send text message').waitFor();
	await names.getByText('Messaging Gateway', { exact: true }).waitFor({ state: 'detached' });
	const actions = (await names.allInnerTexts()).filter((name) => !name.startsWith('On '));
	expect(actions.slice(0, 3)).toEqual([
		'Send text message',
		'Send message and wait for response',
		'Send media message',
	]);
	await screenshot(page, 'actions');
});

browserTest('links each node to its documentation', async (page) => {
	const REPOSITORY = 'https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway';
	const links = {
		'Send text message': '#operations',
		'On session offline': '/blob/main/docs/trigger.md',
	};
	for (const [action, path] of Object.entries(links)) {
		await openNodePanel(page, 'messaging gateway');
		await byTestId(page, 'node-creator-category-item').getByText('Actions').click();
		await byTestId(page, 'node-creator-item-name').getByText(action).click();
		const docs = byTestId(page, 'ndv').getByRole('link', { name: 'Docs' });
		expect(await docs.getAttribute('href')).toBe(REPOSITORY + path);
	}
});

browserTest('lists each event of the trigger in the panel', async (page) => {
	await openNodePanel(page, 'messaging gateway');
	const names = byTestId(page, 'node-creator-item-name');
	await names.getByText('On session offline').waitFor();
	// The search results slide out while the triggers slide in.
	await names.getByText('Messaging Gateway', { exact: true }).waitFor({ state: 'detached' });
	expect(await names.allInnerTexts()).toEqual([
		'On deferred delivery added',
		'On deferred delivery settled',
		'On session offline',
		'On session status changed',
	]);
	await names.getByText('On session offline').click();
	await byTestId(page, 'ndv').waitFor();
	expect(await field(page, 'minutes').inputValue()).toBe('10');
	expect(await optionsOf(page, 'event')).toEqual([
		'Deferred Delivery Added',
		'Deferred Delivery Settled',
		'Session Offline',
		'Session Status Changed',
	]);
	await screenshot(page, 'trigger');

	await choose(page, 'event', 'Session Status Changed');
	await page.getByText('This trigger does not receive messages').waitFor();
	expect(await optionsOf(page, 'toStatuses')).toEqual([
		'AUTH_FAILURE',
		'AWAITING_QR',
		'DISCONNECTED',
		'ONLINE',
	]);
	await screenshot(page, 'trigger-statuses');
});

// n8n offers what has an operation sendAndWait and webhooks, whatever its category.
browserTest('is offered as the human review of a tool', async (page) => {
	const tool = sendTool('Send message');
	const workflow = await createWorkflow([agent(), tool], {
		connections: connections([[tool.name, 'Agent', 'ai_tool']]),
	});
	await page.goto(`${live.urls.n8n}/workflow/${workflow}`);
	await byTestId(page, 'edge').first().dispatchEvent('mouseenter');
	await screenshot(page, 'review-edge');
	await byTestId(page, 'add-connection-button').first().click();
	await screenshot(page, 'review-panel');
	const found = byTestId(page, 'node-creator-item-name').getByText('Messaging Gateway', {
		exact: true,
	});
	await found.waitFor();
});
