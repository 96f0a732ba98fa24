import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { NOT_SET } from '../../../gateway/inputValues';
import { InvalidInput } from '../../../gateway/invalidInput';
import { described, group, number, wholeNumber } from '../fields/field';
import { numberOf, type Read, valuesOf } from '../fields/read';
import { batching } from '../request/requestOptions';
import { offlineOptions, whenOffline } from '../request/whenOffline';
import type { PaceOptions } from '../sending/runPace';

const concurrency = wholeNumber(
	'concurrency',
	'Concurrency',
	[1, 100],
	10,
)(
	described(
		'How many messages to send at the same time. Messages to the same chat are always sent one after the other, in item order.',
		'sending.md#order',
	),
);

const delayFrom = number('min', 'From (Seconds)', [0, 3600], 0)('The shortest delay');
const delayTo = number('max', 'To (Seconds)', [0, 3600], 0)('The longest delay');

// The delays inside are others, because n8n 1.123 does not store an option in which all values are defaults.
const delay = group(
	'delay',
	'Delay Between Messages',
	{ values: { min: 5, max: 30 } },
	['values', 'Delay'],
	[delayFrom, delayTo],
)(
	described(
		'A random delay between the starts of two messages of the account, instead of Messages per Minute. 5 to 30 seconds are about 3 messages per minute.',
		'sending.md#rate',
	),
);

const jitter = number(
	'jitter',
	'Jitter (%)',
	[0, 100],
	20,
)(
	described(
		'Maximum random delay, as a percentage of the interval between two messages. Used with Messages per Minute.',
		'sending.md#rate',
	),
);

const maxTries = wholeNumber(
	'maxTries',
	'Max Tries',
	[1, 20],
	3,
)(
	described(
		'Maximum number of attempts per message. A retry happens only if it is safe: the gateway did not accept the message, or the message has an idempotency key. A 429 does not count, unless this is 1.',
		'sending.md#retries',
	),
);

const maxWait = number(
	'maxWait',
	'Max Wait (Seconds)',
	[0, 3600],
	60,
)(
	described(
		'Maximum time to wait before a retry, even if the gateway asks for more. A run ends if its account gets only 429s for this long.',
		'sending.md#rate-limits',
	),
);

// The rate is preselected when the user adds the option. Without it, there is no limit.
const messagesPerMinute = number('messagesPerMinute', 'Messages per Minute', [0, 60_000], 20, {
	builderHint: {
		propertyHint:
			'Add it when more than about 50 messages are sent, such as 20. Do not build a loop with a Wait node for it.',
	},
})(
	described(
		'Maximum rate for the account, evenly spaced over all chats and all executions of this n8n process. With different rates at once, the lowest applies. Use 0 to send as fast as the gateway allows.',
		'sending.md#rate',
	),
);

export const sendOptions = [
	...[concurrency, delay, jitter, maxTries, maxWait, messagesPerMinute],
	whenOffline,
];

const retryLimits = (option: Read) => ({
	maxAttempts: numberOf(maxTries, option),
	maxWaitMs: numberOf(maxWait, option) * 1000,
});

function pace(option: Read): Omit<PaceOptions, 'batch'> {
	const perMinute = numberOf(messagesPerMinute, option, 0);
	if (option('delay') !== NOT_SET) {
		const values = valuesOf(delay, option);
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
	return {
		intervalMs: perMinute === 0 ? 0 : 60_000 / perMinute,
		// No jitter unless the user adds the option.
		jitter: numberOf(jitter, option, 0) / 100,
	};
}

export type RunOptions = ReturnType<typeof runOptions>;

/** The options that apply to the whole run. Read with the first item, as n8n does with Request Options. */
export function runOptions(context: IExecuteSingleFunctions) {
	// One by one, because the other options belong to their items and may be invalid for some only.
	const option: Read = (name) => context.getNodeParameter(`options.${name}`, NOT_SET);
	return {
		...retryLimits(option),
		concurrency: numberOf(concurrency, option),
		pace: { ...pace(option), batch: batching(context) },
		offline: offlineOptions(option),
	};
}
