import { browserTest, useBrowser } from './browser';
import { currentQrCode, readQrCode } from './camera';
import { execute, openGatewayNode, byTestId } from './editor';
import { sandbox } from './sandbox';

useBrowser();
beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('AWAITING_QR');
});

browserTest('shows a QR code in the output panel that a phone can read', async (page) => {
	await openGatewayNode(page, { resource: 'session', operation: 'qr', qrOutput: 'png' });
	const before = await currentQrCode();
	await execute(page);
	const after = await currentQrCode();
	await byTestId(page, 'output-panel').getByText('Binary', { exact: true }).click();
	await byTestId(page, 'ndv-view-binary-data').click();
	const shown = byTestId(page, 'output-panel').locator('img[src*="/binary-data"]');
	const text = await readQrCode(shown);
	// The code changes every 20 seconds, so it may have changed during the execution.
	expect([before, after]).toContain(text);
});
