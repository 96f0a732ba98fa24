import type { ToolCall, Turn } from './completion';

export interface Conversation {
	messages: Message[];
	tools?: Tool[];
}

export interface Message {
	role: string;
	content?: string | null | Array<{ text?: string }>;
}

export interface Tool {
	function: { name: string; parameters?: Schema };
}

interface Schema {
	properties?: Record<string, Schema | null>;
}

/** The values that a prompt contains for the parameters of tools. */
type Values = {
	recipient?: string;
	text?: string;
	/** The URL or the name of an image. */
	image?: string;
	caption?: string;
};

/** The values by parameter name, in lower case without underscores: names of the examples, and names that n8n derives from our fields. */
const PARAMETERS = new Map<string, keyof Values>([
	['recipient', 'recipient'],
	['chatid', 'recipient'],
	['text', 'text'],
	['file', 'image'],
	['url', 'image'],
	['mediaurl', 'image'],
	['caption', 'caption'],
]);

const MAX_PROMPT = 10_000;
const MAX_REPORT = 500;

const STATUS_QUESTION = /^(?:is|what)\b.*\b(?:online|offline|status)\b/is;

const HELP =
	'I am the scripted model of the sandbox, and understand only a few requests: "Tell +44 7700 900123 that I am ten minutes ' +
	'late", "Send n8n-logo.png to +44 7700 900123" and "Is the phone online?". To talk freely, connect a real model.';

/** Returns the next turn. The same conversation always gets the same turn, so that tests can rely on it. */
export function nextTurn({ messages, tools = [] }: Conversation): Turn {
	const last = messages.at(-1);
	const prompt = textOf(messages.findLast(({ role }) => role === 'user'));
	if (last?.role === 'tool') return report(textOf(last), prompt);
	const reply = tools.length === 0 ? replyTo(prompt) : undefined;
	return reply ?? statusCall(prompt, tools) ?? messageCall(prompt, tools) ?? HELP;
}

function textOf(message: Message | undefined): string {
	const content = message?.content ?? '';
	const text = typeof content === 'string' ? content : content.map((part) => part.text).join('\n');
	return text.slice(0, MAX_PROMPT);
}

function statusCall(prompt: string, tools: Tool[]): ToolCall | undefined {
	if (!STATUS_QUESTION.test(prompt)) return undefined;
	const tool = tools.find(({ function: { name } }) => /status/i.test(name));
	return tool && { tool: tool.function.name, args: {} };
}

/** Returns a call of the tool that uses the most values of the prompt. Ignores tools with a parameter for which the prompt has no value. */
function messageCall(prompt: string, tools: Tool[]): ToolCall | undefined {
	const values = valuesIn(prompt);
	const calls = tools.flatMap(({ function: { name, parameters } }) => {
		const args = fillIn(parameters, values);
		return args && Object.keys(args).length > 0 ? [{ tool: name, args }] : [];
	});
	const size = ({ args }: ToolCall) => Object.keys(args).length;
	return calls.sort((one, other) => size(other) - size(one))[0];
}

function fillIn(schema: Schema | null | undefined, values: Values): ToolCall['args'] | undefined {
	const args: ToolCall['args'] = {};
	for (const [name, property] of Object.entries(schema?.properties ?? {})) {
		const known = PARAMETERS.get(name.toLowerCase().replaceAll('_', ''));
		const value = property?.properties ? fillIn(property, values) : known && values[known];
		if (value === undefined) return undefined;
		args[name] = value;
	}
	return args;
}

function replyTo(prompt: string): string | undefined {
	const customer = /^Customer: (.+)/.exec(prompt)?.[1];
	return (
		customer &&
		`Hello ${customer}, thank you for your message. We are sorry about the trouble, and will get back to you today.`
	);
}

function valuesIn(prompt: string): Values {
	const text = replyTo(prompt);
	if (text !== undefined) return { text };
	const [phone, ...others] = prompt.matchAll(/\+\d[\d ().-]{6,}\d/g);
	if (!phone || others.length > 0) return {};
	const [recipient] = phone;
	const message = messageIn(
		prompt.slice(0, phone.index),
		prompt.slice(phone.index + recipient.length),
	);
	const image = /(?<!\S)\S+\.(?:png|jpe?g|gif|webp)\b\S*/i.exec(prompt)?.[0];
	if (image === undefined) return { recipient, ...(message && { text: message }) };
	return { recipient, text: message, image, caption: message.replace(image, '').trim() };
}

/** Returns the text after the number and a word such as `that`. Otherwise returns a quoted text, or the text after or before the number. */
function messageIn(before: string, after: string): string {
	const said = /^\s*(?:(?:that|saying)\b|:)(.*)/is.exec(after)?.[1];
	if (said !== undefined) return said.trim();
	const quoted = /["“]([^"“”]+)["”]/.exec(`${before} ${after}`)?.[1];
	if (quoted !== undefined) return quoted;
	const following = after.replace(/^[\s,]+/, '').trim();
	if (following !== '') return following;
	return before
		.replace(/^\s*(?:please\s+)?(?:send|tell|text|write|message)\b/i, '')
		.replace(/\bto\s*$/i, '')
		.trim();
}

function report(result: string, prompt: string): string {
	// n8n may put the JSON of an item into a string, which escapes the quotes of the JSON.
	const [, outcome] = /outcome\\*":\\*"(sent|deferred)\b/.exec(result) ?? [];
	if (outcome) return `The message was ${outcome}.`;
	const [, status] = /status\\*":\\*"([A-Z_]+)\b/.exec(result) ?? [];
	if (status) return `The session status is ${status}.`;
	const error = errorIn(result);
	if (error?.startsWith('Not sent: ')) return error;
	if (error) return `${STATUS_QUESTION.test(prompt) ? 'Status unknown' : 'Not sent'}: ${error}`;
	return `The tool returned: ${result.slice(0, MAX_REPORT)}`;
}

/** Returns the message of an error item, without the status, code and item number at its end. */
function errorIn(result: string): string | undefined {
	const start = /error\\{0,7}":\\{0,7}"/.exec(result);
	if (!start) return undefined;
	const rest = result.slice(start.index + start[0].length);
	return rest
		.slice(0, Math.max(rest.search(/\\{0,7}"\s*[,}]/), 0))
		.replace(/ \[item \d+\]$/, '')
		.replace(/ \(\d{3}, \w+\)$/, '')
		.replaceAll(/\\{1,7}"/g, '"');
}
