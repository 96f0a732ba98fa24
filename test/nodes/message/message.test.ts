import { type Outcome, run, type RunOptions } from '../../harness/engine';
import { useProxy } from '../../harness/proxyServer';
import { useGateway, useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import { deliveryWindow, gapsMs, NO_LIMITS } from '../../harness/messages';

const gateway = useGateway({
	token: 'token/with ünusual+chars',
	secret: 'quiet & secret 🔑',
});
const proxy = useProxy();

/** With a recipient and a text, unless the parameters have others. Many tests send the same. */
const message = (
	operation: string,
	parameters: Record<string, unknown>,
	options: Partial<RunOptions> = {},
): Promise<Outcome> =>
	run({
		account: gateway.account,
		parameters: {
			...{ resource: 'message', operation, chatId: '4915123456789', text: 'x' },
			...parameters,
			options: { ...NO_LIMITS, ...(parameters.options as object) },
		},
		...options,
	});

const image = Buffer.from('89504e470d0a1a0a00ff', 'hex');
const withImage = {
	json: {},
	binary: {
		data: {
			data: image.toString('base64'),
			mimeType: 'image/png',
			fileName: 'sun.png',
			fileExtension: 'png',
		},
	},
};

describe.each([
	['in a workflow', false],
	['as a tool', true],
])('%s', (_name, asTool) => {
	test('sends a text as exactly the three documented fields with a valid signature', async () => {
		const { items, error } = await message(
			'send',
			{ chatId: '+49 (151) 234-567', text: 'Guten Tag "Ä" 😀\u2028' },
			{ asTool },
		);
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
		await message(
			'send',
			{
				text: 'Hello',
				options: {
					fieldNames: 'legacy',
					idempotencyKey: 'order-1',
					...deliveryWindow(1, 'minutes'),
					additionalFields: '{"a": [1]}',
				},
			},
			{ asTool },
		);
		expect(gateway.theRequest()).toMatchObject({
			status: 200,
			bodyText:
				'{"phone":"4915123456789","type":"text","message":"Hello","idempotency_key":"order-1","window_ms":60000,"a":[1]}',
		});
	});

	test('sends a file as base64 with its own name and type', async () => {
		const { error } = await message(
			'sendMedia',
			{ chatId: '120363012345678901@g.us', caption: 'The sun' },
			{ asTool, items: [withImage] },
		);
		expect(error).toBeUndefined();
		expect(gateway.theRequest()).toMatchObject({
			status: 200,
			bodyText:
				'{"chatId":"120363012345678901@g.us","type":"media","caption":"The sun","media":{"mimetype":"image/png","filename":"sun.png","base64":"iVBORw0KGgoA/w=="}}',
		});
	});

	test.each([undefined, ''])('gives a file without a name one: %p', async (fileName) => {
		const { data } = withImage.binary;
		const items = [{ json: {}, binary: { data: { ...data, fileName } } }];
		await message('sendMedia', {}, { asTool, items });
		expect(gateway.theRequest().bodyText).toContain('"filename":"file.png"');
	});

	test('sends a file from another field with another type and name', async () => {
		await message(
			'sendMedia',
			{
				binaryPropertyName: 'scan',
				mediaType: 'file',
				options: { fileName: 'bill.pdf', mimeType: 'application/pdf' },
			},
			{ asTool, items: [{ json: {}, binary: { scan: withImage.binary.data } }] },
		);
		expect(gateway.theRequest()).toMatchObject({
			status: 200,
			bodyText:
				'{"chatId":"4915123456789","type":"file","media":{"mimetype":"application/pdf","filename":"bill.pdf","base64":"iVBORw0KGgoA/w=="}}',
		});
	});

	test.each(['send', 'sendMedia'])('%s uses the Default Country', async (operation) => {
		const { items, error } = await message(
			operation,
			{ chatId: '0151 234567', options: { defaultCountry: 'DE' } },
			{ asTool, items: [withImage] },
		);
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ chatId: '49151234567', outcome: 'sent' });
		expect(gateway.theRequest().bodyText).toMatch(/^\{"chatId":"49151234567",/);
	});

	test('reads the Default Country of each item', async () => {
		await message(
			'send',
			{ chatId: '020 7946 0958', options: { defaultCountry: '={{ $json.country }}' } },
			{ asTool, items: [{ json: { country: 'gb' } }] },
		);
		expect(gateway.theRequest().bodyText).toBe(
			'{"chatId":"442079460958","type":"text","text":"x"}',
		);
	});

	test('signs a megabyte of emoji as it is sent', async () => {
		const { error } = await message('send', { text: '😀'.repeat(262_144) }, { asTool });
		expect(error).toBeUndefined();
		expect(gateway.theRequest().bodyLength).toBe(1_048_576 + 50);
	});

	test.each([
		['a missing recipient', 'send', { chatId: '={{ "" }}', text: 'x' }, "'Chat ID' is empty"],
		['a name as recipient', 'send', { chatId: 'Anna' }, "'Chat ID' cannot be 'Anna'"],
		['an empty text', 'send', { text: ' ' }, "'Text' is empty"],
		[
			'a text that is an object',
			'send',
			{ text: { a: 1 } },
			"'Text' is not text but of type object",
		],
		[
			'additional fields that are a list',
			'send',
			{ options: { additionalFields: '[1]' } },
			"'Additional Fields' is not a JSON object",
		],
		[
			'a text that is NaN',
			'send',
			{ text: '={{ NaN }}' },
			"'Text' is not text but not an exact number either",
		],
		[
			'unknown field names',
			'send',
			{ options: { fieldNames: '={{ "older" }}' } },
			"'Field Names' is not one of its choices",
		],
		[
			'a national number without a Default Country',
			'send',
			{ chatId: '0151 234567' },
			"'Chat ID' cannot be '0151 234567': it has no country code, and 'Default Country' is not set",
		],
		[
			'a Default Country of nothing',
			'send',
			{ chatId: '0151 234567', options: { defaultCountry: '={{ undefined }}' } },
			"'Default Country' is empty",
		],
		[
			'an unknown Default Country',
			'send',
			{ chatId: '+49 151 234567', options: { defaultCountry: 'UK' } },
			"'Default Country' is not the code of a country",
		],
		[
			'a delivery window of nothing',
			'send',
			{ options: deliveryWindow('={{ undefined }}') },
			"'Delivery Window' is not a number above 0",
		],
		[
			'additional fields of nothing',
			'send',
			{ options: { additionalFields: '={{ undefined }}' } },
			"'Additional Fields' is not a JSON object",
		],
		[
			'a delivery window of true',
			'send',
			{ options: deliveryWindow('={{ true }}') },
			"'Delivery Window' is not a number above 0",
		],
		[
			'a delivery window of zero',
			'send',
			{ options: deliveryWindow('={{ 0 }}') },
			"'Delivery Window' is not a number above 0",
		],
		[
			'another invite code among the additional fields',
			'inviteInfo',
			{ inviteCode: 'AbC123', options: { additionalFields: '{"inviteCode":"other"}' } },
			"'Additional Fields' contains 'inviteCode', which the node sets itself",
		],
		[
			'a link next to the code of a channel',
			'channelInfo',
			{ channel: 'AbC123', options: { additionalFields: '{"inviteLink":"https://x.example/y"}' } },
			"'Additional Fields' contains 'inviteLink', which the node sets itself",
		],
		['an empty invite code', 'inviteInfo', { inviteCode: '={{ null }}' }, "'Invite Code' is empty"],
		['an empty channel', 'channelInfo', { channel: ' ' }, "'Channel' is empty"],
	])(
		'rejects %s with a clear message and sends nothing',
		async (_what, operation, fields, words) => {
			const { error, items } = await message(operation, fields, { asTool });
			expect(error?.message).toBe(`${words} [item 0]`);
			expect(error?.description).toMatch(/\w{3}/);
			expect(error?.context?.itemIndex).toBe(0);
			expect(items).toEqual([]);
			expect(gateway.requests()).toEqual([]);
		},
	);

	test('rejects a missing file with the name of the field and sends nothing', async () => {
		const { error } = await message('sendMedia', {}, { asTool });
		expect(error?.message).toContain(
			"expects the node's input data to contain a binary file 'data'",
		);
		expect(gateway.requests()).toEqual([]);
	});

	test('rejects an empty file and sends nothing', async () => {
		const { error } = await message(
			'sendMedia',
			{},
			{ asTool, items: [{ json: {}, binary: { data: { data: '', mimeType: 'text/plain' } } }] },
		);
		expect(error?.message).toBe("The file in 'data' (Input Data Field Name) is empty [item 0]");
		expect(gateway.requests()).toEqual([]);
	});

	test('explains an error response and what to do', async () => {
		gateway.setStatus('DISCONNECTED');
		const { error } = await message('send', {}, { asTool });
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: 'The session is not online (409, session_not_online) [item 0]',
			httpCode: '409',
		});
		expect(error?.description).toMatch(/Session > Pair.*Session > Wait Until Online/);
	});

	test('reports a wrong secret first', async () => {
		const account = { ...gateway.account, secret: 'another' };
		const { error } = await message('send', {}, { asTool, account });
		expect(error?.message).toBe(
			'The gateway did not accept the signature (401, invalid_signature) [item 0]',
		);
		expect(error?.description).toContain("'Secret' of the credential");
		expect(gateway.requests()).toHaveLength(1);
	});

	test('returns the delivery key of a deferred message', async () => {
		gateway.setStatus('DISCONNECTED');
		const { items } = await message('send', { options: deliveryWindow(1, 'minutes') }, { asTool });
		expect(items[0]?.json).toMatchObject({
			status: 'deferred',
			deliveryKey: expect.any(String) as string,
		});
		expect(gateway.state().deferred).toHaveLength(1);
	});

	test('renames `error` in a successful response, which n8n would treat as a failed run', async () => {
		gateway.answerWith({
			contentType: 'application/json',
			text: '{"deliveryKey":"7","error":"session_not_online"}',
		});
		const { items } = await message('send', {}, { asTool });
		expect(items[0]?.json).toEqual({
			deliveryKey: '7',
			gatewayError: 'session_not_online',
			outcome: 'deferred',
		});
	});

	test.each([400, 409, 422, 425, 503])(
		'a %i with a delivery key, because the session is offline, is a deferred message',
		async (status) => {
			const text = '{"error":"session_not_online","deliveryKey":"7"}';
			gateway.answerWith({ contentType: 'application/json', text }, { status });
			const { items } = await message('send', {}, { asTool });
			expect(items[0]?.json).toMatchObject({ deliveryKey: '7', outcome: 'deferred' });
			expect(gateway.requests()).toHaveLength(1);
		},
	);

	test('a 429 with a delivery key is a deferred message, and is not sent again', async () => {
		const text = '{"error":"rate_limit_exceeded","deliveryKey":"7"}';
		gateway.answerWith({ contentType: 'application/json', text }, { status: 429 });
		const { items } = await message('send', {}, { asTool });
		expect(items[0]?.json).toMatchObject({ deliveryKey: '7', outcome: 'deferred' });
		expect(gateway.requests()).toHaveLength(1);
	});

	test('treats an error response with status 200 as an error', async () => {
		gateway.answerWith({
			contentType: 'application/json',
			text: '{"success":false,"error":"insufficient_balance","message":"Top up"}',
		});
		const { error } = await message('send', {}, { asTool });
		expect(error?.message).toBe(
			"The account's balance is used up (200, insufficient_balance) [item 0]",
		);
	});

	test.each([
		[
			'text',
			{ contentType: 'text/plain', text: 'accepted' },
			{ data: 'accepted', contentType: 'text/plain' },
		],
		[
			'text that the framework sends as HTML',
			{ contentType: 'text/html', text: 'ok' },
			{ data: 'ok', contentType: 'text/html' },
		],
		['an empty body', { contentType: 'text/plain', text: '' }, { success: true }],
		['a list', { contentType: 'application/json', text: '[{"a":1}]' }, { a: 1 }],
		['an empty list', { contentType: 'application/json', text: '[]' }, { success: true }],
		['null', { contentType: 'application/json', text: 'null' }, { success: true }],
	])('turns a response with %s into an item', async (_what, body, json) => {
		gateway.answerWith(body);
		const { items } = await message('send', {}, { asTool });
		expect(items).toEqual([{ json: { ...json, outcome: 'sent' }, pairedItem: { item: 0 } }]);
	});

	test('with Continue, returns an invalid item in its place and sends the others', async () => {
		const { items, error } = await message(
			'send',
			{ chatId: '={{ $json.to }}', text: 'x' },
			{
				asTool,
				items: [
					{ json: { to: '4915123456781' } },
					{ json: { to: 'nobody' } },
					{ json: { to: 4915123456783 } },
				],
				settings: { onError: 'continueRegularOutput' },
			},
		);
		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		expect(items[1]?.json).toEqual({
			error: "'Chat ID' cannot be 'nobody' [item 1]",
			details: { cause: 'invalid_input', retry: 'never' },
		});
		expect(gateway.state().delivered.map(({ chatId }) => chatId)).toEqual([
			'4915123456781',
			'4915123456783',
		]);
	});

	test('with an Error Output, routes an invalid item there and sends nothing twice', async () => {
		const { items, errorItems } = await message(
			'send',
			{ chatId: '={{ $json.to }}', text: 'x' },
			{
				asTool,
				items: [{ json: { to: 'nobody' } }, { json: { to: '4915123456782' } }],
				settings: {
					onError: 'continueErrorOutput',
					retryOnFail: true,
					maxTries: 3,
					waitBetweenTries: 1,
				},
			},
		);
		expect(items).toHaveLength(1);
		expect(errorItems).toHaveLength(1);
		expect(errorItems[0]?.json).toEqual({ error: "'Chat ID' cannot be 'nobody' [item 0]" });
		expect(errorItems[0]?.error?.description).toContain('country code');
		expect(errorItems[0]?.pairedItem).toEqual({ item: 0 });
		expect(gateway.state().delivered).toHaveLength(1);
	});

	test.each([
		[
			'success: false',
			'{"success":false,"message":"Not sent: offline"}',
			'The gateway says: Not sent: offline.',
		],
		['error: true', '{"error":true,"message":"boom"}', 'The gateway says: boom.'],
	])('treats a response with %s as an error, whatever its status', async (_what, text, words) => {
		gateway.answerWith({ contentType: 'application/json', text });
		const { error } = await message('send', {}, { asTool });
		expect(error?.message).toBe('The gateway rejected the request (200) [item 0]');
		expect(error?.description).toContain(words);
	});

	test('reports an unknown result if the response cannot be read', async () => {
		gateway.faults([
			{
				after: true,
				body: { contentType: 'application/json', text: 'not gzip' },
				headers: { 'content-encoding': 'gzip' },
			},
		]);
		const { error } = await message('send', {}, { asTool });
		expect(gateway.state().delivered).toHaveLength(1);
		expect(error?.message).toBe(
			'The connection closed before a complete response arrived; unknown: it may have been sent [item 0]',
		);
		expect(error?.description).toContain('It is unknown whether the gateway processed the request');
	});

	test('rejects an idempotency key of spaces, which would make every message a duplicate', async () => {
		const { error } = await message(
			'send',
			{ options: { idempotencyKey: '={{ "  " }}' } },
			{ asTool },
		);
		expect(error?.message).toBe("'Idempotency Key' is empty [item 0]");
		expect(gateway.requests()).toEqual([]);
	});

	test('rejects a proxy without a protocol instead of bypassing it', async () => {
		const { error } = await message(
			'send',
			{ requestOptions: { proxy: 'localhost:9' } },
			{ asTool },
		);
		expect(error?.message).toMatch(/proxy/i);
		expect(gateway.requests()).toEqual([]);
	});

	test.each([
		['an invite code', 'inviteInfo', { inviteCode: 'AbC123' }, '{"inviteCode":"AbC123"}'],
		[
			'a pasted invite link',
			'inviteInfo',
			{ inviteCode: ' https://chat.example.com/AbC123?x=1 ' },
			'{"inviteCode":"AbC123"}',
		],
		['a channel code', 'channelInfo', { channel: 'Xyz9' }, '{"inviteCode":"Xyz9"}'],
		[
			'a channel link',
			'channelInfo',
			{ channel: 'https://example.com/channel/Xyz9' },
			'{"inviteLink":"https://example.com/channel/Xyz9"}',
		],
		[
			'additional fields',
			'inviteInfo',
			{ inviteCode: 'AbC123', options: { additionalFields: '{"lang":"de"}' } },
			'{"inviteCode":"AbC123","lang":"de"}',
		],
	])('looks up %s', async (_what, operation, fields, bodyText) => {
		const { items, error } = await message(operation, fields, { asTool });
		expect(error).toBeUndefined();
		expect(gateway.theRequest()).toMatchObject({ bodyText, status: 200 });
		expect(items).toHaveLength(1);
	});

	test('uses the proxy under Request Options', async () => {
		await message(
			'send',
			{ requestOptions: { proxy: proxy.url } },
			{ asTool, account: { ...gateway.account, baseUrl: 'https://gateway.invalid' } },
		);
		expect(proxy.seen).toEqual(['CONNECT gateway.invalid:443']);
	});
});

// n8n reads the proxy of a tool itself, and fails.
test.each(['50%off', '50%25off'])('the password of a proxy can be %s', async (password) => {
	await message(
		'send',
		{ requestOptions: { proxy: proxy.url.replace('//', `//user:${password}@`) } },
		{ account: { ...gateway.account, baseUrl: 'https://gateway.invalid' } },
	);
	expect(proxy.requests[0]?.headers).toMatchObject({
		'proxy-authorization': `Basic ${Buffer.from('user:50%off').toString('base64')}`,
	});
});

test('sends the messages to one chat one by one, in item order', async () => {
	gateway.faults([{ latencyMs: 20, times: 1 }]);
	const texts = Array.from({ length: 12 }, (_, index) => `Message ${index}`);
	await message(
		'send',
		{ text: '={{ $json.text }}' },
		{ items: texts.map((text) => ({ json: { text } })) },
	);
	expect(gateway.state().delivered.map(({ text }) => text)).toEqual(texts);
});

test('with Stop, sends nothing after the failed item', async () => {
	const { error } = await message(
		'send',
		{ chatId: '={{ $json.to }}', text: 'x' },
		{
			items: [
				{ json: { to: '4915123456781' } },
				{ json: { to: '?' } },
				{ json: { to: '4915123456783' } },
			],
		},
	);
	expect(error?.message).toBe("'Chat ID' cannot be '?'; 1 of 3 sent, 1 not attempted [item 1]");
	expect(gateway.state().delivered).toHaveLength(1);
});

describe('in virtual time', () => {
	useVirtualTime();
	const virtual = useNewGateways();

	test.each([
		['in a workflow', false],
		['as a tool', true],
	])('uses the timeout under Request Options %s', async (_name, asTool) => {
		const { account } = virtual;
		virtual.faults([{ latencyMs: 2_000 }]);
		const requestOptions = { timeout: 100 };
		const { error } = await message('send', { requestOptions }, { account, asTool });
		expect(error?.message).toBe(
			'The gateway did not respond within the timeout; unknown: it may have been sent [item 0]',
		);
		expect(error?.description).toContain('It is unknown whether the gateway processed the request');
	});

	test('Batching under Request Options limits the message rate', async () => {
		const { account } = virtual;
		const items = Array.from({ length: 5 }, () => ({ json: {} }));
		const requestOptions = { batching: { batch: { batchSize: 2, batchInterval: 150 } } };
		await message('send', { requestOptions }, { account, items });
		expect(gapsMs(virtual)).toEqual([0, 150, 0, 150]);
		expect(virtual.state().delivered).toHaveLength(5);
	});
});
