import { ALL_OPERATIONS } from '../harness/operations';
import { browserTest, screenshot, useBrowser } from './browser';
import { choose, chooseAction, field, openNodePanel, optionsOf, byTestId } from './editor';

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

browserTest('finds the node when searching for whatsapp', async (page) => {
	await openNodePanel(page, 'whatsapp');
	await chooseAction(page, 'Send text message');
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
});
