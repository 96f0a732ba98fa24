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

function scanned({ data, width, height }: Pixels) {
	const found = jsQR(new Uint8ClampedArray(data), width, height);
	return found && Buffer.from(found.binaryData).toString('utf8');
}

const PAIRING = `2@${'kJ3+/xQz0a'.repeat(20)}`;

describe('a QR code', () => {
	test.each([
		['a pairing code', PAIRING],
		['umlauts and emoji', 'Grüße 👋🏽 ☃'],
	])('scans back to its text: %s', (_, text) => {
		expect(scanned(readPng(qrImage(text).bytes))).toBe(text);
	});

	// A plain-text response is not always the text of a QR code.
	test.each([
		['too long for a QR code', 'x'.repeat(3000)],
		['a lone surrogate', '2@\ud83d'],
		['empty', ''],
	])('is rejected with a clear message if the text is %s', (_, text) => {
		const { message, description } = refused(() => qrImage(text));
		expect(message).toMatch(/^The text of the QR code cannot be drawn: /);
		expect(message.length).toBeLessThan(150);
		expect(description).toContain('Session > Get QR Image');
	});
});

test('does not try to draw a text that no QR code can hold, which takes the library minutes', () => {
	const create = jest.spyOn(library, 'create');
	expect(() => qrImage('x'.repeat(7_090))).toThrow('its 7090 characters are too many');
	expect(create).not.toHaveBeenCalled();
	qrImage('x');
	expect(create).toHaveBeenCalledTimes(1);
	create.mockRestore();
});
