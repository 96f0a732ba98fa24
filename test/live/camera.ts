import { setTimeout as after } from 'node:timers/promises';

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
		// At the moment at which one page takes the place of another there is none, or no answer at all.
		const base64 = await until('a picture of the page', async () => {
			const taken = devTools.send('Page.captureScreenshot').then(({ data }) => data);
			return await Promise.race([taken.catch(() => undefined), after(2_000, undefined)]);
		});
		return textOf(Buffer.from(base64, 'base64'));
	};
}

/** What the gateway gives out as its code of the moment. */
export async function codeInForce(): Promise<unknown> {
	return (await get(live.account, 'qr')).json.qr;
}
