import fc from 'fast-check';

import { qrCodeIn, qrText, rejectedQrCode } from '../../../gateway/responses/qrCode';
import { response } from '../../harness/responses';

describe('the text of a QR code', () => {
	test.each<[unknown, string]>([
		[{ qrData: '2@abc' }, '2@abc'],
		[{ code: '2@abcd' }, '2@abcd'],
		[{ code: '2@other', data: { qr: '2@abc' } }, '2@abc'],
		[{ qr: { text: 'Scan this code', code: '2@abc' } }, '2@abc'],
		[{ data: { session: { qrCode: '2@abc' } } }, '2@abc'],
		['2@abcd\n', '2@abcd'],
		...['https://wa.me/settings/linked_devices#2@abc', 'https://web.whatsapp.com/x#2@abc'].map(
			(code): [unknown, string] => [{ qr: code }, code],
		),
		[{ qr: 'https://example.com/qr.png', qrCode: '2@abc' }, '2@abc'],
	])('is read from %j as %s', (data, qr) => {
		expect(qrText(data)?.qr).toBe(qr);
	});

	test.each<[unknown]>([
		[{ qr: 'No QR code yet, wait 5 s' }],
		[{ qrCode: '//example.com/qr/1' }],
		[{ qr: 'data:image/bmp;base64,Qk0BAgM=' }],
		[{ qr: { code: '' }, value: '2@abcdefgh' }],
	])('is not found in %j', (data) => {
		expect(qrText(data)).toBeUndefined();
	});

	// A phone could not use a QR code with such a text.
	test.each(['connected', 'no code yet: 2@abcd', '{"qr":"2@abc', '<html>2@abc', '2@'.repeat(4000)])(
		'is not a text that no phone accepts: %j',
		(text) => {
			expect(qrText(text)).toBeUndefined();
			for (const name of ['data', 'value', 'result', 'code', 'text']) {
				expect(qrText({ [name]: text })).toBeUndefined();
			}
		},
	);
});

describe('a response without a QR code', () => {
	test.each<[unknown, string]>([
		[{ qr: { text: 'session_online' } }, 'alreadyOnline'],
		[{ qr: null, status: 'success', state: 'CONNECTED' }, 'alreadyOnline'],
		[{ qr: 'Wait until the session is online' }, 'noneYet'],
	])('in %j means %s', (data, reason) => {
		const found = qrCodeIn(response(JSON.stringify(data)));
		expect(found).toMatchObject({ kind: 'none', reason });
	});

	test('has a link under any name, unless it is about an error', () => {
		const path = fc.constantFrom('https://gw.example/qr.png', '//gw.example/qr/1', '/qr?id=5');
		const property = fc.property(fc.string({ minLength: 1 }), path, (name, link) => {
			for (const data of [{ [name]: link }, { success: true, data: { [name]: { url: link } } }]) {
				const text = JSON.stringify(data);
				expect(qrCodeIn(response(text))).toMatchObject({ reason: 'link' });
				const failed = rejectedQrCode(response(`{"error":"qr_not_ready","docs":${text}}`, {}, 409));
				expect(failed).toMatchObject({ reason: 'noneYet' });
			}
		});
		fc.assert(property);
	});

	test("has the session's status, but no word about the request", () => {
		const found = qrCodeIn(response('{"status":"success","qr":null}'));
		expect(found).toEqual({ kind: 'none', reason: 'noneYet', status: undefined });
		const status = 'DISCONNECTED';
		const rejected = rejectedQrCode(response(JSON.stringify({ status }), {}, 409));
		expect(rejected).toEqual({ kind: 'none', reason: 'noneYet', status });
	});
});
