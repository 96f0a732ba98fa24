import jsQr from 'jsqr';
import type { Locator } from 'playwright-core';
import { PNG } from 'pngjs';

import { get } from '../sandbox/client';
import { live } from './live';

/** The text of the QR code in a picture. */
export function textOf(png: Buffer): string | undefined {
	const { data, width, height } = PNG.sync.read(png);
	return jsQr(new Uint8ClampedArray(data), width, height)?.data;
}

/** The same, from what is on the screen. */
export async function readByCamera(image: Locator): Promise<string | undefined> {
	await image.waitFor();
	return textOf(await image.screenshot());
}

/** What the gateway gives out as its code of the moment. */
export async function codeInForce(): Promise<unknown> {
	return (await get(live.account, 'qr')).json.qr;
}
