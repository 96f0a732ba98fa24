import type { INodeProperties } from 'n8n-workflow';

import { choice, shownFor } from '../fields/field';
import { requestOptionsField } from '../request/requestOptions';
import type { TriggerEvent } from './event';
import { EVENTS } from './poll';

export { poll } from './poll';

type Declared = Pick<TriggerEvent, 'label' | 'description' | 'properties'>;
const events: Array<[string, Declared]> = Object.entries(EVENTS);

const event = choice(
	'event',
	'Trigger On',
	'statusChanged',
	events.map(([value, { label, description }]) => [value, label, description]),
	{
		noDataExpression: true,
		hint: 'The node polls at the Poll Times, at most once a minute. Changes that revert between two polls are missed. The gateway does not report incoming messages.',
	},
)('The event that starts the workflow');

export const properties: INodeProperties[] = [
	event,
	...events.flatMap(([value, { properties: fields }]) => shownFor({ event: [value] }, ...fields)),
	requestOptionsField('Time in ms to wait for the response before aborting, at most 15000'),
];
