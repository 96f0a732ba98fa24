import { postJson } from '../harness/client';
import { useGateway } from '../harness/sandboxAccount';

const sandbox = useGateway();

const string = { type: 'string' };
const tool = (name: string, properties: object) => ({
	type: 'function',
	function: { name, parameters: { type: 'object', properties } },
});
/** As n8n describes the tools of the examples to a model. */
const SEND = tool('Send_message', { recipient: string, text: string });
const STATUS = tool('Session_status', {});

interface Completion {
	choices: Array<{
		finish_reason: string;
		message: {
			content: string | null;
			tool_calls?: Array<{ function: { name: string; arguments: string } }>;
		};
	}>;
}

const complete = async (body: object, headers: Record<string, string> = {}) =>
	await postJson(`${sandbox.modelUrl}/chat/completions`, body, headers);

/** What the model says to this prompt: a text, or the tool that it calls, with its arguments. */
async function say(prompt: unknown, tools = [SEND, STATUS], results: string[] = []) {
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
	[[{ type: 'text', text: `Tell ${TO} that it works` }], 'it works'],
])('sends what the user asks for: %j', async (prompt, text) => {
	expect(await say(prompt)).toEqual(['Send_message', { recipient: TO, text }]);
});

test.each<[unknown, Array<typeof SEND>]>([
	['Tell Ada that I am late', [SEND, STATUS]],
	[`Tell ${TO} and +44 7700 900124 that I am late`, [SEND]],
	[`Tell ${TO} that I am late`, [tool('Other', { text: string, constructor: string })]],
])('says what it understands instead of guessing: %j', async (prompt, tools) => {
	expect(await say(prompt, tools)).toMatch(/^I am the scripted model of the sandbox.*Tell \+44/s);
});
