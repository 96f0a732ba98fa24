import type { IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import type { SuccessField } from '../../../gateway/replies/outcome';
import { rejectionHasStatus, sessionStatus } from '../../../gateway/replies/sessionStatus';
import { type Endpoint, endpoints } from '../../../gateway/wire/endpoints';
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

const status: Operation = {
	option: ['status', 'Get Status', 'Get session status'],
	description: 'Get the status: ONLINE, AWAITING_QR, DISCONNECTED or AUTH_FAILURE',
	...requestOperation(endpoints.status, {
		read: statusItem,
		readRejected: (response) => (rejectionHasStatus(response) ? statusItem(response) : undefined),
	}),
};

/** Sends one request, and outputs the response. */
const command = (
	endpoint: Endpoint,
	successField?: SuccessField,
	request?: typeof deletionBody,
): Omit<Operation, 'option' | 'description'> => ({
	...requestOperation(endpoint, { request, successField, read: plainItems }),
	properties: request && [withDeletion],
});

export const commands: Operation[] = [
	status,
	{
		option: ['ping', 'Ping', 'Ping gateway'],
		description: 'Check that the gateway responds and knows the token',
		...command(endpoints.ping),
	},
	{
		option: ['refresh', 'Refresh', 'Refresh session'],
		description: 'Restart a session that hangs',
		...command(endpoints.refresh, 'refreshed', deletionBody),
	},
	{
		option: ['start', 'Start', 'Start session'],
		description: 'Start the session, the first step of pairing a phone',
		...command(endpoints.start, 'started'),
	},
	{
		option: ['terminate', 'Terminate', 'Terminate session'],
		description: 'End a session that is broken or logged out',
		...command(endpoints.terminate, 'terminated', deletionBody),
	},
];
