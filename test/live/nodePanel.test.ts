import { inBrowser, picture, useBrowser } from './browser';
import { choose, openNodePanel, optionsOf, part } from './editor';

useBrowser();

inBrowser('the node is found in the panel and shows all it can do', async (page) => {
	await openNodePanel(page, 'messaging gateway');
	await picture(page, 'node-panel');
	await part(page, 'node-creator-item-name').getByText('Send text message').click();
	await part(page, 'ndv').waitFor();

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
	await part(page, 'node-creator-item-name').getByText('Send text message').waitFor();
});
