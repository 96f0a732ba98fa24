import { createHash } from 'crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { InvalidInput } from '../../../gateway/invalidInput';
import type { Result } from '../../../gateway/responses/failure';
import { perAccount } from '../../../gateway/wire/perAccount';
import { sendsToNobody } from '../../../gateway/wire/guard';
import { contentAndKeyOf } from '../../../gateway/wire/messageBody';
import type { Account } from '../request/account';
import { steadyClock } from '../request/steadyClock';
import { AUTOMATIC_KEY } from './automaticKey';
import type { RunOptions } from './sendOptions';

type Chat = string | undefined;
type LoadablePart = Buffer | { load: () => Promise<Buffer> };

interface Call {
	execution: string;
	/** Identifies the chat, the text or file, and the user's own key. */
	digest: string;
	key: string;
	messages: number;
	state: keyof typeof STATES;
	/** Uses the steady clock. The time is Infinity while the call is sending. */
	endedAt: number;
}

const WINDOW_MS = 10 * 60_000;
const MAX_CALLS = 1_000;

/** Keeps the latest tool calls of each account in this process that may have sent something, and those that are sending. */
const callsOf = perAccount(() => new Set<Call>());
/** Keeps those of rehearsals, which must not take the place of calls that sent something. */
const rehearsedCallsOf = perAccount(() => new Set<Call>());

/** Keeps a model from sending a message twice, or too many messages. */
export class ToolLimits {
	readonly #calls = new Map<number, { call: Call; all: Set<Call> }>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly options: RunOptions['tool'],
	) {}

	/** Throws InvalidInput if the message must not be sent. For a file, loading it throws, because its content decides. */
	apply(chat: Chat, parts: LoadablePart[], index: number, { credentials }: Account): void {
		const begin = (bodies: Buffer[]) =>
			this.#calls.set(index, this.#begin(chat, bodies, credentials));
		const [file] = parts;
		if (!file || Buffer.isBuffer(file)) return void begin(parts as Buffer[]);
		const { load } = file;
		file.load = async () => {
			const body = await load();
			// Each attempt loads the file, but all attempts are one call.
			if (!this.#calls.has(index)) begin([body]);
			return body;
		};
	}

	/** Checks and records a call without `await` in between, so that the second of two simultaneous calls is rejected. */
	#begin(chat: Chat, bodies: Buffer[], credentials: Account['credentials']) {
		const { context, options } = this;
		const now = steadyClock.now();
		// A call of an MCP Server Trigger has no execution, so the calls of ten minutes count as one execution.
		const id = context.getExecutionId() ?? Math.floor(now / WINDOW_MS);
		const execution = [context.getWorkflow().id, context.getNode().id, id].join();
		const all = (sendsToNobody(credentials) ? rehearsedCallsOf : callsOf)(credentials);
		const calls = [...all];
		const left = calls
			.filter((call) => call.execution === execution)
			.reduce((rest, call) => rest - call.messages, options.maxMessages);
		const messages = bodies.length;
		if (messages > left) throw tooMany(messages, left, options.maxMessages);
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
		if (earlier && !options.allowRepeats && !isDropped) throw repeated(earlier, now);
		const call: Call = { execution, digest, key, messages, state: 'sending', endedAt: Infinity };
		all.add(call);
		return { call, all };
	}

	/** Records the results. Forgets a message that was not sent, so it may be sent again. Without a result, it was cancelled. */
	end(results: Map<number, Result<unknown>>, wasAttempted: boolean): void {
		const endedAt = steadyClock.now();
		for (const [index, { call, all }] of this.#calls) {
			const result = results.get(index);
			const isSent = result && 'value' in result;
			const mayBeSent = result ? isSent || result.isUncertain || result.parts?.sent : wasAttempted;
			if (mayBeSent) Object.assign(call, { endedAt, state: isSent ? 'sent' : 'uncertain' });
			else all.delete(call);
			const [oldest, ...others] = [...all].filter(({ state }) => state !== 'sending');
			if (oldest && others.length >= MAX_CALLS) all.delete(oldest);
		}
	}
}

const STATES = {
	sending: 'another call is sending the same message. Wait for its result',
	sent: 'this chat got the same message at TIME. Do not send it again',
	uncertain:
		"this chat may have got the same message at TIME. Check it, or use an 'Idempotency Key' of your own",
};

function repeated({ state, endedAt }: Call, now: number) {
	const time = new Date(steadyClock.date() - now + (state === 'sending' ? now : endedAt));
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
