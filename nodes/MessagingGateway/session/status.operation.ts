import type { INodeExecutionData } from 'n8n-workflow';

import { endpoints } from '../../../gateway/wire/endpoints';
import type { GatewayResponse } from '../../../gateway/wire/response';
import { rejectionHasStatus, sessionStatus } from '../../../gateway/replies/sessionStatus';
import { itemJson, responseJson } from '../request/items';
import type { Operation } from '../request/operation';
import { requestOperation } from '../request/routing';

function read(response: GatewayResponse): INodeExecutionData[] {
	const found = sessionStatus(response.data);
	return [{ json: found ? itemJson(found) : responseJson(response) }];
}

export const status: Operation = {
	option: {
		name: 'Get Status',
		value: 'status',
		action: 'Get status of session',
		description: 'Get the status: ONLINE, AWAITING_QR, DISCONNECTED or AUTH_FAILURE',
	},
	...requestOperation(endpoints.status, {
		read,
		readRejected: (response) => (rejectionHasStatus(response) ? read(response) : undefined),
	}),
};
