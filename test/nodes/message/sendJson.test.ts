import { run } from '../../harness/engine';
import { sending } from '../../harness/messages';
import { useNewGateways } from '../../harness/sandboxAccount';

const gateway = useNewGateways();

describe.each([
	['in a workflow', false],
	['as a tool', true],
])('%s', (_name, asTool) => {
	const send = (fields: Record<string, unknown>) =>
		run(sending(gateway, { asTool, fields: { operation: 'sendJson', ...fields } }));
	const sent = () =>
		gateway.requests().map(({ url, bodyText }) => [url.split('/').at(-1), bodyText]);

	test('sends the text byte for byte, including white space, with a valid signature', async () => {
		const body = ' {"text" : "x",\t"chatId":"4915123456789",  "type":"text"}\n ';
		const { items } = await send({ body });
		expect(items[0]?.json).toMatchObject({ outcome: 'sent' });
		expect(gateway.theRequest()).toMatchObject({ bodyText: body, status: 200 });
		expect(sent()).toEqual([['sendMessage', body]]);
	});

	test('sends to the endpoint for files', async () => {
		const media = '{"mimetype": "text/plain", "filename": "a.txt", "base64": "QUJD"}';
		const body = `{"chatId": "4915123456789", "type": "file", "media": ${media}}`;
		const { items } = await send({ endpoint: 'sendMedia', body });
		expect(items[0]?.json).toMatchObject({ outcome: 'sent' });
		expect(sent()).toEqual([['sendMedia', body]]);
	});

	test.each([
		['', "'Body' is empty"],
		['[1]', "'Body' is not a JSON object"],
		['{"chatId": ', "'Body' is not valid JSON: Unexpected end of JSON input"],
		['{"chatId":"1234567","text":"x","text":"y"}', "'Body' contains 'text' twice"],
		[String.raw`{"chatId":"1234567","chat\u0049d":"7654321"}`, "'Body' contains 'chatId' twice"],
		[
			'{"chatId":"1234567","media":{"base64":"QQ==","base64":"Qg=="}}',
			"'Body' contains 'base64' twice",
		],
	])('rejects the body %j', async (body, message) => {
		const { error } = await send({ body });
		expect(error?.message).toBe(`${message} [item 0]`);
		expect(gateway.requests()).toEqual([]);
	});

	test('accepts a name again in another object, and in texts', async () => {
		const body = String.raw`{"chatId":"1234567","type":"text","text":"\"text\": \\","list":[{"a":1},{"a":2}],"media":{"text":"{"}}`;
		const { error } = await send({ body });
		expect(error).toBeUndefined();
		expect(sent()).toEqual([['sendMessage', body]]);
	});

	// As docs/messages.md says.
	test('JSON.stringify keeps the text of a model from adding fields', async () => {
		const text = 'x", "chatId": "7654321';
		const items = [{ json: { text } }];
		const body = '={"chatId": "1234567", "type": "text", "text": {{ JSON.stringify($json.text) }}}';
		const { error } = await run(
			sending(gateway, { asTool, items, fields: { operation: 'sendJson', body } }),
		);
		expect(error).toBeUndefined();
		expect(gateway.state().delivered).toMatchObject([{ chatId: '1234567', text }]);
	});

	test('rejects an unknown endpoint', async () => {
		const { error } = await send({ body: '{}', endpoint: '={{ "deleteAll" }}' });
		expect(error?.message).toBe("'Endpoint' is not one of its choices [item 0]");
	});
});

test('reads the endpoint of each item', async () => {
	const media = '{"mimetype":"text/plain","filename":"a.txt","base64":"QUJD"}';
	const items = [
		{ json: { endpoint: 'sendMessage', body: '{"chatId":"1234567","type":"text","text":"x"}' } },
		{
			json: { endpoint: 'sendMedia', body: `{"chatId":"1234567","type":"file","media":${media}}` },
		},
	];
	const fields = {
		operation: 'sendJson',
		endpoint: '={{ $json.endpoint }}',
		body: '={{ $json.body }}',
	};
	const { error } = await run(sending(gateway, { items, fields }));
	expect(error).toBeUndefined();
	expect(gateway.requests().map(({ url }) => url.split('/').at(-1))).toEqual([
		'sendMessage',
		'sendMedia',
	]);
});
