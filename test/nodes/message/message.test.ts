import { type RunOptions } from '../../harness/engine';
import { useProxy } from '../../harness/proxyServer';
import { useGateway } from '../../harness/sandboxAccount';
import { bodyOf, deliveryWindow, runner } from '../../harness/messages';

const gateway = useGateway({
	token: 'token/with ünusual+chars',
	secret: 'quiet & secret 🔑',
});
const proxy = useProxy();

/** With a recipient and a text, unless the parameters have others. */
const message = async (operation: string, parameters = {}, more: Partial<RunOptions> = {}) => {
	const given = { resource: 'message', operation, chatId: '4915123456789', text: 'x' };
	return await runner(gateway, given)(parameters, more);
};

const image = {
	data: Buffer.from('89504e470d0a1a0a00ff', 'hex').toString('base64'),
	...{ mimeType: 'image/png', fileName: 'sun.png', fileExtension: 'png' },
};

test('uses the legacy names with Field Names', async () => {
	const window = deliveryWindow(1);
	const options = { fieldNames: 'legacy', idempotencyKey: 'order-1', ...window };
	await message('send', { text: 'Hello', options: { ...options, additionalFields: '{"a": [1]}' } });
	expect(gateway.theRequest()).toMatchObject({
		status: 200,
		bodyText:
			'{"phone":"4915123456789","type":"text","message":"Hello","idempotency_key":"order-1","window_ms":60000,"a":[1]}',
	});
});

test('sends a file as base64 with a caption, and another name and type', async () => {
	const parameters = {
		...{ chatId: '120363012345678901@g.us', binaryPropertyName: 'scan', caption: 'The sun' },
		options: { fileName: 'bill.pdf', mimeType: 'application/pdf' },
	};
	await message('sendMedia', parameters, { items: [{ json: {}, binary: { scan: image } }] });
	expect(gateway.theRequest()).toMatchObject({
		status: 200,
		bodyText:
			'{"chatId":"120363012345678901@g.us","type":"media","caption":"The sun","media":{"mimetype":"application/pdf","filename":"bill.pdf","base64":"iVBORw0KGgoA/w=="}}',
	});
});

test('names the field of the file if another one is entered, as after the upload of a form', async () => {
	const items = [{ json: {}, binary: { File: image } }];
	const { error } = await message('sendMedia', {}, { items });
	expect(error?.message).toBe("The item has no file in the field 'data', but in: File [item 0]");
	expect(error?.description).toContain("'Input Data Field Name'");
});

describe('Markdown', () => {
	const options = { textFormat: 'markdown' };

	test('becomes the formatting of chats, in the caption of a file, too, but only with the option', async () => {
		await message('send', { text: '# **Hi** *Ada*' });
		await message('send', { text: '# **Hi** *Ada*', options });
		const caption = '[Menu](https://a.example)';
		const items = [{ json: {}, binary: { data: image } }];
		await message('sendMedia', { caption, options }, { items });
		expect(gateway.requests().map(bodyOf)).toMatchObject([
			{ text: '# **Hi** *Ada*' },
			{ text: '*Hi _Ada_*' },
			{ caption: 'Menu: https://a.example' },
		]);
	});
});

describe('Custom JSON', () => {
	const send = (body: string, json = {}, endpoint = 'sendMessage') =>
		message('sendJson', { endpoint, body }, { items: [{ json }] });

	const file = '{"mimetype": "text/plain", "filename": "a.txt", "base64": "QUJD"}';
	test.each([
		['sendMessage', ' {"text" : "x",\t"chatId":"4915123456789",  "type":"text"}\n '],
		['sendMedia', `{"chatId": "1234567", "type": "file", "media": ${file}}`],
	])('goes to %s byte for byte, with a valid signature: %s', async (endpoint, body) => {
		const { items } = await send(body, { endpoint }, '={{ $json.endpoint }}');
		expect(items[0]?.json).toMatchObject({ outcome: 'sent' });
		const { url, bodyText, status } = gateway.theRequest();
		expect([url.split('/').at(-1), bodyText, status]).toEqual([endpoint, body, 200]);
	});

	test.each([
		['{"chatId":"1234567","text":"x","text":"y"}', "'Body' contains 'text' twice"],
		[String.raw`{"chatId":"1234567","chat\u0049d":"7654321"}`, "'Body' contains 'chatId' twice"],
	])('is rejected: %j', async (body, words) => {
		expect((await send(body)).error?.message).toBe(`${words} [item 0]`);
		expect(gateway.requests()).toEqual([]);
	});
});

test.each([
	['text/plain', 'accepted', { data: 'accepted', contentType: 'text/plain' }],
	['application/json', '[{"a":1,"ok":true}]', { a: 1, ok: true }],
	['application/json', '', { success: true }],
])('turns a response of type %s with %j into an item', async (contentType, text, json) => {
	gateway.answerWith({ contentType, text });
	const { items } = await message('send');
	expect(items).toEqual([{ json: { ...json, outcome: 'sent' }, pairedItem: { item: 0 } }]);
});

// n8n reads the proxy of a tool itself, and fails.
test.each(['50%off', '50%25off'])('uses a proxy with the password %s', async (password) => {
	const account = { ...gateway.account, baseUrl: 'https://gateway.invalid' };
	const requestOptions = { proxy: proxy.url.replace('//', `//user:${password}@`) };
	await message('send', { requestOptions }, { account });
	expect(proxy.seen).toEqual(['CONNECT gateway.invalid:443']);
	expect(proxy.requests[0]?.headers).toMatchObject({
		'proxy-authorization': `Basic ${Buffer.from('user:50%off').toString('base64')}`,
	});
});
