import fc from 'fast-check';

import { imageIn, withoutImages } from '../../../gateway/responses/qrCode';
import { response } from '../../harness/responses';

// One pixel each, handmade: only the first bytes matter.
const PNG_BASE64 =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const GIF_BASE64 = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const PNG = Buffer.from(PNG_BASE64, 'base64');
const GIF = Buffer.from(GIF_BASE64, 'base64');
const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');
const WEBP = Buffer.from('RIFF\x1a\x00\x00\x00WEBPVP8L', 'latin1');
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>';

function answer(body: unknown, type?: string) {
	const isRaw = typeof body === 'string' || body instanceof Uint8Array;
	return response(isRaw ? body : JSON.stringify(body), type ? { 'content-type': type } : {});
}

const TYPES = [
	['PNG', PNG, 'image/png', 'png'],
	['JPEG', JPEG, 'image/jpeg', 'jpg'],
	['GIF', GIF, 'image/gif', 'gif'],
	['WebP', WEBP, 'image/webp', 'webp'],
	['SVG', Buffer.from(SVG), 'image/svg+xml', 'svg'],
] as const;

describe('an image in a response', () => {
	test.each(TYPES)('is recognized as %s by its bytes', (_, bytes, mimeType, extension) => {
		for (const type of [mimeType, 'application/octet-stream', undefined, 'text/plain']) {
			expect(imageIn(answer(bytes, type))).toEqual({ bytes, mimeType, extension });
		}
	});

	test.each(TYPES)('is read from a data URL of %s', (_, bytes, mimeType, extension) => {
		const url = `data:${mimeType};base64,${bytes.toString('base64')}`;
		for (const body of [` ${url}\n`, { qr: url }, { data: { image: url } }, [{ url }]]) {
			for (const type of ['application/json', 'text/plain', 'image/bmp']) {
				expect(imageIn(answer(body, type))).toEqual({ bytes, mimeType, extension });
			}
		}
	});

	test.each([
		['base64 as plain text', PNG_BASE64],
		['base64 split into lines', { image: PNG_BASE64.replace(/.{20}/g, '$&\r\n') }],
		['URL-safe base64 without padding', { image: PNG.toString('base64url') }],
	])('is read from %s', (_, body) => {
		const image = { bytes: PNG, mimeType: 'image/png', extension: 'png' };
		for (const type of ['application/json', 'image/jpeg']) {
			expect(imageIn(answer(body, type))).toEqual(image);
		}
	});

	test.each([
		`DATA:IMAGE/SVG+XML,${encodeURIComponent(SVG)}`,
		`data:image/svg+xml;charset=utf-8;base64,${Buffer.from(SVG).toString('base64')}`,
		// Many generators write this parameter.
		`data:image/svg+xml;utf8,${SVG}`,
		...['<?xml version="1.0"?>\n', '<!-- made by -->\n', '\ufeff \n'].map((start) => start + SVG),
	])('is read from an SVG data URL, or from SVG: %s', (body) => {
		const found = imageIn(answer(body));
		expect(found).toMatchObject({ mimeType: 'image/svg+xml', extension: 'svg' });
		expect(found?.bytes.toString()).toMatch(new RegExp(`${SVG}$`));
	});

	test.each([
		['a web page', '<!doctype html><html><svg></svg></html>', 'text/html'],
		['the text of a QR code', { qr: `2@${'aB3/'.repeat(50)}` }, 'application/json'],
		['an empty data URL', { qr: 'data:image/png;base64,' }, 'application/json'],
		['a type that no gateway draws', Uint8Array.of(0x42, 0x4d, 1, 2, 3), 'image/bmp'],
		['a file of RIFF with audio', Buffer.from('RIFF\x1a\x00\x00\x00WAVEfmt ', 'latin1'), undefined],
	])('is not found in %s', (_, body, type) => {
		expect(imageIn(answer(body, type))).toBeUndefined();
	});

	// The expression for data URLs needs more of the stack the longer the text is.
	test('is not found in 16 MB of the parameters of a data URL', () => {
		const qr = `data:image/png${';'.repeat(2 ** 24)}`;
		expect(imageIn(answer({ qr }, 'application/json'))).toBeUndefined();
		expect(withoutImages({ qr })).toEqual({ qr });
	});
});

describe('removing the images from JSON', () => {
	const url = `data:image/png;base64,${PNG_BASE64}`;

	test('keeps all other fields', () => {
		expect(
			withoutImages({
				qr: '2@abc',
				image: url,
				data: { raw: PNG_BASE64, n: 1, none: null },
				list: [{ url }],
			}),
		).toEqual({ qr: '2@abc', data: { n: 1, none: null }, list: [{}] });
	});

	test('looks at 10,000 values, and leaves the others as they are', () => {
		const list = [...Array<number>(10_000).fill(1), 'x', `${url}\n`];
		expect(withoutImages({ image: url, list })).toEqual({ list });
		const shorter = list.slice(100);
		expect(withoutImages({ image: url, list: shorter })).toEqual({
			list: [...shorter.slice(0, -1), null],
		});
	});

	test('keeps JSON without images unchanged, including the order of keys', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (json) => {
				expect(JSON.stringify(withoutImages(json))).toBe(JSON.stringify(json));
			}),
		);
	});
});
