export type EndpointName =
	| 'ping'
	| 'start'
	| 'status'
	| 'qr'
	| 'qrImage'
	| 'refresh'
	| 'terminate'
	| 'sendMessage'
	| 'sendMedia'
	| 'inviteInfo'
	| 'channelInfo'
	| 'listDeferred'
	| 'getDeferred'
	| 'deleteDeferred';

export interface Endpoint {
	name: EndpointName;
	method: 'GET' | 'POST' | 'DELETE';
	/** Below /api/whatsapp/{token}/ */
	path: string;
	/** The contract does not state it for the deferred endpoints: there it is the sandbox's option. */
	signed: 'yes' | 'no' | 'not stated';
}

export const endpoints: readonly Endpoint[] = [
	{ name: 'sendMessage', method: 'POST', path: 'sendMessage', signed: 'yes' },
	{ name: 'sendMedia', method: 'POST', path: 'sendMedia', signed: 'yes' },
	{ name: 'inviteInfo', method: 'POST', path: 'invite-info', signed: 'yes' },
	{ name: 'channelInfo', method: 'POST', path: 'channel-info', signed: 'yes' },
	{ name: 'ping', method: 'GET', path: 'ping', signed: 'no' },
	{ name: 'start', method: 'POST', path: 'start', signed: 'no' },
	{ name: 'status', method: 'GET', path: 'status', signed: 'no' },
	{ name: 'qr', method: 'GET', path: 'qr', signed: 'no' },
	{ name: 'qrImage', method: 'GET', path: 'qr/image', signed: 'no' },
	{ name: 'refresh', method: 'POST', path: 'refresh', signed: 'no' },
	{ name: 'terminate', method: 'POST', path: 'terminate', signed: 'no' },
	{ name: 'listDeferred', method: 'GET', path: 'deferred', signed: 'not stated' },
	{ name: 'getDeferred', method: 'GET', path: 'deferred/{deliveryKey}', signed: 'not stated' },
	{
		name: 'deleteDeferred',
		method: 'DELETE',
		path: 'deferred/{deliveryKey}',
		signed: 'not stated',
	},
];
