import { deferredDeliveries } from '../../../gateway/replies/deliveries';
import { endpoints } from '../../../gateway/wire/endpoints';
import { listItems } from '../request/items';
import type { Operation } from '../request/operation';
import { requestOperation } from '../request/routing';
import { queryOf, queryParameters } from './queryParameters';

const UNREADABLE_LIST = {
	message: 'The response of the gateway contains no list of deferred deliveries that can be read',
	description:
		"Check 'Base URL' of the credential: it ends before /api/whatsapp. If it is right, get the list with an HTTP Request node and this credential.",
};

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many deferred deliveries',
		description: 'Get the messages that wait for the session',
	},
	...requestOperation(endpoints.listDeferred, {
		request: queryOf,
		read(response, context) {
			const all = deferredDeliveries(response.data);
			if (!all) return UNREADABLE_LIST;
			if (context.getNodeParameter('returnAll', false) === true) return listItems(context, all);
			const limit = Number(context.getNodeParameter('limit', 50));
			return listItems(context, all, Math.max(1, limit || 50));
		},
	}),
	properties: [
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			description: 'Max number of results to return',
			displayOptions: { show: { returnAll: [false] } },
		},
		queryParameters,
	],
};
