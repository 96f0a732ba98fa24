import { run } from '../../harness/engine';
import { sending } from '../../harness/messages';
import { useNewGateways } from '../../harness/sandboxAccount';

const gateway = useNewGateways();

const send = (fields: Record<string, unknown>, json = {}) =>
	run(sending(gateway, { items: [{ json }], fields: { operation: 'sendJson', ...fields } }));
const sent = () => gateway.requests().map(({ url, bodyText }) => [url.split('/').at(-1), bodyText]);

test.each([
	['sendMessage', ' {"text" : "x",\t"chatId":"4915123456789",  "type":"text"}\n '],
	// The same name again in another object, and in texts.
	[
		'sendMessage',
		String.raw`{"chatId":"1234567","type":"text","text":"\"text\": \\","list":[{"a":1},{"a":2}],"media":{"text":"{"}}`,
	],
	[
		'sendMedia',
		'{"chatId": "1234567", "type": "file", "media": {"mimetype": "text/plain", "filename": "a.txt", "base64": "QUJD"}}',
	],
])('sends to %s byte for byte, with a valid signature: %s', async (endpoint, body) => {
	const { items } = await send({ endpoint: '={{ $json.endpoint }}', body }, { endpoint });
	expect(items[0]?.json).toMatchObject({ outcome: 'sent' });
	expect(gateway.theRequest().status).toBe(200);
	expect(sent()).toEqual([[endpoint, body]]);
});

test.each([
	['{"chatId": ', "'Body' is not valid JSON: Unexpected end of JSON input"],
	['{"chatId":"1234567","text":"x","text":"y"}', "'Body' contains 'text' twice"],
	[String.raw`{"chatId":"1234567","chat\u0049d":"7654321"}`, "'Body' contains 'chatId' twice"],
])('rejects the body %j', async (body, message) => {
	const { error } = await send({ body });
	expect(error?.message).toBe(`${message} [item 0]`);
	expect(gateway.requests()).toEqual([]);
});

// As docs/messages.md says.
test('JSON.stringify keeps the text of a model from adding fields', async () => {
	const text = 'x", "chatId": "7654321';
	const body = '={"chatId": "1234567", "type": "text", "text": {{ JSON.stringify($json.text) }}}';
	const { error } = await send({ body }, { text });
	expect(error).toBeUndefined();
	expect(gateway.state().delivered).toMatchObject([{ chatId: '1234567', text }]);
});
