import { Resvg } from '@resvg/resvg-js';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';

import { qrImage } from '../../../gateway/files/qrImage';
import * as library from '../../../gateway/files/qrImage.library';
import { refused } from '../../harness/refused';

interface Pixels {
	width: number;
	height: number;
	data: Buffer;
}

/** Decoded by a separate library: pngjs rejects an image with a wrong checksum. */
const readPng = (bytes: Buffer): Pixels => PNG.sync.read(bytes, { checkCRC: true });

/** Rendered by a separate library. */
const readSvg = (bytes: Buffer): Pixels =>
	readPng(Buffer.from(new Resvg(bytes.toString('utf8'), { background: 'white' }).render().asPng()));

const pixelsOf = (text: string, format: 'png' | 'svg') => {
	const { bytes } = qrImage(text, format);
	return format === 'png' ? readPng(bytes) : readSvg(bytes);
};

function scanned({ data, width, height }: Pixels) {
	const found = jsQR(new Uint8ClampedArray(data), width, height);
	return found && Buffer.from(found.binaryData).toString('utf8');
}

/** Where pixels are dark, from left to right, in the rows from top to bottom. */
const darkPlaces = ({ data, width, height }: Pixels) =>
	Array.from({ length: width * height }, (_, at) => ({
		x: at % width,
		y: Math.floor(at / width),
	})).filter((_, at) => data[at * 4]! < 128);

const PAIRING = `2@${'kJ3+/xQz0a'.repeat(20)}`;
const FORMATS = ['png', 'svg'] as const;

describe.each(FORMATS)('a QR code as %s', (format) => {
	test.each([
		['a pairing code', PAIRING],
		['umlauts and emoji', 'Grüße 👋🏽 ☃'],
		['a link', 'https://example.com/pair?code=AbC&x=1#y'],
	])('scans back to its text: %s', (_, text) => {
		expect(scanned(pixelsOf(text, format))).toBe(text);
	});

	test('is a square with a quiet zone of four modules', () => {
		const pixels = pixelsOf(PAIRING, format);
		const dark = darkPlaces(pixels);
		const [xs, ys] = [dark.map(({ x }) => x), dark.map(({ y }) => y)];
		// A QR code starts with a finder pattern, whose edge is seven modules long.
		const module = (xs.findIndex((x, at) => xs[at + 1] !== x + 1) + 1) / 7;
		expect(module).toBeGreaterThanOrEqual(4);
		expect(pixels.width).toBe(pixels.height);
		for (const places of [xs.sort((a, b) => a - b), ys]) {
			expect(places[0]! / module).toBe(4);
			expect((pixels.width - 1 - places.at(-1)!) / module).toBe(4);
		}
	});

	test('has only black and white pixels', () => {
		const { data } = pixelsOf('x', format);
		expect([...new Set(data)].sort((a, b) => a - b)).toEqual([0, 255]);
		expect(data.filter((_, at) => at % 4 === 3).every((alpha) => alpha === 255)).toBe(true);
	});

	// A plain-text response is not always the text of a QR code.
	test.each([
		['too long for a QR code', 'x'.repeat(3000)],
		['a lone surrogate', '2@\ud83d'],
		['empty', ''],
	])('is rejected with a clear message if the text is %s', (_, text) => {
		const { message, description } = refused(() => qrImage(text, format));
		expect(message).toMatch(/^The text of the QR code cannot be drawn: /);
		expect(message.length).toBeLessThan(150);
		expect(description).toContain('Session > Get QR Image');
	});
});

test('a PNG has the PNG signature and MIME type, and is below 10 kB', () => {
	const { bytes, mimeType, extension } = qrImage(PAIRING, 'png');
	expect({ mimeType, extension }).toEqual({ mimeType: 'image/png', extension: 'png' });
	expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
	expect(bytes.length).toBeLessThan(10_000);
});

test('an SVG has the SVG MIME type and contains no script or link', () => {
	const { bytes, mimeType, extension } = qrImage(PAIRING, 'svg');
	expect({ mimeType, extension }).toEqual({ mimeType: 'image/svg+xml', extension: 'svg' });
	expect(bytes.toString()).toMatch(
		/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^>]*>.*<\/svg>\s*$/s,
	);
	expect(bytes.toString()).not.toMatch(/<script|href=/);
});

test('does not try to draw a text that no QR code can hold, which takes the library minutes', () => {
	const create = jest.spyOn(library, 'create');
	expect(() => qrImage('x'.repeat(7_090), 'png')).toThrow('its 7090 characters are too many');
	expect(create).not.toHaveBeenCalled();
	qrImage('x', 'png');
	expect(create).toHaveBeenCalledTimes(1);
	create.mockRestore();
});
