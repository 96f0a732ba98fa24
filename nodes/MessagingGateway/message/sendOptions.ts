import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { NOT_SET, oneOf } from '../../../gateway/inputValues';
import { batching } from '../request/requestOptions';
import { onlineStatuses, onlineTest } from '../request/onlineStatuses';
import { numberOf } from '../request/operation';
import type { PaceOptions } from '../sending/runPace';

const concurrency: INodeProperties = {
	displayName: 'Concurrency',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 },
	default: 10,
	description:
		'How many messages to send at the same time. Messages to the same chat are always sent one after the other, in item order.',
};

const jitter: INodeProperties = {
	displayName: 'Jitter (%)',
	name: 'jitter',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 100 },
	default: 20,
	description:
		'Maximum random delay, as a percentage of the interval between two messages. Used with Messages per Minute.',
};

const maxTries: INodeProperties = {
	displayName: 'Max Tries',
	name: 'maxTries',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 20, numberPrecision: 0 },
	default: 3,
	description:
		'Maximum number of attempts per message. A retry happens only if it is safe: the gateway did not accept the message, or the message has an idempotency key. A 429 does not count, unless this is 1.',
};

const maxWait: INodeProperties = {
	displayName: 'Max Wait (Seconds)',
	name: 'maxWait',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 3600 },
	default: 60,
	description:
		'Maximum time to wait before a retry, even if the gateway asks for more. A run ends if its account gets only 429s for this long.',
};

const messagesPerMinute: INodeProperties = {
	displayName: 'Messages per Minute',
	name: 'messagesPerMinute',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 60_000 },
	// Preselected when the user adds the option. Without it, there is no limit.
	default: 20,
	description:
		'Maximum rate for the account, evenly spaced over all chats and all executions of this n8n process. With different rates at once, the lowest applies. Use 0 to send as fast as the gateway allows.',
};

const onlineTimeout: INodeProperties = {
	displayName: 'Online Timeout (Seconds)',
	name: 'onlineTimeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 3600 },
	default: 120,
	description:
		'How long to wait for the session to come online. Used if When Offline is set to Wait.',
};

const whenOffline: INodeProperties = {
	displayName: 'When Offline',
	name: 'whenOffline',
	type: 'options',
	options: [
		{ name: 'Send', value: 'send', description: 'Send without checking the status' },
		{ name: 'Stop', value: 'stop', description: 'Send nothing, and say how to pair a phone' },
		{
			name: 'Wait',
			value: 'wait',
			description: 'Send when the session is online, at the latest after Online Timeout',
		},
	],
	default: 'send',
	description:
		'What to do if the session is offline. Stop and Wait check the status before the first message of a run.',
};

export const sendOptions = [
	...[concurrency, jitter, maxTries, maxWait, messagesPerMinute],
	...[onlineStatuses, onlineTimeout, whenOffline],
];

/** For the collections of Send and Send Media, which n8n wants sorted by name. */
export const withSendOptions = (options: INodeProperties[]): INodeProperties[] =>
	[...options, ...sendOptions].sort((a, b) => (a.displayName < b.displayName ? -1 : 1));

/** Reads an option by name. NOT_SET if the user did not add it. */
type OptionReader = (name: string) => unknown;

export const optionReader =
	(options: Record<string, unknown>): OptionReader =>
	(name) =>
		Object.hasOwn(options, name) ? options[name] : NOT_SET;

const retryLimits = (option: OptionReader) => ({
	maxAttempts: numberOf(maxTries, option('maxTries')),
	maxWaitMs: numberOf(maxWait, option('maxWait')) * 1000,
});

function pace(option: OptionReader): Omit<PaceOptions, 'batch'> {
	const perMinute = numberOf({ ...messagesPerMinute, default: 0 }, option('messagesPerMinute'));
	return {
		intervalMs: perMinute === 0 ? 0 : 60_000 / perMinute,
		// No jitter unless the user adds the option.
		jitter: numberOf({ ...jitter, default: 0 }, option('jitter')) / 100,
	};
}

export type OfflineOptions = NonNullable<ReturnType<typeof offlineOptions>>;

/** Undefined if the status is not checked. */
function offlineOptions(option: OptionReader) {
	const entered = option('whenOffline');
	if (entered === NOT_SET) return undefined;
	const action = oneOf(entered, ['send', 'stop', 'wait'], 'When Offline');
	if (action === 'send') return undefined;
	const statuses = option('onlineStatuses');
	return {
		action,
		timeoutMs: numberOf(onlineTimeout, option('onlineTimeout')) * 1000,
		isOnline: onlineTest(statuses === NOT_SET ? undefined : (statuses ?? '')),
	};
}

export type RunOptions = ReturnType<typeof runOptions>;

/** The options that apply to the whole run. Read with the first item, as n8n does with Request Options. */
export function runOptions(context: IExecuteSingleFunctions) {
	// One by one, because the other options belong to their items and may be invalid for some only.
	const option: OptionReader = (name) => context.getNodeParameter(`options.${name}`, NOT_SET);
	return {
		...retryLimits(option),
		concurrency: numberOf(concurrency, option('concurrency')),
		pace: { ...pace(option), batch: batching(context) },
		offline: offlineOptions(option),
	};
}
