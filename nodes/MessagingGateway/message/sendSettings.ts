import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { numberIn } from '../enteredValues';
import { batching } from '../requestOptions';
import { Pace } from '../sending/pace';
import type { MessageOptions } from './fieldValues';

/** How messages are sent; the same for all items of a run. */
export const concurrency: INodeProperties = {
	displayName: 'Concurrency',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 },
	default: 10,
	description:
		'How many messages may be on their way at once. Those to one chat always go out one after the other, in item order.',
};

export const jitter: INodeProperties = {
	displayName: 'Jitter (%)',
	name: 'jitter',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 100, numberPrecision: 0 },
	default: 20,
	description:
		'How far a message may start after its even place, as a share of the time between two messages. Used with Messages per Minute.',
};

export const maxTries: INodeProperties = {
	displayName: 'Max Tries',
	name: 'maxTries',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 20, numberPrecision: 0 },
	default: 3,
	description:
		'How often a message is tried, where trying again is safe: the gateway did not take it, or it carries an idempotency key',
};

export const maxWait: INodeProperties = {
	displayName: 'Max Wait (Seconds)',
	name: 'maxWait',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 3600 },
	default: 60,
	description: 'The longest wait before another try, also where the gateway asks for more',
};

export const messagesPerMinute: INodeProperties = {
	displayName: 'Messages per Minute',
	name: 'messagesPerMinute',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description: 'The pace, evenly spaced over all chats. 0 is as fast as the gateway allows.',
};

export const triesOf = ({ maxTries: tries, maxWait: wait }: MessageOptions) => ({
	maxTries: numberIn(tries, 'Max Tries', { from: 1, to: 20, otherwise: 3, isWhole: true }),
	maxWaitMs: numberIn(wait, 'Max Wait (Seconds)', { from: 0, to: 3600, otherwise: 60 }) * 1000,
});

/** Read once, with the first item, as n8n does it for Request Options. */
export function sendSettings(context: IExecuteFunctions) {
	// One by one, for what else stands among the options is each item's own, and may be wrong for this one only.
	const chosen = (name: keyof MessageOptions): unknown =>
		context.getNodeParameter(`options.${name}`, 0, null);
	const perMinute = numberIn(chosen('messagesPerMinute'), 'Messages per Minute', {
		from: 0,
		to: 60_000,
		otherwise: 0,
	});
	return {
		...triesOf({ maxTries: chosen('maxTries'), maxWait: chosen('maxWait') }),
		concurrency: numberIn(chosen('concurrency'), 'Concurrency', {
			from: 1,
			to: 100,
			otherwise: 10,
			isWhole: true,
		}),
		pace: new Pace({
			intervalMs: perMinute === 0 ? 0 : 60_000 / perMinute,
			jitter: numberIn(chosen('jitter'), 'Jitter (%)', { from: 0, to: 100, otherwise: 0 }) / 100,
			batch: batching(context),
		}),
	};
}
