import { inBrowser, picture, useBrowser } from './browser';
import { choose, chooseAction, field, openNodePanel, optionsOf, part } from './editor';

useBrowser();

inBrowser('the node is found in the panel and shows all it can do', async (page) => {
	await openNodePanel(page, 'messaging gateway');
	await picture(page, 'node-panel');
	await chooseAction(page, 'Send text message');

	expect(await optionsOf(page, 'resource')).toEqual([
		'Deferred Delivery',
		'Message',
		'Session',
		'Custom API Call',
	]);
	const operations: Record<string, string[]> = {
		Message: ['Get Channel Info', 'Get Invite Info', 'Send', 'Send Media'],
		Session: [
			'Get QR Code',
			'Get QR Image',
			'Get Status',
			'Pair',
			'Ping',
			'Refresh',
			'Start',
			'Terminate',
			'Wait Until Online',
		],
		'Deferred Delivery': ['Delete', 'Get', 'Get Many'],
	};
	for (const [resource, expected] of Object.entries(operations)) {
		await choose(page, 'resource', resource);
		expect(await optionsOf(page, 'operation')).toEqual([...expected, 'Custom API Call']);
	}
	await picture(page, 'operations');
});

inBrowser('people who look for whatsapp find it, too', async (page) => {
	await openNodePanel(page, 'whatsapp');
	await chooseAction(page, 'Send text message');
});

inBrowser('its trigger is found there, too, event by event', async (page) => {
	await openNodePanel(page, 'messaging gateway');
	const names = part(page, 'node-creator-item-name');
	await names.getByText('On session offline').waitFor();
	expect(await names.allInnerTexts()).toEqual([
		'Messaging Gateway',
		'On deferred delivery added',
		'On deferred delivery settled',
		'On session offline',
		'On session status changed',
	]);
	await names.getByText('On session offline').click();
	await part(page, 'ndv').waitFor();
	expect(await field(page, 'minutes').inputValue()).toBe('10');
	expect(await optionsOf(page, 'event')).toEqual([
		'Deferred Delivery Added',
		'Deferred Delivery Settled',
		'Session Offline',
		'Session Status Changed',
	]);
	await picture(page, 'trigger');
});
