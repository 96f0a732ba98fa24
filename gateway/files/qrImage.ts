import { percentDecoded } from '../decoding';
import { InvalidInput } from '../inputValues';
import { dataUrl } from './base64File';
import { extensionOf, imageType } from './fileType';

export interface Image {
	bytes: Buffer;
	mimeType: string;
	extension: string;
}

/** Loads the library with the first QR code, so that the package itself loads fast. */
const qrLibrary = () => require('./qrImage.library') as typeof import('./qrImage.library');

/** The width of the empty border in modules. The standard requires four. */
const MARGIN = 4;
/** Pixels per module. Eight are sharp on high-density screens, and the image has only a few kB. */
const SCALE = 8;

export const qrImage = (text: string): Image => ({
	bytes: png(encoded(text).modules),
	mimeType: 'image/png',
	extension: 'png',
});

/** The capacity of a QR code. Longer texts do not reach the library, which would take minutes to reject them. */
const MAX_CHARACTERS = 7089;

function encoded(text: string) {
	const code = text.length <= MAX_CHARACTERS ? created(text) : undefined;
	if (code) return code;
	throw new InvalidInput(
		`The text of the QR code cannot be drawn: ${text ? `its ${text.length} characters are too many or not all valid` : 'it is empty'}`,
		"Choose 'Text Only' under 'Output' to see what the gateway sent, or use Session > Get QR Image.",
	);
}

function created(text: string) {
	try {
		return qrLibrary().create(text, { errorCorrectionLevel: 'M' });
	} catch {
		return undefined;
	}
}

interface Modules {
	size: number;
	get(row: number, column: number): number;
}

/** Encodes the modules as PNG, black on white, with one bit per pixel (greyscale with bit depth 1). */
function png(modules: Modules): Buffer {
	const width = (modules.size + 2 * MARGIN) * SCALE;
	const rowBytes = 1 + Math.ceil(width / 8);
	const pixels = Buffer.alloc(rowBytes * width, 0xff);
	for (let y = 0; y < width; y++) {
		const row = y * rowBytes;
		// All rows of pixels of one module are the same.
		if (y % SCALE > 0) {
			pixels.copyWithin(row, row - rowBytes, row);
			continue;
		}
		pixels[row] = 0; // filter type: none
		for (let x = 0; x < width; x++) {
			if (!isDark(modules, x, y)) continue;
			const at = row + 1 + (x >> 3);
			pixels[at] = pixels[at]! & ~(0x80 >> (x & 7));
		}
	}

	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(width, 4);
	header[8] = 1; // bit depth; colour type, compression, filter and interlace are 0
	return Buffer.concat([
		Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
		chunk('IHDR', header),
		chunk('IDAT', qrLibrary().zlibSync(pixels, { level: 9 })),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

function isDark(modules: Modules, x: number, y: number): boolean {
	const row = Math.floor(y / SCALE) - MARGIN;
	const column = Math.floor(x / SCALE) - MARGIN;
	const inside = row >= 0 && column >= 0 && row < modules.size && column < modules.size;
	return inside && modules.get(row, column) === 1;
}

function chunk(type: string, data: Uint8Array): Buffer {
	const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const framed = Buffer.alloc(typed.length + 8);
	framed.writeUInt32BE(data.length, 0);
	typed.copy(framed, 4);
	framed.writeUInt32BE(crc32(typed), typed.length + 4);
	return framed;
}

function crc32(bytes: Uint8Array): number {
	let crc = 0xffffffff;
	for (const byte of bytes) {
		crc ^= byte;
		for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc >>> 0;
}

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
