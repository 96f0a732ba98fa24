import { signatureHeaders } from '../../../gateway/wire/signature';
import { customJson } from '../../../gateway/wire/messageBody';

const TIMESTAMP = 1_700_000_000_000;
const SIGNER = { token: 'tok-123', secret: 'secret-1' };

// Every signature in this file was created with the openssl command line:
//   printf '%s' '1700000000000TOKENBODY' | openssl dgst -sha256 -hmac 'SECRET' -hex
// With bytes that no text has, their escapes are in the format of printf instead.
test.each<[string, string | Uint8Array, string, signer?: typeof SIGNER]>([
	['no body', '', 'd29303ccefd8970a8ee07e233966c1e46e188c62ea9212b7110ec57d2028b9f4'],
	[
		'umlauts and an emoji of two code points',
		'{"chatId":"4915123456789","type":"text","text":"Grüße 👋🏽"}',
		'24d37408d8866771a86a5df529c6ee1e479db6bdc6beefca47f585c94e20d977',
	],
	[
		'whitespace around and inside JSON',
		' { "text" : "x" } \n',
		'39e947ab54a60a50cf259309eae2d8f1a1d1d34e73c7658efcc28cb3ed5cd46d',
	],
	[
		'a non-ASCII token and secret, as UTF-8',
		'{"text":"x"}',
		'5ce1ec6ec13367f849c56c7222196d447c7c6796efbf7a2331949c42769af22b',
		{ token: 'tök-é', secret: 'schlüssel🔑' },
	],
	[
		'a secret longer than a SHA-256 block',
		'{"text":"x"}',
		'3d8c1afc678ec6e9e8dea27067472f1050f4037f3c322d6e8212589d95ef0d59',
		{ token: 'tok-123', secret: 'k'.repeat(100) },
	],
	[
		// printf '1700000000000tok-123\x00\xff\x80\r\n'
		'binary bytes',
		Uint8Array.of(0x00, 0xff, 0x80, 0x0d, 0x0a),
		'f6103bd5af82349c5a27a7187568accf40013251760f44d693ebac2c84d8a110',
	],
	[
		// printf '1700000000000tok-123{"text":"\xef\xbf\xbd"}'
		'a lone surrogate in verbatim JSON, which is sent as EF BF BD',
		Buffer.from(customJson('{"text":"\ud83d"}').text),
		'8215625ec0379d4c9efd3f3bae5e1734254a81677b4183b29c434e0e285f1849',
	],
])('covers timestamp, token and body, with %s', (_, body, signature, signer = SIGNER) => {
	const headers = { 'X-API-Timestamp': '1700000000000', 'X-API-Signature': signature };
	expect(signatureHeaders(signer, Buffer.from(body as string), TIMESTAMP)).toEqual(headers);
	expect(signatureHeaders(signer, body, TIMESTAMP)).toEqual(headers);
});

test('timestamp, token and body are joined without a separator', () => {
	// printf '1700000000000tok-123{"text":"x"}': the boundary of token and body is not visible.
	const secret = 'k'.repeat(100);
	const headers = {
		'X-API-Timestamp': '1700000000000',
		'X-API-Signature': '3d8c1afc678ec6e9e8dea27067472f1050f4037f3c322d6e8212589d95ef0d59',
	};
	for (const [token, body] of [
		['tok-123{"te', 'xt":"x"}'],
		['', 'tok-123{"text":"x"}'],
	] as const) {
		expect(signatureHeaders({ token, secret }, body, TIMESTAMP)).toEqual(headers);
	}
});
