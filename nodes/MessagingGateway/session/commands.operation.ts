import type { IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import { rejectionHasStatus, sessionStatus } from '../../../gateway/replies/sessionStatus';
import { endpoints } from '../../../gateway/wire/endpoints';
import type { GatewayResponse } from '../../../gateway/wire/response';
import { toggle } from '../fields/field';
import { flagOf, parametersOf } from '../fields/read';
import { itemJson, plainItems, responseJson } from '../request/items';
import type { Operation } from '../request/operation';
import { requestOperation } from '../request/routing';

const withDeletion = toggle(
	'withDeletion',
	'With Deletion',
)('Whether to also delete the pairing, so that the phone must be linked again with a new QR code');

/** No body by default, because a gateway may know only the documented call. */
const deletionBody = (context: IExecuteSingleFunctions) =>
	flagOf(withDeletion, parametersOf(context)) ? { body: { withDeletion: true } } : {};

function statusItem(response: GatewayResponse): INodeExecutionData[] {
	const found = sessionStatus(response.data);
	return [{ json: found ? itemJson(found) : responseJson(response) }];
}

/** The operations that send one request and output the response. */
export const commands: Operation[] = [
	{
		option: {
			name: 'Get Status',
			value: 'status',
			action: 'Get status of session',
			description: 'Get the status: ONLINE, AWAITING_QR, DISCONNECTED or AUTH_FAILURE',
		},
		...requestOperation(endpoints.status, {
			read: statusItem,
			readRejected: (response) => (rejectionHasStatus(response) ? statusItem(response) : undefined),
		}),
	},
	{
		option: {
			name: 'Ping',
			value: 'ping',
			action: 'Ping gateway',
			description: 'Check that the gateway responds and knows the token',
		},
		...requestOperation(endpoints.ping, { read: plainItems }),
	},
	{
		option: {
			name: 'Refresh',
			value: 'refresh',
			action: 'Refresh session',
			description: 'Restart a session that hangs',
		},
		...requestOperation(endpoints.refresh, {
			request: deletionBody,
			confirmation: 'refreshed',
			read: plainItems,
		}),
		properties: [withDeletion],
	},
	{
		option: {
			name: 'Start',
			value: 'start',
			action: 'Start session',
			description: 'Start the session, the first step of pairing a phone',
		},
		...requestOperation(endpoints.start, { confirmation: 'started', read: plainItems }),
	},
	{
		option: {
			name: 'Terminate',
			value: 'terminate',
			action: 'Terminate session',
			description: 'End a session that is broken or logged out',
		},
		...requestOperation(endpoints.terminate, {
			request: deletionBody,
			confirmation: 'terminated',
			read: plainItems,
		}),
		properties: [withDeletion],
	},
];
