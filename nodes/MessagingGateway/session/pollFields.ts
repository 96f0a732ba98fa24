import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { numberWithin } from '../../../gateway/inputValues';
import type { PollTimes } from './polling';

const MAX_TIMEOUT_S = 3600;
const MIN_INTERVAL_S = 0.5;
const MAX_INTERVAL_S = 300;

interface Seconds {
	timeout: number;
	pollInterval: number;
}

export const timeout: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_TIMEOUT_S },
	default: 60,
	description: 'How long to wait for a QR code',
};

export const pollInterval: INodeProperties = {
	displayName: 'Poll Interval (Seconds)',
	name: 'pollInterval',
	type: 'number',
	typeOptions: { minValue: MIN_INTERVAL_S, maxValue: MAX_INTERVAL_S },
	default: 2,
	description:
		'Time between two requests to the gateway. It grows to twice this value during a long wait.',
};

export function pollTimes(context: IExecuteSingleFunctions, defaults: Seconds): PollTimes {
	const milliseconds = (name: keyof Seconds, label: string, from: number, to: number) => {
		const entered = context.getNodeParameter(name, defaults[name]);
		return numberWithin(entered, label, { from, to, default: defaults[name] }) * 1000;
	};
	return {
		timeoutMs: milliseconds('timeout', 'Timeout (Seconds)', 1, MAX_TIMEOUT_S),
		intervalMs: milliseconds(
			'pollInterval',
			'Poll Interval (Seconds)',
			MIN_INTERVAL_S,
			MAX_INTERVAL_S,
		),
	};
}
