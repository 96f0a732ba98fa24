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

const PAIRING = `2@${'kJ3+/xQz0a'.repeat(20)}`;
const FORMATS = ['png', 'svg'] as const;

describe.each(FORMATS)('a QR code as %s', (format) => {
	test.each([
		['a pairing code', PAIRING],
		['umlauts and emoji', 'Grüße 👋🏽 ☃'],
	])('scans back to its text: %s', (_, text) => {
		expect(scanned(pixelsOf(text, format))).toBe(text);
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
