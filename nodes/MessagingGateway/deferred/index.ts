import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../../../gateway/endpoints';
import { operationPicker, route } from '../routes';
import * as deliveryKey from './deliveryKey';
import * as getAll from './getAll.operation';
import * as one from './one';

export const properties: INodeProperties[] = [
	operationPicker(
		'deferred',
		[
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete deferred delivery',
				description: 'Delete a deferred delivery permanently, so that it is not sent any more',
				routing: route(endpoints.deleteDeferred, {
					before: deliveryKey.fillIn,
					after: one.readDeleted,
				}),
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get deferred delivery',
				description: 'Get one deferred delivery by its key',
				routing: route(endpoints.getDeferred, { before: deliveryKey.fillIn, after: one.read }),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many deferred deliveries',
				description: 'Get the messages that wait until the session is online, one item each',
				routing: route(endpoints.listDeferred, { before: getAll.addQuery, after: getAll.read }),
			},
		],
		'getAll',
	),
	...deliveryKey.properties,
	...getAll.properties,
];
