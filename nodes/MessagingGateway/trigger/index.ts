import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import type { TriggerEvent } from './event';
import { EVENTS } from './poll';
import { requestOptionsField } from '../request/requestOptions';

export { poll } from './poll';

const events: Array<Pick<TriggerEvent, 'option' | 'properties'>> = Object.values(EVENTS);

export const properties: INodeProperties[] = [
	{
		displayName: 'Event',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: events.map(({ option }) => option),
		default: 'statusChanged',
		description: 'The event that starts the workflow',
		hint: 'The node polls at the Poll Times, at most once a minute. Changes that revert between two polls are missed. The gateway does not report incoming messages.',
	},
	...events.flatMap((event) =>
		updateDisplayOptions({ show: { event: [event.option.value as string] } }, event.properties),
	),
	requestOptionsField('Time in ms to wait for the response before aborting, at most 15000'),
];
