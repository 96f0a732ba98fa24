import type { Locator, Page } from 'playwright-core';

import { textOf } from '../qrReader';
import { get } from '../sandbox/client';
import { live } from './live';
import { until } from './n8n';

/** The text of the QR code on the screen. */
export async function readByCamera(image: Locator): Promise<string | undefined> {
	await image.waitFor();
	return textOf(await image.screenshot());
}

/**
 * A camera on the whole page, which reads also while the page waits for its next answer: locators, and a new session,
 * would wait with it.
 */
export async function cameraOn(page: Page): Promise<() => Promise<string | undefined>> {
	const devTools = await page.context().newCDPSession(page);
	return async () => {
		// There is none at the moment at which one page takes the place of another.
		const base64 = await until('a picture of the page', async () => {
			const taken = devTools.send('Page.captureScreenshot');
			return await taken.then(({ data }) => data).catch(() => undefined);
		});
		return textOf(Buffer.from(base64, 'base64'));
	};
}

/** What the gateway gives out as its code of the moment. */
export async function codeInForce(): Promise<unknown> {
	return (await get(live.account, 'qr')).json.qr;
}
