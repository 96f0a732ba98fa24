import { InvalidInput } from '../../../gateway/inputValues';
import { memoized } from '../../../gateway/memoized';
import type { Clock } from './clock';
import type { Message, Sender } from './retry';

/** Each number is Infinity if the user removed the limit. */
export interface ToolLimits {
	maxMessages: number;
	maxPerTenMinutes: number;
	maxPerChat: number;
	clock: Clock;
	/** Identifies workflow, node and execution. Without an execution, as in n8n Agents and for an MCP Server Trigger, nothing. */
	execution?: string;
}

/** The messages of a call that may have been sent, or that is sending. */
interface Call {
	execution?: string;
	chat?: string;
	messages: number;
	/** Uses the steady clock. */
	at: number;
	wasAttempted?: boolean;
}

const WINDOW_MS = 10 * 60_000;
/** No limit is higher. */
export const MAX_CALLS = 1_000;

/** Keeps the latest calls of each account in this process, and those that are sending. A rehearsal is an account of its own. */
const callsOf = memoized(() => ({
	sending: new Set<Call>(),
	sent: new Set<Call>(),
}));

/** Keeps a model from sending too many messages. A call counts from its check until `finish` shows that nothing was sent. */
export function withToolLimits<M extends Message, Value>(
	sender: Sender<M, Value>,
	limits: ToolLimits,
): Sender<M, Value> {
	const begun = new Map<M, Call>();
	return {
		...sender,
		// The check comes before the turn of the message.
		loadsEarly: () => true,
		async load(message, part) {
			const call = begun.get(message) ?? beginCall(message, limits);
			if (call instanceof InvalidInput) return { failure: { kind: 'invalidInput', error: call } };
			begun.set(message, call);
			return await sender.load(message, part);
		},
		async attempt(message, part, body) {
			begun.get(message)!.wasAttempted = true;
			return await sender.attempt(message, part, body);
		},
		finish(message, result) {
			const call = begun.get(message);
			const isSent = result
				? 'value' in result || result.isUncertain || result.parts?.sent
				: call?.wasAttempted;
			const { sending, sent } = callsOf(message.account.accountKey);
			if (!call || !sending.delete(call) || !isSent) return;
			const [oldest] = sent.add(call);
			if (sent.size > MAX_CALLS) sent.delete(oldest!);
		},
	};
}

/** Checks and records a call without `await` in between, so that simultaneous calls count each other. */
function beginCall({ account, chat, parts }: Message, limits: ToolLimits): Call | InvalidInput {
	const { clock, execution, maxMessages, maxPerTenMinutes, maxPerChat } = limits;
	const at = clock.now();
	const { sending, sent } = callsOf(account.accountKey);
	const isRecent = (call: Call) => call.at + WINDOW_MS > at;
	const count = (counts: (call: Call) => boolean) =>
		[...sending, ...sent].filter(counts).reduce((sum, { messages }) => sum + messages, 0);
	const ofExecution = (call: Call) => execution !== undefined && call.execution === execution;
	const ofChat = (call: Call) => isRecent(call) && call.chat === chat;
	const checks = [
		[maxMessages - count(ofExecution), maxMessages, EXECUTION],
		[maxPerTenMinutes - count(isRecent), maxPerTenMinutes, TEN_MINUTES],
		[maxPerChat - count(ofChat), maxPerChat, CHAT],
	] as const;
	const { length: messages } = parts;
	const exceeded = checks.find(([left]) => messages > left);
	if (exceeded) return tooMany(messages, ...exceeded);
	const call: Call = { execution, chat, messages, at };
	sending.add(call);
	return call;
}

/** What the limit counts for, when to go on, and the option. */
type Limit = [who: string, next: string, option: string];
const EXECUTION: Limit = ['this execution', 'Do not send more', 'Max Messages per Execution'];
const TEN_MINUTES: Limit = ['the account', 'Wait ten minutes', 'Max Messages in Ten Minutes'];
const CHAT: Limit = ['this chat', 'Wait ten minutes', 'Max Messages per Chat'];

const tooMany = (messages: number, left: number, max: number, [who, next, option]: Limit) =>
	new InvalidInput(
		`Not sent: ${who} has ${Math.max(0, left)} of ${max} messages left, and the call needs ${messages}. ${left > 0 ? 'Write a shorter text' : next}`,
		`The option '${option}' changes this.`,
	);
