/** Every operation but those that wait, with what it needs. */
export const OPERATIONS: Array<Record<string, unknown>> = [
	{ resource: 'session', operation: 'ping' },
	{ resource: 'session', operation: 'start' },
	{ resource: 'session', operation: 'status' },
	{ resource: 'session', operation: 'qr', qrOutput: 'png' },
	{ resource: 'session', operation: 'qrImage' },
	{ resource: 'session', operation: 'refresh', withDeletion: true },
	{ resource: 'session', operation: 'terminate' },
	{ resource: 'message', operation: 'send', chatId: '4915123456789', text: 'x' },
	{ resource: 'message', operation: 'sendMedia', chatId: '4915123456789' },
	{ resource: 'message', operation: 'inviteInfo', inviteCode: 'x' },
	{ resource: 'message', operation: 'channelInfo', channel: 'x' },
	{ resource: 'deferred', operation: 'getAll', returnAll: true },
	{ resource: 'deferred', operation: 'get', deliveryKey: 'x' },
	{ resource: 'deferred', operation: 'delete', deliveryKey: 'x' },
];

/** They take a second at the least, so they come seldom. */
export const PATIENT_OPERATIONS: Array<Record<string, unknown>> = [
	{ resource: 'session', operation: 'pair', timeout: 1, pollInterval: 0.5 },
	{
		resource: 'session',
		operation: 'waitUntilOnline',
		timeout: 1,
		pollInterval: 0.5,
		options: { onTimeout: 'item', returnOnNewQr: true },
	},
];
