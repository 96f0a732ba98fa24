import type { IExecutePaginationFunctions, INodeProperties } from 'n8n-workflow';

import { numberIn } from '../enteredValues';
import type { Rhythm } from './watch';

const LONGEST_TIMEOUT_S = 3600;
const LONGEST_INTERVAL_S = 300;
const SHORTEST_INTERVAL_S = 0.5;

interface Seconds {
	timeout: number;
	pollInterval: number;
}

/** The fields of Pair; others have their own defaults and words. */
export const timeout: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: LONGEST_TIMEOUT_S },
	default: 60,
	description: 'How long to wait for a QR code',
};

export const pollInterval: INodeProperties = {
	displayName: 'Poll Interval (Seconds)',
	name: 'pollInterval',
	type: 'number',
	typeOptions: { minValue: SHORTEST_INTERVAL_S, maxValue: LONGEST_INTERVAL_S },
	default: 2,
	description:
		'How soon to ask the gateway again. The longer it takes, the less often it is asked, down to half as often.',
};

export function rhythmOf(context: IExecutePaginationFunctions, defaults: Seconds): Rhythm {
	const seconds = (name: keyof Seconds, label: string, from: number, to: number) =>
		numberIn(context.getNodeParameter(name, defaults[name]), label, {
			from,
			to,
			otherwise: defaults[name],
		});
	return {
		timeoutMs: seconds('timeout', 'Timeout (Seconds)', 1, LONGEST_TIMEOUT_S) * 1000,
		intervalMs:
			seconds('pollInterval', 'Poll Interval (Seconds)', SHORTEST_INTERVAL_S, LONGEST_INTERVAL_S) *
			1000,
	};
}
