import { inBrowser, picture, useBrowser } from './browser';
import { codeInForce, readByCamera } from './camera';
import { execute, openOurNode, part } from './editor';
import { sandbox } from './sandbox';

useBrowser();
beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('AWAITING_QR');
});

inBrowser('the output panel shows a QR code that a phone can read', async (page) => {
	await openOurNode(page, { resource: 'session', operation: 'qr', qrOutput: 'png' });
	const before = await codeInForce();
	await execute(page);
	const after = await codeInForce();
	await part(page, 'output-panel').getByText('Binary', { exact: true }).click();
	await part(page, 'ndv-view-binary-data').click();
	const shown = part(page, 'output-panel').locator('img[src*="/binary-data"]');
	const text = await readByCamera(shown);
	await picture(page, 'qr-code');
	// A new code every twenty seconds: it is one of the two.
	expect([before, after]).toContain(text);
});
