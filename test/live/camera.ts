import type { Locator } from 'playwright-core';

import { textOf } from '../qrReader';
import { get } from '../sandbox/client';
import { live } from './live';

/** The text of the QR code on the screen. */
export async function readByCamera(image: Locator): Promise<string | undefined> {
	await image.waitFor();
	return textOf(await image.screenshot());
}

/** What the gateway gives out as its code of the moment. */
export async function codeInForce(): Promise<unknown> {
	return (await get(live.account, 'qr')).json.qr;
}
