import type { INodeProperties } from 'n8n-workflow';

import { number } from '../fields/field';
import { numberOf, type Read } from '../fields/read';
import type { PollTimes } from '../request/polling';

/** How long to wait, and how often to poll, in seconds. */
export function pollFields(timeoutSeconds: number, pollSeconds: number, what: string) {
	const timeout = number('timeout', 'Timeout (Seconds)', [1, 3600], timeoutSeconds)(what);
	const interval = number(
		'pollInterval',
		'Poll Interval (Seconds)',
		[0.5, 300],
		pollSeconds,
	)('Time between two requests to the gateway. It grows to twice this value during a long wait.');
	return {
		fields: [timeout, interval] as INodeProperties[],
		read: (read: Read): PollTimes => ({
			timeoutMs: numberOf(timeout, read) * 1000,
			intervalMs: numberOf(interval, read) * 1000,
		}),
	};
}
