import type { INodeProperties } from 'n8n-workflow';

import { shownFor } from '../fields/field';
import { requestOptionsField } from '../request/requestOptions';
import type { TriggerEvent } from './event';
import { EVENTS } from './poll';

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
	...events.flatMap(({ option, properties }) => shownFor({ event: [option.value] }, ...properties)),
	requestOptionsField('Time in ms to wait for the response before aborting, at most 15000'),
];
