import fc from 'fast-check';

import { type Answer, readAnswer } from '../../gateway/answer';
import { pictureIn, withoutPictures } from '../../gateway/picture';

// One pixel each, made by hand: what counts is how they begin.
const PNG_BASE64 =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const GIF_BASE64 = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const PNG = Buffer.from(PNG_BASE64, 'base64');
const GIF = Buffer.from(GIF_BASE64, 'base64');
const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');
const WEBP = Buffer.from('RIFF\x1a\x00\x00\x00WEBPVP8L', 'latin1');
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>';

function answer(body: unknown, contentType?: string): Answer {
	const isRaw = typeof body === 'string' || body instanceof Uint8Array;
	const bytes = Buffer.from((isRaw ? body : JSON.stringify(body)) as string);
	const headers = contentType === undefined ? {} : { 'content-type': contentType };
	return readAnswer({ status: 200, headers, bytes }, (value) => value);
}

const TYPES = [
	['PNG', PNG, 'image/png', 'png'],
	['JPEG', JPEG, 'image/jpeg', 'jpg'],
	['GIF', GIF, 'image/gif', 'gif'],
	['WebP', WEBP, 'image/webp', 'webp'],
	['SVG', Buffer.from(SVG), 'image/svg+xml', 'svg'],
] as const;

describe('a picture', () => {
	test.each(TYPES)('is known as %s under its own type', (_, bytes, mimeType, extension) => {
		expect(pictureIn(answer(bytes, mimeType))).toEqual({ bytes, mimeType, extension });
		expect(pictureIn(answer(bytes, `${mimeType}; charset=binary`))).toMatchObject({ mimeType });
	});

	test.each(TYPES)('is known as %s by its bytes', (_, bytes, mimeType, extension) => {
		for (const type of ['application/octet-stream', undefined, 'image/x-unknown', 'text/plain']) {
			expect(pictureIn(answer(bytes, type))).toEqual({ bytes, mimeType, extension });
		}
	});

	test.each(TYPES)('is found as a data URL of %s', (_, bytes, mimeType, extension) => {
		const url = `data:${mimeType};base64,${bytes.toString('base64')}`;
		for (const body of [
			url,
			` ${url}\n`,
			{ qr: url },
			{ data: { image: url } },
			[url],
			[{ url }],
		]) {
			expect(pictureIn(answer(body, 'application/json'))).toEqual({ bytes, mimeType, extension });
		}
		expect(pictureIn(answer(url, 'text/plain'))).toEqual({ bytes, mimeType, extension });
	});

	test.each([
		['base64 in JSON', { image: PNG_BASE64 }],
		['base64 deep in JSON', { success: true, data: { qr: { image: PNG_BASE64 } } }],
		['base64 as a JSON text', JSON.stringify(PNG_BASE64)],
		['base64 as a text', `${PNG_BASE64}\n`],
		['base64 in lines', { image: PNG_BASE64.replace(/.{20}/g, '$&\r\n') }],
		['base64 for URLs, without its filling', { image: PNG.toString('base64url') }],
		['base64 beside texts', { qr: '2@abc', status: 'AWAITING_QR', image: PNG_BASE64 }],
	])('is found as %s', (_, body) => {
		expect(pictureIn(answer(body, 'application/json'))).toEqual({
			bytes: PNG,
			mimeType: 'image/png',
			extension: 'png',
		});
	});

	test.each([
		['percent-encoded', `data:image/svg+xml,${encodeURIComponent(SVG)}`],
		['as it stands', `data:image/svg+xml,${SVG}`],
		['with a character set', `data:image/svg+xml;charset=utf-8,${encodeURIComponent(SVG)}`],
		[
			'with a character set, in base64',
			`data:image/svg+xml;charset=utf-8;base64,${Buffer.from(SVG).toString('base64')}`,
		],
		['in capitals', `DATA:IMAGE/SVG+XML,${encodeURIComponent(SVG)}`],
	])('is found as a data URL: %s', (_, qr) => {
		expect(pictureIn(answer({ qr }, 'application/json'))).toEqual({
			bytes: Buffer.from(SVG),
			mimeType: 'image/svg+xml',
			extension: 'svg',
		});
	});

	test.each([
		['an XML declaration', `<?xml version="1.0" encoding="UTF-8"?>\n${SVG}`],
		['a doctype', `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">${SVG}`],
		['a comment', `<!-- made by -->\n${SVG}`],
		['a byte order mark and blanks', `\ufeff \n${SVG}`],
	])('is known as SVG behind %s', (_, body) => {
		expect(pictureIn(answer(body))?.mimeType).toBe('image/svg+xml');
	});

	test('keeps its declared type where its bytes say nothing', () => {
		const bytes = Uint8Array.of(0x42, 0x4d, 1, 2, 3);
		expect(pictureIn(answer(bytes, 'image/bmp'))).toEqual({
			bytes: Buffer.from(bytes),
			mimeType: 'image/bmp',
			extension: 'img',
		});
	});

	test('is what its bytes are where the declared type is another', () => {
		expect(pictureIn(answer(JPEG, 'image/png'))).toMatchObject({
			mimeType: 'image/jpeg',
			extension: 'jpg',
		});
	});

	test.each([
		['nothing', '', undefined],
		['nothing that calls itself a picture', '', 'image/png'],
		['a text', 'pong', 'text/plain'],
		['a web page', '<!doctype html><html><svg></svg></html>', 'text/html'],
		['JSON', { status: 'ONLINE' }, 'application/json'],
		['null', 'null', 'application/json'],
		['the text of a QR code', { qr: `2@${'aB3/'.repeat(50)}` }, 'application/json'],
		['a long word', { hash: 'abcdef0123456789'.repeat(8) }, 'application/json'],
		[
			'a data URL of something else',
			{ file: 'data:text/plain;base64,SGVsbG8=' },
			'application/json',
		],
		['a data URL of nothing', { qr: 'data:image/png;base64,' }, 'application/json'],
		['a link to a picture', { url: 'https://example.com/qr.png' }, 'application/json'],
		['unknown bytes', Uint8Array.of(1, 2, 3), 'application/octet-stream'],
		[
			'a RIFF file that is a sound',
			Buffer.from('RIFF\x1a\x00\x00\x00WAVEfmt ', 'latin1'),
			undefined,
		],
	])('is not there in %s', (_, body, type) => {
		expect(pictureIn(answer(body, type))).toBeUndefined();
	});

	test('is found, or not, in whatever came', () => {
		const types = fc.constantFrom('image/png', 'application/json', 'text/plain', '', undefined);
		const bodies = fc.oneof(
			fc.uint8Array(),
			fc.string(),
			fc.jsonValue().map((json) => ({ json })),
		);
		fc.assert(
			fc.property(bodies, types, (body, type) => {
				const found = pictureIn(answer(body, type));
				if (found) expect(found.mimeType).toMatch(/^image\//);
			}),
			{ numRuns: 500 },
		);
	});

	test('is found as a data URL that says utf8, as many generators write it', () => {
		for (const parameters of [';utf8', ';charset=utf-8;utf8', ';name=qr.svg']) {
			const qr = `data:image/svg+xml${parameters},${SVG}`;
			expect(pictureIn(answer({ qr }, 'application/json'))?.bytes.toString()).toBe(SVG);
		}
	});

	test.each([
		['a data URL', `data:image/png;base64,${PNG_BASE64}`],
		['base64', PNG_BASE64],
		['JSON', { qr: `data:image/png;base64,${PNG_BASE64}` }],
	])('is found in %s that calls itself a picture', (_, body) => {
		for (const type of ['image/png', 'image/jpeg', 'image/bmp']) {
			expect(pictureIn(answer(body, type))).toEqual({
				bytes: PNG,
				mimeType: 'image/png',
				extension: 'png',
			});
		}
	});

	test('is looked for in what the answer says, not in what its bytes say once more', () => {
		const { data } = answer({ qr: PNG_BASE64 }, 'application/json');
		const headers = { 'content-type': 'application/json' };
		expect(pictureIn({ status: 200, headers, bytes: Buffer.from('{}'), data })?.bytes).toEqual(PNG);
	});

	// Saved under the name of a picture, it would be one that no program can open.
	test('is not there in JSON that calls itself a picture', () => {
		expect(pictureIn(answer({ status: 'ONLINE' }, 'image/png'))).toBeUndefined();
	});
});

describe('JSON without its pictures', () => {
	const url = `data:image/png;base64,${PNG_BASE64}`;

	test('keeps everything else', () => {
		expect(
			withoutPictures({ qr: '2@abc', image: url, data: { raw: PNG_BASE64, n: 1, none: null } }),
		).toEqual({ qr: '2@abc', data: { n: 1, none: null } });
	});

	test('has no picture in its lists', () => {
		expect(JSON.stringify(withoutPictures({ list: [{ image: url, n: 1 }] }))).toBe(
			'{"list":[{"n":1}]}',
		);
	});

	test('is nothing where it was a picture', () => {
		expect(withoutPictures(url)).toBeUndefined();
	});

	test('is what it was where there were none, with its names in their order', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (json) => {
				expect(JSON.stringify(withoutPictures(json))).toBe(JSON.stringify(json));
			}),
		);
	});
});
