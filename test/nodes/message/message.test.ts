import { type Outcome, run, type RunOptions } from '../../harness/engine';
import { useProxy } from '../../harness/proxyServer';
import { useGateway } from '../../harness/sandboxAccount';
import { deliveryWindow } from '../../harness/messages';

const gateway = useGateway({
	token: 'token/with ünusual+chars',
	secret: 'quiet & secret 🔑',
});
const proxy = useProxy();

/** With a recipient and a text, unless the parameters have others. */
const message = (
	operation: string,
	parameters: Record<string, unknown> = {},
	options: Partial<RunOptions> = {},
): Promise<Outcome> =>
	run({
		account: gateway.account,
		parameters: {
			...{ resource: 'message', operation, chatId: '4915123456789', text: 'x' },
			...parameters,
		},
		...options,
	});

const image = {
	data: Buffer.from('89504e470d0a1a0a00ff', 'hex').toString('base64'),
	...{ mimeType: 'image/png', fileName: 'sun.png', fileExtension: 'png' },
};

test('sends a text as exactly the three documented fields with a valid signature', async () => {
	const { items, error } = await message('send', {
		chatId: '+49 (151) 234-567',
		text: 'Guten Tag "Ä" 😀\u2028',
	});
	expect(error).toBeUndefined();
	expect(gateway.theRequest()).toMatchObject({
		method: 'POST',
		url: '/api/whatsapp/token%2Fwith%20%C3%BCnusual%2Bchars/sendMessage',
		bodyText: '{"chatId":"49151234567","type":"text","text":"Guten Tag \\"Ä\\" 😀\u2028"}',
		status: 200,
	});
	expect(gateway.theRequest().headers).toMatchObject({ 'content-type': 'application/json' });
	expect(items).toEqual([
		{
			json: {
				success: true,
				messageId: expect.any(String) as string,
				chatId: '49151234567',
				status: 'sent',
				outcome: 'sent',
			},
			pairedItem: { item: 0 },
		},
	]);
});

test('uses the legacy names with Field Names', async () => {
	const options = {
		fieldNames: 'legacy',
		idempotencyKey: 'order-1',
		...deliveryWindow(1, 'minutes'),
	};
	await message('send', { text: 'Hello', options: { ...options, additionalFields: '{"a": [1]}' } });
	expect(gateway.theRequest()).toMatchObject({
		status: 200,
		bodyText:
			'{"phone":"4915123456789","type":"text","message":"Hello","idempotency_key":"order-1","window_ms":60000,"a":[1]}',
	});
});

const file = (type: string, media: string) =>
	`{"chatId":"120363012345678901@g.us","type":"${type}",${media},"base64":"iVBORw0KGgoA/w=="}}`;
test.each([
	[
		'its own name and type, and a caption',
		{ caption: 'The sun' },
		file('media', '"caption":"The sun","media":{"mimetype":"image/png","filename":"sun.png"'),
	],
	[
		'another name and type, from another field',
		{
			...{ binaryPropertyName: 'scan', mediaType: 'file' },
			options: { fileName: 'bill.pdf', mimeType: 'application/pdf' },
		},
		file('file', '"media":{"mimetype":"application/pdf","filename":"bill.pdf"'),
	],
])('sends a file as base64 with %s', async (_what, fields, bodyText) => {
	const chatId = '120363012345678901@g.us';
	const items = [{ json: {}, binary: { data: image, scan: image } }];
	await message('sendMedia', { chatId, ...fields }, { items });
	expect(gateway.theRequest()).toMatchObject({ status: 200, bodyText });
});

test('uses the Default Country of each item', async () => {
	const parameters = {
		...{ chatId: '020 7946 0958', options: { defaultCountry: '={{ $json.country }}' } },
	};
	const { items } = await message('send', parameters, { items: [{ json: { country: 'gb' } }] });
	expect(items[0]?.json).toMatchObject({ chatId: '442079460958', outcome: 'sent' });
	expect(gateway.theRequest().bodyText).toMatch(/^\{"chatId":"442079460958",/);
});

const additional = (fields: string) => ({ options: { additionalFields: fields } });

test.each([
	[
		'send',
		{ chatId: '0151 234567' },
		"'Chat ID' cannot be '0151 234567': it has no country code, and 'Default Country' is not set",
	],
	['send', { text: ' ' }, "'Text' is empty"],
	['send', { text: { a: 1 } }, "'Text' is not text but of type object"],
	['send', { options: { defaultCountry: '={{ undefined }}' } }, "'Default Country' is empty"],
	[
		'send',
		{ options: deliveryWindow('={{ undefined }}') },
		"'Delivery Window' is not a number above 0",
	],
	['send', { options: { idempotencyKey: '={{ "  " }}' } }, "'Idempotency Key' is empty"],
	[
		'inviteInfo',
		{ inviteCode: 'AbC123', ...additional('{"inviteCode":"other"}') },
		"'Additional Fields' contains 'inviteCode', which the node sets itself",
	],
	[
		'channelInfo',
		{ channel: 'AbC123', ...additional('{"inviteLink":"https://x.example/y"}') },
		"'Additional Fields' contains 'inviteLink', which the node sets itself",
	],
])('%s rejects %j with a clear message and sends nothing', async (operation, fields, words) => {
	const { error, items } = await message(operation, fields);
	expect(error?.message).toBe(`${words} [item 0]`);
	expect(error?.description).toMatch(/\w{3}/);
	expect(error?.context?.itemIndex).toBe(0);
	expect(items).toEqual([]);
	expect(gateway.requests()).toEqual([]);
});

test.each([
	[undefined, "expects the node's input data to contain a binary file 'data'"],
	[
		{ data: { data: '', mimeType: 'text/plain' } },
		"The file in 'data' (Input Data Field Name) is empty [item 0]",
	],
])('rejects the files %j with the name of the field', async (binary, words) => {
	const { error } = await message('sendMedia', {}, { items: [{ json: {}, binary }] });
	expect(error?.message).toContain(words);
	expect(gateway.requests()).toEqual([]);
});

test('explains an error response and what to do', async () => {
	gateway.setStatus('DISCONNECTED');
	const { error } = await message('send');
	expect(error).toMatchObject({
		name: 'NodeApiError',
		message: 'The session is not online (409, session_not_online) [item 0]',
		httpCode: '409',
	});
	expect(error?.description).toMatch(/Session > Pair.*Session > Wait Until Online/);
});

test.each([
	[400, 'session_not_online'],
	[409, 'busy'],
	[429, 'rate_limit_exceeded'],
])('a %i with %s and a delivery key is a deferred message', async (status, code) => {
	const text = `{"error":"${code}","deliveryKey":"7"}`;
	gateway.answerWith({ contentType: 'application/json', text }, { status });
	const { items } = await message('send');
	expect(items[0]?.json).toEqual({ deliveryKey: '7', gatewayError: code, outcome: 'deferred' });
	expect(gateway.requests()).toHaveLength(1);
});

test.each([
	['text/plain', 'accepted', { data: 'accepted', contentType: 'text/plain' }],
	['application/json', '[{"a":1}]', { a: 1 }],
	['application/json', '[]', { success: true }],
])('turns a response of type %s with %j into an item', async (contentType, text, json) => {
	gateway.answerWith({ contentType, text });
	const { items } = await message('send');
	expect(items).toEqual([{ json: { ...json, outcome: 'sent' }, pairedItem: { item: 0 } }]);
});

test('looks up an invite with additional fields', async () => {
	const inviteCode = ' https://chat.example.com/AbC123?x=1 ';
	await message('inviteInfo', { inviteCode, ...additional('{"lang":"de"}') });
	const bodyText = '{"inviteCode":"AbC123","lang":"de"}';
	expect(gateway.theRequest()).toMatchObject({ bodyText, status: 200 });
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

test('rejects a proxy without a protocol instead of bypassing it', async () => {
	const { error } = await message('send', { requestOptions: { proxy: 'localhost:9' } });
	expect(error?.message).toMatch(/proxy/i);
	expect(gateway.requests()).toEqual([]);
});
