import jsQr from 'jsqr';
import type { Locator } from 'playwright-core';
import { PNG } from 'pngjs';

import { inBrowser, picture, useBrowser } from './browser';
import { execute, openOurNode, part } from './editor';
import { live } from './live';
import { sandbox } from './sandbox';

useBrowser();
beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('AWAITING_QR');
});

inBrowser('the output panel shows a QR code that a phone can read', async (page) => {
	await openOurNode(page, { resource: 'session', operation: 'qr', qrOutput: 'png' });
	const before = await codeOfGateway();
	await execute(page);
	const after = await codeOfGateway();
	await part(page, 'output-panel').getByText('Binary', { exact: true }).click();
	await part(page, 'ndv-view-binary-data').click();
	const shown = part(page, 'output-panel').locator('img[src*="/binary-data"]');
	const text = await readByCamera(shown);
	await picture(page, 'qr-code');
	// A new code every twenty seconds: it is one of the two.
	expect([before, after]).toContain(text);
});

async function codeOfGateway(): Promise<string> {
	const { baseUrl, token } = live.account;
	const response = await fetch(`${baseUrl}/api/whatsapp/${token}/qr`);
	return ((await response.json()) as { qr: string }).qr;
}

async function readByCamera(image: Locator): Promise<string | undefined> {
	await image.waitFor();
	const { data, width, height } = PNG.sync.read(await image.screenshot());
	return jsQr(new Uint8ClampedArray(data), width, height)?.data;
}
