import type { IExecuteFunctions } from 'n8n-workflow';

import { InvalidInput } from '../../../gateway/invalidInput';
import { isObject } from '../../../gateway/json';
import type { Result } from '../../../gateway/replies/failure';
import { group, number, toggle, wholeNumber } from '../fields/field';
import { flagOf, numberOf, type FieldReader, groupReader } from '../fields/read';
import { checkSame, itemIndexes, itemReader } from '../request/item';
import { readForRun } from '../request/inputErrors';
import { batching, connectionOptions } from '../request/requestOptions';
import type { RateOptions } from '../sending/scheduler';
import { offlineOptions, whenOffline } from './whenOffline';

const concurrency = wholeNumber('concurrency', 'Concurrency', { range: [1, 100], default: 10 })(
	'How many messages to send at the same time. Messages to the same chat are always sent one after the other, in item order.',
	'sending.md#order',
);

const delayFrom = number('min', 'From (Seconds)', {
	range: [0, 3600],
	default: 0,
	required: true,
})('The shortest delay');
const delayTo = number('max', 'To (Seconds)', {
	range: [0, 3600],
	default: 0,
	required: true,
})('The longest delay');

// These delays differ from the fields' defaults, because n8n 1.123 does not store an option in which all values are defaults.
const delay = group(
	'delay',
	'Delay Between Messages',
	{ values: { min: 5, max: 30 } },
	['values', 'Delay'],
	[delayFrom, delayTo],
)(
	'A random delay between the starts of two messages of the account, instead of Messages per Minute. 5 to 30 seconds are about 3 messages per minute.',
	'sending.md#rate',
);

const jitter = number('jitter', 'Jitter (%)', { range: [0, 100], default: 20 })(
	'Maximum random delay, as a percentage of the interval between two messages. Used with Messages per Minute.',
	'sending.md#rate',
);

const maxTries = wholeNumber('maxTries', 'Max Tries', { range: [1, 20], default: 3 })(
	'Maximum number of attempts per message. A retry happens only if it is safe: the gateway did not accept the message, or the message has an idempotency key. A 429 does not count, unless this is 1.',
	'sending.md#retries',
);

const maxWait = number('maxWait', 'Max Wait (Seconds)', { range: [0, 3600], default: 60 })(
	'Maximum time to wait before a retry, even if the gateway asks for more. A run gives up if its account gets only 429s for this long.',
	'sending.md#rate-limits',
);

// The editor enters this rate when the user adds the option. Without the option, the rate is unlimited.
const messagesPerMinute = number('messagesPerMinute', 'Messages per Minute', {
	range: [0, 60_000],
	default: 20,
	builderHint: {
		propertyHint:
			'Add it when more than about 50 messages are sent, such as 20. Do not build a loop with a Wait node for it.',
	},
})(
	'Maximum rate for the account, evenly spaced over all chats and all executions of this n8n process. With different rates at once, the lowest applies. Use 0 to send as fast as the gateway allows.',
	'sending.md#rate',
);

// Without the option, the time is unlimited.
const sendWithin = number('sendWithin', 'Send Within (Seconds)', {
	range: [0, 86_400],
	default: 120,
})(
	'Messages that have not started this long after the start of the node are not sent, and fail. Use 0 for no limit.',
	'sending.md#rate',
);

const OF_TOOLS = { displayOptions: { show: { '@tool': [true] } } };

const allowRepeats = toggle('allowRepeats', 'Allow Repeated Messages', { ...OF_TOOLS })(
	'Whether the tool may send the same text or file to the same chat again within ten minutes.',
	'agents.md#limits-of-a-tool',
);

const maxMessages = wholeNumber('maxMessages', 'Max Messages per Execution', {
	...{ range: [0], default: 20, ...OF_TOOLS },
})(
	'How many messages the tool may send in an execution. Use 0 for no limit.',
	'agents.md#limits-of-a-tool',
);

export const toolOptions = [allowRepeats, maxMessages];

export const sendOptions = [
	...[concurrency, delay, jitter, maxTries, maxWait, messagesPerMinute, sendWithin],
	whenOffline,
];

function rateOptions(option: FieldReader): Omit<RateOptions, 'batch' | 'maxWaitMs'> {
	const perMinute = numberOf(messagesPerMinute, option, 0);
	// Without the option, there is no jitter, although the field has a default.
	const share = numberOf(jitter, option, 0) / 100;
	const values = groupReader(delay, option);
	if (!values) return { intervalMs: perMinute === 0 ? 0 : 60_000 / perMinute, jitter: share };
	const intervalMs = numberOf(delayFrom, values) * 1000;
	const maxIntervalMs = numberOf(delayTo, values) * 1000;
	if (maxIntervalMs < intervalMs) {
		throw new InvalidInput(
			"'To (Seconds)' of 'Delay Between Messages' is less than 'From (Seconds)'",
			'Enter the shorter delay first.',
		);
	}
	if (perMinute > 0) {
		throw new InvalidInput(
			"'Delay Between Messages' and 'Messages per Minute' are both set",
			'Remove one of them.',
		);
	}
	return { intervalMs, maxIntervalMs, jitter: 0 };
}

export type RunOptions = ReturnType<typeof readRunOptions>;

/** Reads the options that apply to the whole run. Throws InvalidInput if one differs between items. */
function readRunOptions(context: IExecuteFunctions) {
	const [first = 0] = itemIndexes(context);
	const { field, option } = itemReader(context)(first);
	const options: unknown = context.getNode().parameters.options;
	for (const { name, displayName } of [...sendOptions, ...toolOptions]) {
		// The user may have entered one expression for all options.
		const stored = isObject(options) ? options[name] : options;
		checkSame(context, displayName, stored, (item) => item.option(name));
	}
	return {
		maxAttempts: numberOf(maxTries, option),
		concurrency: numberOf(concurrency, option),
		sendWithinMs: numberOf(sendWithin, option, 0) * 1000,
		rate: {
			...rateOptions(option),
			batch: batching(context),
			maxWaitMs: numberOf(maxWait, option) * 1000,
		},
		offline: offlineOptions(option),
		tool: {
			allowRepeats: flagOf(allowRepeats, option),
			maxMessages: numberOf(maxMessages, option) || Infinity,
		},
		connection: connectionOptions(field),
	};
}

export const runOptions = (context: IExecuteFunctions): Result<RunOptions> =>
	readForRun(() => readRunOptions(context));
