import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { numberOf } from '../request/operation';
import type { PollTimes } from '../request/polling';

export const timeout: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 3600 },
	default: 60,
	description: 'How long to wait for a QR code',
};

export const pollInterval: INodeProperties = {
	displayName: 'Poll Interval (Seconds)',
	name: 'pollInterval',
	type: 'number',
	typeOptions: { minValue: 0.5, maxValue: 300 },
	default: 2,
	description:
		'Time between two requests to the gateway. It grows to twice this value during a long wait.',
};

export function pollTimes(
	context: IExecuteSingleFunctions,
	[timeoutField, intervalField]: [INodeProperties, INodeProperties],
): PollTimes {
	const milliseconds = (field: INodeProperties) =>
		numberOf(field, context.getNodeParameter(field.name, field.default)) * 1000;
	return { timeoutMs: milliseconds(timeoutField), intervalMs: milliseconds(intervalField) };
}
