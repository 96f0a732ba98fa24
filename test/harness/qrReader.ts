import jsQR from 'jsqr';
import { PNG } from 'pngjs';

/** The text of the QR code in the image, as a phone's camera would read it. */
export function textOf(png: Buffer): string | undefined {
	const { data, width, height } = PNG.sync.read(png);
	return jsQR(new Uint8ClampedArray(data), width, height)?.data;
}
