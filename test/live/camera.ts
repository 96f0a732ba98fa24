import { setTimeout as delay } from 'node:timers/promises';

import type { Locator, Page } from 'playwright-core';

import { textOf } from '../harness/qrReader';
import { get } from '../harness/client';
import { captured } from './browser';
import { live } from './live';
import { waitFor } from './n8n';

/** The text of the QR code on the screen. */
export async function readQrCode(image: Locator): Promise<string | undefined> {
	await image.waitFor();
	return textOf(await captured(async () => await image.screenshot()));
}

/**
 * Returns a function that reads the QR code anywhere on the page, even while the page is loading. Locators and new
 * DevTools sessions would wait until it has loaded.
 */
export async function openCamera(page: Page): Promise<() => Promise<string | undefined>> {
	const devTools = await page.context().newCDPSession(page);
	return async () => {
		// During a navigation the screenshot may fail, or never resolve.
		const base64 = await waitFor('a screenshot of the page', async () => {
			const data = devTools.send('Page.captureScreenshot').then(({ data }) => data);
			return await Promise.race([data.catch(() => undefined), delay(2_000, undefined)]);
		});
		return textOf(Buffer.from(base64, 'base64'));
	};
}

/** The code that the gateway currently returns. */
export async function currentQrCode(): Promise<unknown> {
	return (await get(live.account, 'qr')).json.qr;
}
