import { createHash } from 'crypto';

import { InvalidInput } from '../../../gateway/inputValues';
import type { Result } from '../../../gateway/responses/failure';
import { lastUsed } from '../../../gateway/lastUsed';
import { AUTOMATIC_KEY, contentAndKeyOf } from '../../../gateway/wire/messageBody';
import type { Clock } from './clock';
import type { Message, Sender } from './retry';

export interface ToolLimits {
	allowRepeats: boolean;
	maxMessages: number;
	clock: Clock;
	/** The workflow and node of the tool, and the execution, which a call of an MCP Server Trigger has not. */
	tool: string;
	executionId?: string;
}

interface Call {
	execution: string;
	/** Identifies the chat, the text or file, and the user's own key. */
	digest: string;
	key: string;
	messages: number;
	state: keyof typeof STATES;
	/** Uses the steady clock. The time is Infinity while the call is sending. */
	endedAt: number;
	wasAttempted: boolean;
}

const WINDOW_MS = 10 * 60_000;
const MAX_CALLS = 1_000;
const MAX_ACCOUNTS = 1_000;

/** Keeps the latest tool calls of each account in this process that may have sent something, and those that are sending. */
const callsOf = lastUsed(MAX_ACCOUNTS, () => new Set<Call>());

/**
 * Keeps a model from sending a message twice, or too many messages. The check is before the turn of the message, and for a file after
 * loading it, because its content decides. From then on the call counts, until `finish` shows that nothing was sent.
 */
export function withToolLimits<M extends Message, Value>(
	sender: Sender<M, Value>,
	limits: ToolLimits,
): Sender<M, Value> {
	const begun = new Map<M, Call>();
	return {
		...sender,
		isSlow: () => true,
		async load(message, part) {
			const loaded = await sender.load(message, part);
			// Each attempt loads the part, but all parts and attempts are one call.
			if ('failure' in loaded || begun.has(message)) return loaded;
			const { parts } = message;
			const call = beginCall(
				message,
				parts.length > 1 ? (parts as Buffer[]) : [loaded.value],
				limits,
			);
			if (call instanceof InvalidInput) return { failure: { kind: 'invalidInput', error: call } };
			begun.set(message, call);
			return loaded;
		},
		async attempt(message, part, body) {
			begun.get(message)!.wasAttempted = true;
			return await sender.attempt(message, part, body);
		},
		finish(message, result) {
			const call = begun.get(message);
			if (call) endCall(call, callsOf(message.account.accountKey), limits.clock.now(), result);
		},
	};
}

/** Checks and records a call without `await` in between, so that the second of two simultaneous calls is rejected. */
function beginCall(
	{ account, chat }: Message,
	bodies: Buffer[],
	{ allowRepeats, maxMessages, clock, tool, executionId }: ToolLimits,
): Call | InvalidInput {
	const now = clock.now();
	// Calls without an execution count together for ten minutes.
	const execution = `${tool},${executionId ?? Math.floor(now / WINDOW_MS)}`;
	const all = callsOf(account.accountKey);
	const calls = [...all];
	const left = calls
		.filter((call) => call.execution === execution)
		.reduce((rest, call) => rest - call.messages, maxMessages);
	const messages = bodies.length;
	if (messages > left) return tooMany(messages, left, maxMessages);
	const parsed = bodies.map(contentAndKeyOf);
	const key = parsed.at(-1)!.key;
	const content = [
		chat ?? String(bodies),
		AUTOMATIC_KEY.test(key) ? '' : key,
		...parsed.map((part) => part.content),
	];
	const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
	const isRecent = ({ endedAt }: Call) => endedAt + WINDOW_MS > now;
	const earlier = calls.findLast((call) => call.digest === digest && isRecent(call));
	// With the same key, an uncertain call may be repeated, for example by n8n, because the gateway drops a second message.
	const isDropped = earlier?.state === 'uncertain' && key !== '' && earlier.key === key;
	if (earlier && !allowRepeats && !isDropped) return repeated(earlier, now, clock);
	const begun = { state: 'sending', endedAt: Infinity, wasAttempted: false } as const;
	const call: Call = { execution, digest, key, messages, ...begun };
	all.add(call);
	return call;
}

/** Forgets a message that was not sent, so it may be sent again. Without a result, it was stopped. */
function endCall(call: Call, all: Set<Call>, endedAt: number, result?: Result<unknown>): void {
	const isSent = result && 'value' in result;
	const mayBeSent = result ? isSent || result.isUncertain || result.parts?.sent : call.wasAttempted;
	if (mayBeSent) Object.assign(call, { endedAt, state: isSent ? 'sent' : 'uncertain' });
	else all.delete(call);
	const [oldest, ...others] = [...all].filter(({ state }) => state !== 'sending');
	if (oldest && others.length >= MAX_CALLS) all.delete(oldest);
}

const STATES = {
	sending: 'another call is sending the same message. Wait for its result',
	sent: 'this chat got the same message at TIME. Do not send it again',
	uncertain:
		"this chat may have got the same message at TIME. Check it, or use an 'Idempotency Key' of your own",
};

function repeated({ state, endedAt }: Call, now: number, clock: Clock) {
	const time = new Date(clock.date() - now + (state === 'sending' ? now : endedAt));
	const text = STATES[state].replace('TIME', `${time.toISOString().slice(11, 16)} UTC`);
	return new InvalidInput(
		`Not sent: ${text}`,
		"The option 'Allow Repeated Messages' changes this.",
	);
}

const tooMany = (messages: number, left: number, max: number) =>
	new InvalidInput(
		`Not sent: this execution has ${left} of ${max} messages left, and the call needs ${messages}. ${left > 0 ? 'Write a shorter text' : 'Do not send more'}`,
		"The option 'Max Messages per Execution' changes this.",
	);
