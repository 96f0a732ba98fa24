import { percentDecoded } from '../decoding';
import { dataUrl } from './base64File';
import { extensionOf, imageType } from './fileType';
import type { Image } from './qrImage';

/** Returns an image with its type, by its first bytes, because servers also send images as octet-stream. */
export function imageFrom(bytes: Buffer): Image | undefined {
	const mimeType = imageType(bytes);
	return mimeType ? { bytes, mimeType, extension: extensionOf(mimeType)! } : undefined;
}

/** Returns the image in a text, which may be a data URL, base64 or SVG. */
export function imageInText(text: string): Image | undefined {
	const url = dataUrl(text);
	const decoded = url ? percentDecoded(url.content) : text;
	return imageFrom(Buffer.from(url?.content ?? text, 'base64')) ?? imageFrom(Buffer.from(decoded));
}
