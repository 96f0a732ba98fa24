import type { INodeProperties } from 'n8n-workflow';

import { requestOptions } from './connection';
import * as deliveries from './deliveries';
import * as offlineFor from './offlineFor.event';
import * as statusChanged from './statusChanged.event';

export { poll } from './poll';

export const properties: INodeProperties[] = [
	{
		displayName: 'Event',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Deferred Delivery Added',
				value: 'deferredAdded',
				description: 'A message has begun to wait until the session is online',
			},
			{
				name: 'Deferred Delivery Settled',
				value: 'deferredSettled',
				description: 'A message does not wait any more: it was sent, dropped or deleted',
			},
			{
				name: 'Session Offline',
				value: 'offlineFor',
				description: 'The session has been offline for some minutes; once per outage',
			},
			{
				name: 'Session Status Changed',
				value: 'statusChanged',
				description: 'The session has another status than before',
			},
		],
		default: 'statusChanged',
		description: 'What starts the workflow',
		hint: 'The gateway is asked at the poll times, once a minute at the most. What happens between two of them and is undone again is not seen.',
	},
	...statusChanged.properties,
	...offlineFor.properties,
	...deliveries.properties,
	requestOptions,
];
