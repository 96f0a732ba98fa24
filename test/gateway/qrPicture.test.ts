import { Resvg } from '@resvg/resvg-js';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';

import { qrPicture } from '../../gateway/qrPicture';
import { refused } from './refused';

interface Pixels {
	width: number;
	height: number;
	data: Buffer;
}

/** As another program sees it; pngjs refuses a picture in which a checksum does not fit. */
const readPng = (bytes: Buffer): Pixels => PNG.sync.read(bytes, { checkCRC: true });

/** Drawn by a renderer of its own. */
const readSvg = (bytes: Buffer): Pixels =>
	readPng(Buffer.from(new Resvg(bytes.toString('utf8'), { background: 'white' }).render().asPng()));

const pixelsOf = (text: string, format: 'png' | 'svg') => {
	const { bytes } = qrPicture(text, format);
	return format === 'png' ? readPng(bytes) : readSvg(bytes);
};

function scanned({ data, width, height }: Pixels) {
	const found = jsQR(new Uint8ClampedArray(data), width, height);
	return found && Buffer.from(found.binaryData).toString('utf8');
}

const isDark = ({ data, width }: Pixels, x: number, y: number) => data[(y * width + x) * 4]! < 128;

/** The smallest box around everything dark. */
function darkBox(pixels: Pixels) {
	const box = { left: Infinity, top: Infinity, right: -1, bottom: -1 };
	for (let y = 0; y < pixels.height; y++) {
		for (let x = 0; x < pixels.width; x++) {
			if (!isDark(pixels, x, y)) continue;
			box.left = Math.min(box.left, x);
			box.right = Math.max(box.right, x);
			box.top = Math.min(box.top, y);
			box.bottom = Math.max(box.bottom, y);
		}
	}
	return box;
}

/** The edge of a finder pattern, which starts every QR code, is seven modules long. */
function moduleWidth(pixels: Pixels, { left, top }: { left: number; top: number }) {
	let run = 0;
	while (isDark(pixels, left + run, top)) run++;
	return run / 7;
}

const PAIRING = `2@${'kJ3+/xQz0a'.repeat(20)}`;
const FORMATS = ['png', 'svg'] as const;

describe.each(FORMATS)('a QR code as %s', (format) => {
	test.each([
		['a pairing code', PAIRING],
		['a long pairing code', `${PAIRING},${'Zm9v/+=='.repeat(10)},1`],
		['one letter', 'x'],
		['digits', '0123456789'],
		['capitals', 'HELLO WORLD'],
		['umlauts and emoji', 'Grüße 👋🏽 ☃'],
		['other scripts', 'こんにちは 안녕 привет'],
		['markup', '<a href="x">&amp;</a>'],
		['line breaks', 'a\nb\r\nc'],
		['a link', 'https://example.com/pair?code=AbC&x=1#y'],
	])('is read by a scanner: %s', (_, text) => {
		expect(scanned(pixelsOf(text, format))).toBe(text);
	});

	test.each([
		['one letter', 'x'],
		['a pairing code', PAIRING],
	])('is a square with four empty modules around: %s', (_, text) => {
		const pixels = pixelsOf(text, format);
		const box = darkBox(pixels);
		const module = moduleWidth(pixels, box);
		expect(module).toBeGreaterThanOrEqual(4);
		expect(pixels.width).toBe(pixels.height);
		expect([
			box.left / module,
			box.top / module,
			(pixels.width - 1 - box.right) / module,
			(pixels.height - 1 - box.bottom) / module,
		]).toEqual([4, 4, 4, 4]);
	});

	test('is black on white, without grey', () => {
		const { data } = pixelsOf('x', format);
		expect([...new Set(data)].sort((a, b) => a - b)).toEqual([0, 255]);
		expect(data.filter((_, at) => at % 4 === 3).every((alpha) => alpha === 255)).toBe(true);
	});

	// What a gateway answers as plain text is not always a QR code's.
	test.each([
		['too long for a QR code', 'x'.repeat(3000)],
		// The library would take a minute to find out.
		['far too long, and of many kinds', '{"data":'.repeat(200_000)],
		['half an emoji', '2@\ud83d'],
		['nothing', ''],
	])('is refused in words where the text is %s', (_, text) => {
		const { message, description } = refused(() => qrPicture(text, format));
		expect(message).toMatch(/^The text of the QR code cannot be drawn: /);
		expect(message.length).toBeLessThan(150);
		expect(description).toContain('Session > Get QR Image');
	});
});

test('a PNG says that it is one, and is small', () => {
	const { bytes, mimeType, extension } = qrPicture(PAIRING, 'png');
	expect({ mimeType, extension }).toEqual({ mimeType: 'image/png', extension: 'png' });
	expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
	expect(bytes.length).toBeLessThan(10_000);
});

test('a PNG with one wrong bit in a checksum does not pass the check that these tests rely on', () => {
	const bytes = Buffer.from(qrPicture('x', 'png').bytes);
	bytes[32]! ^= 1; // the last byte of the first chunk
	expect(() => readPng(bytes)).toThrow();
});

test('an SVG says that it is one, and stands alone', () => {
	const { bytes, mimeType, extension } = qrPicture(PAIRING, 'svg');
	expect({ mimeType, extension }).toEqual({ mimeType: 'image/svg+xml', extension: 'svg' });
	expect(bytes.toString()).toMatch(
		/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^>]*>.*<\/svg>\s*$/s,
	);
	expect(bytes.toString()).not.toMatch(/<script|href=/);
});

test('both pictures of a text are of the same size', () => {
	expect(readSvg(qrPicture(PAIRING, 'svg').bytes).width).toBe(
		readPng(qrPicture(PAIRING, 'png').bytes).width,
	);
});
