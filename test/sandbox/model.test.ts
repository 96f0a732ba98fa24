import { sendRequest } from '../harness/client';
import { useGateway } from '../harness/sandboxAccount';

const sandbox = useGateway();

const string = { type: 'string' };
const tool = (name: string, properties: object) => ({
	type: 'function',
	function: { name, parameters: { type: 'object', properties } },
});
/** As n8n describes the tools of the examples to a model. */
const SEND = tool('Send_message', { recipient: string, text: string });
const IMAGE = tool('Send_image', { recipient: string, file: string, caption: string });
const STATUS = tool('Session_status', {});
const REPLY = tool('Send_reply', {
	toolParameters: { type: 'object', properties: { text: string } },
	hitlParameters: { type: 'object', properties: {} },
});

interface Completion {
	choices: Array<{
		finish_reason: string;
		message: {
			content: string | null;
			tool_calls?: Array<{ id: string; function: { name: string; arguments: string } }>;
		};
	}>;
}

async function complete(body: object | string, headers: Record<string, string> = {}) {
	return await sendRequest(`${sandbox.modelUrl}/chat/completions`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json', ...headers },
		body: typeof body === 'string' ? body : JSON.stringify(body),
	});
}

/** What the model says to this prompt: a text, or the tool that it calls, with its arguments. */
async function say(prompt: unknown, tools = [SEND, IMAGE, STATUS], results: string[] = []) {
	const messages = [
		{ role: 'system', content: 'You send chat messages to +1 555 0100.' },
		{ role: 'user', content: prompt },
		...results.map((content) => ({ role: 'tool', content })),
	];
	const { json } = await complete({ model: 'any', messages, tools });
	const { finish_reason: reason, message } = (json as unknown as Completion).choices[0]!;
	const called = message.tool_calls?.map(({ function: { name, arguments: args } }) => [
		name,
		JSON.parse(args) as unknown,
	]);
	expect(reason).toBe(called ? 'tool_calls' : 'stop');
	return called?.length === 1 ? called[0] : message.content;
}

const TO = '+44 7700 900123';

test.each([
	[`Tell ${TO} that I am ten minutes late.`, 'I am ten minutes late.'],
	[`Text ${TO} saying *hello*\nand more`, '*hello*\nand more'],
	[`Tell ${TO} that order 4711 is ready`, 'order 4711 is ready'],
	[[{ type: 'text', text: `Tell ${TO} that it works` }], 'it works'],
])('sends what the user asks for: %j', async (prompt, text) => {
	expect(await say(prompt)).toEqual(['Send_message', { recipient: TO, text }]);
});

test.each([
	[`Send sun.png to ${TO}: The sun`, 'sun.png', 'The sun'],
	[`Send https://example.com/sun.png to ${TO}`, 'https://example.com/sun.png', ''],
])('sends an image by its name or address: %s', async (prompt, file, caption) => {
	const args = { recipient: TO, file, caption };
	expect(await say(prompt)).toEqual(['Send_image', args]);
});

test('answers a customer through the review step', async () => {
	expect(await say('Customer: Ada\n\nMy order arrived broken.', [REPLY])).toEqual([
		'Send_reply',
		{
			toolParameters: {
				text: 'Hello Ada, thank you for your message. We are sorry about the trouble, and will get back to you today.',
			},
			hitlParameters: {},
		},
	]);
});

test.each([
	['{"outcome":"sent","messageId":"1"}', 'The message was sent.'],
	['[{"response":"{\\"outcome\\":\\"deferred\\"}"}]', 'The message was deferred.'],
	['The user rejected the call', 'The tool returned: The user rejected the call'],
	[
		'[{"response":"{\\"error\\":\\"The field \\\\\\"Text\\\\\\" is empty [item 12]\\",\\"item\\":12}"}]',
		'Not sent: The field "Text" is empty',
	],
])('reports what the tool returned: %s', async (result, report) => {
	expect(await say(`Tell ${TO} that I am late`, [SEND], [result])).toBe(report);
});

test.each<[unknown, Array<typeof SEND>]>([
	['Tell Ada that I am late', [SEND, STATUS]],
	[`Tell ${TO} and +44 7700 900124 that I am late`, [SEND]],
	[`Tell ${TO} that I am late`, [tool('Other', { text: string, constructor: string })]],
	[`Tell ${TO} that I am late`, []],
	[undefined, [SEND, STATUS]],
])('says what it understands instead of guessing: %j', async (prompt, tools) => {
	expect(await say(prompt, tools)).toMatch(/^I am the scripted model of the sandbox.*Tell \+44/s);
});

test("lists a model, for the test of n8n's credential, and is not in the log of the gateway", async () => {
	const { status, json } = await sendRequest(`${sandbox.modelUrl}/models`);
	const data = [{ id: 'scripted', object: 'model' }];
	expect([status, json]).toEqual([200, { object: 'list', data }]);
	expect(sandbox.requests()).toEqual([]);
});

test.each<[object | string, Record<string, string>, number, string]>([
	[{ messages: [], stream: true }, {}, 422, 'validation_error'],
	[{ messages: [] }, { Origin: 'https://example.com' }, 403, 'foreign_origin'],
])('rejects %j with the headers %j', async (body, headers, status, error) => {
	const response = await complete(body, headers);
	expect([response.status, response.json.error]).toEqual([status, error]);
});
