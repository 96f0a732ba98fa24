import type { IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../../../gateway/json';
import type { Result } from '../../../gateway/responses/failure';
import { group, number, wholeNumber } from '../fields/field';
import { COLLECTION_OF, numberOf, groupReader } from '../fields/read';
import { checkSame, checkRequestOptions, itemIndexes, itemReader } from '../operation/item';
import { executionDeadline } from '../n8n/cancelSignal';
import { readForRun } from '../request/inputErrors';
import { connectionOptions } from '../request/requestOptions';
import { steadyClock } from '../request/steadyClock';
import { MAX_CALLS } from '../sending/toolLimits';
import { offlineOptions, whenOffline } from './whenOffline';

const concurrency = wholeNumber('concurrency', 'Concurrency', { range: [1, 100], default: 10 })(
	'How many messages to send at the same time. Messages to the same chat are always sent one after the other, in item order.',
	'sending.md#order',
);

const maxTries = wholeNumber('maxTries', 'Max Tries', { range: [1, 20], default: 3 })(
	'Maximum number of attempts per message. A retry happens only if it is safe: the gateway did not accept the message, or the message has an idempotency key. A 429 does not count, unless this is 1.',
	'sending.md#retries',
);

const maxWait = number('maxWait', 'Max Wait (Seconds)', { range: [0, 3600], default: 60 })(
	'Maximum time to wait before a retry, even if the gateway asks for more. A run gives up if its account gets only 429s for this long.',
	'sending.md#rate-limits',
);

const perMinute = number('messagesPerMinute', 'Messages per Minute', {
	...{ range: [0, 60_000], default: 0, required: true },
})('The maximum. Use 0 to send as fast as the gateway allows.');

const randomPart = number('randomPart', 'Random Part (%)', { range: [0, 1_000], default: 0 })(
	'Each interval between two messages is longer by a random part, of up to this percentage. Use 0 to send evenly.',
);

const BUILDER_HINT =
	'Add it when more than about 50 messages are sent. Do not build a loop with a Wait node for it.';

// The preset differs from the fields' defaults, because n8n 1.123 does not store an option in which all values are defaults.
const pace = group(
	'pace',
	'Pace',
	{ values: { messagesPerMinute: 20, randomPart: 20 } },
	['values', 'Pace'],
	[perMinute, randomPart],
	{ builderHint: { propertyHint: BUILDER_HINT } },
)(
	'How fast to send, over all chats and all executions of this n8n process. With different paces at once, the lowest applies.',
	'sending.md#pace',
);

// Without the option, the time is unlimited.
const sendWithin = number('sendWithin', 'Send Within (Seconds)', {
	range: [0, 86_400],
	default: 120,
})(
	'Messages that have not started this long after the start of the node are not sent, and fail. Use 0 for no limit.',
	'sending.md#pace',
);

const OF_TOOLS = { displayOptions: { show: { '@tool': [true] } } };

const limit = (name: string, label: string, preset: number, description: string) =>
	wholeNumber(name, label, { range: [0, MAX_CALLS], default: preset, ...OF_TOOLS })(
		`${description}. Use 0 for no limit.`,
		'guardrails.md#limits-of-calls-by-a-model',
	);

const maxMessages = limit(
	'maxMessages',
	'Max Messages per Execution',
	20,
	'How many messages the tool may send in an execution',
);

const maxPerTenMinutes = limit(
	'maxPerTenMinutes',
	'Max Messages in Ten Minutes',
	20,
	'How many messages models may send with the account in ten minutes, in this n8n process',
);

const maxPerChat = limit(
	'maxPerChat',
	'Max Messages per Chat',
	5,
	'How many messages models may send to a chat in ten minutes',
);

export const toolOptions = [maxMessages, maxPerChat, maxPerTenMinutes];

export const sendOptions = [concurrency, maxTries, maxWait, pace, sendWithin, whenOffline];

/** The node still has to output its results before n8n ends the execution. */
const TO_OUTPUT_MS = 2_000;

/** Returns how long messages may start: as the user says, and until n8n ends the execution. */
function timeToSend(context: IExecuteFunctions, entered: number): number {
	const untilEnd = executionDeadline(context) - TO_OUTPUT_MS - steadyClock.date();
	return Math.min(entered || Infinity, Math.max(1, untilEnd));
}

export type RunOptions = ReturnType<typeof readRunOptions>;

/** Reads the options that apply to the whole run. Throws InvalidInput if one differs between items. */
function readRunOptions(context: IExecuteFunctions) {
	const [first = 0] = itemIndexes(context);
	const { field, option } = itemReader(context)(first);
	const { parameters } = context.getNode();
	for (const { name, displayName } of [...sendOptions, ...toolOptions]) {
		const held: unknown = parameters[COLLECTION_OF.get(name)!];
		// The user may have entered one expression for all options.
		const stored = isObject(held) ? held[name] : held;
		checkSame(context, displayName, stored, (item) => item.option(name));
	}
	checkRequestOptions(context);
	const ofPace = groupReader(pace, option);
	const rate = ofPace ? numberOf(perMinute, ofPace) : 0;
	return {
		maxAttempts: numberOf(maxTries, option),
		concurrency: numberOf(concurrency, option),
		sendWithinMs: timeToSend(context, numberOf(sendWithin, option, 0) * 1000),
		pace: {
			intervalMs: rate === 0 ? 0 : 60_000 / rate,
			randomPart: ofPace ? numberOf(randomPart, ofPace) / 100 : 0,
			maxWaitMs: numberOf(maxWait, option) * 1000,
		},
		offline: offlineOptions(option),
		tool: {
			maxMessages: numberOf(maxMessages, option) || Infinity,
			maxPerTenMinutes: numberOf(maxPerTenMinutes, option) || Infinity,
			maxPerChat: numberOf(maxPerChat, option) || Infinity,
		},
		connection: connectionOptions(field),
	};
}

export const runOptions = (context: IExecuteFunctions): Result<RunOptions> =>
	readForRun(() => readRunOptions(context));
