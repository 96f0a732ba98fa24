import type { INodeExecutionData } from 'n8n-workflow';

import { rejectionHasStatus, sessionIn } from '../../../gateway/responses/sessionStatus';
import { endpoints } from '../../../gateway/wire/endpoints';
import type { GatewayResponse } from '../../../gateway/wire/response';
import { toggle } from '../fields/field';
import { flagOf } from '../fields/read';
import type { Item } from '../operation/item';
import { requestOperation } from '../operation/operation';
import { itemJson, responseJson } from '../operation/outputItems';

function statusItem(response: GatewayResponse): INodeExecutionData[] {
	const { phase, fields } = sessionIn(response);
	const online = phase === 'unknown' ? null : phase === 'online';
	return [{ json: fields ? itemJson(fields, { online }) : responseJson(response, { online }) }];
}

export const getStatus = requestOperation({
	option: ['status', 'Get Status', 'Get session status'],
	description: 'Get the status, and whether the session is online: true, false or null (not known)',
	endpoint: endpoints.status,
	read: statusItem,
	readRejected: (response) => (rejectionHasStatus(response) ? statusItem(response) : undefined),
});

export const ping = requestOperation({
	option: ['ping', 'Ping', 'Ping gateway'],
	description: 'Check that the gateway responds and knows the token',
	endpoint: endpoints.ping,
});

const withDeletion = toggle(
	'withDeletion',
	'With Deletion',
)('Whether to also delete the pairing, so that the phone must be linked again with a new QR code');

/** Sends no body by default, because `withDeletion` is optional in the API document and a gateway may not know it. */
const deletion = {
	request: ({ field }: Item) =>
		flagOf(withDeletion, field) ? { body: { withDeletion: true } } : {},
	properties: [withDeletion],
};

export const refresh = requestOperation({
	option: ['refresh', 'Refresh', 'Refresh session'],
	description: 'Restart a session that hangs',
	endpoint: endpoints.refresh,
	confirmation: 'refreshed',
	...deletion,
});

export const start = requestOperation({
	option: ['start', 'Start', 'Start session'],
	description: 'Start the session, the first step of pairing a phone',
	endpoint: endpoints.start,
	confirmation: 'started',
});

export const terminate = requestOperation({
	option: ['terminate', 'Terminate', 'Terminate session'],
	description: 'End a session that is broken or logged out',
	endpoint: endpoints.terminate,
	confirmation: 'terminated',
	...deletion,
});
