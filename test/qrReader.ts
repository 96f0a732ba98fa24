import jsQR from 'jsqr';
import { PNG } from 'pngjs';

/** What a phone's camera would read from the picture. */
export function textOf(png: Buffer): string | undefined {
	const { data, width, height } = PNG.sync.read(png);
	return jsQR(new Uint8ClampedArray(data), width, height)?.data;
}
