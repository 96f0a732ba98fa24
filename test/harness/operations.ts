import type { SessionStatus } from '../../sandbox/sandbox';
import { type Account, post, textTo } from './client';

export interface Operation {
	/** Resource and operation, as the pickers name them. */
	title: `${string} > ${string}`;
	parameters: { resource: string; operation: string } & Record<string, unknown>;
	/** The only request that it sends: method, and path below the token. */
	request: string;
	/** The body of the request. Default: none. */
	body?: string;
	/** Fields of its output item. A list: those of each of its items. */
	item: Record<string, unknown> | Array<Record<string, unknown>>;
	/** The session status that it starts from. Default: ONLINE. */
	session?: SessionStatus;
	/** Reads a file from the input item. */
	needsFile?: true;
	/** Can poll for seconds, so tests with many cases run it less often. */
	polls?: true;
}

const CHAT = '4915123456789';

/**
 * The operations that run without a person, in the order of the pickers. The tests that run operations use this list, and
 * test/nodes/operations.test.ts compares it with the node and the documents.
 */
export const OPERATIONS: Operation[] = [
	{
		title: 'Message > Send',
		parameters: { resource: 'message', operation: 'send', chatId: CHAT, text: 'x' },
		request: 'POST /sendMessage',
		body: `{"chatId":"${CHAT}","type":"text","text":"x"}`,
		item: { outcome: 'sent' },
	},
	{
		title: 'Message > Send Media',
		parameters: { resource: 'message', operation: 'sendMedia', mediaType: 'file', chatId: CHAT },
		request: 'POST /sendMedia',
		body: `{"chatId":"${CHAT}","type":"file","media":{"mimetype":"text/plain","filename":"a.txt","base64":"QUJD"}}`,
		item: { outcome: 'sent' },
		needsFile: true,
	},
	{
		title: 'Message > Get Channel Info',
		parameters: {
			resource: 'message',
			operation: 'channelInfo',
			channel: 'https://example.com/channel/AbC123',
		},
		request: 'POST /channel-info',
		body: '{"inviteLink":"https://example.com/channel/AbC123"}',
		item: { inviteCode: 'AbC123', subscribers: 1200 },
	},
	{
		title: 'Message > Get Invite Info',
		parameters: { resource: 'message', operation: 'inviteInfo', inviteCode: 'AbC123' },
		request: 'POST /invite-info',
		body: '{"inviteCode":"AbC123"}',
		item: { inviteCode: 'AbC123', size: 12 },
	},
	{
		title: 'Message > Send Custom JSON',
		parameters: {
			resource: 'message',
			operation: 'sendJson',
			body: `{"chatId":"${CHAT}","type":"text","text":"y"}`,
		},
		request: 'POST /sendMessage',
		body: `{"chatId":"${CHAT}","type":"text","text":"y"}`,
		item: { outcome: 'sent' },
	},
	{
		title: 'Session > Pair',
		parameters: { resource: 'session', operation: 'pair' },
		request: 'GET /status',
		item: { online: true, status: 'ONLINE' },
		polls: true,
	},
	{
		title: 'Session > Get QR Code',
		parameters: { resource: 'session', operation: 'qr' },
		request: 'GET /qr',
		item: { available: true, mimeType: 'image/png' },
		session: 'AWAITING_QR',
	},
	{
		title: 'Session > Get QR Image',
		parameters: { resource: 'session', operation: 'qrImage' },
		request: 'GET /qr/image',
		item: { available: true, mimeType: 'image/png' },
		session: 'AWAITING_QR',
	},
	{
		title: 'Session > Get Status',
		parameters: { resource: 'session', operation: 'status' },
		request: 'GET /status',
		item: { status: 'ONLINE', online: true },
	},
	{
		title: 'Session > Ping',
		parameters: { resource: 'session', operation: 'ping' },
		request: 'GET /ping',
		item: { message: 'pong' },
	},
	{
		title: 'Session > Refresh',
		parameters: { resource: 'session', operation: 'refresh', withDeletion: true },
		request: 'POST /refresh',
		body: '{"withDeletion":true}',
		item: { status: 'AWAITING_QR' },
	},
	{
		title: 'Session > Start',
		parameters: { resource: 'session', operation: 'start' },
		request: 'POST /start',
		item: { status: 'AWAITING_QR' },
		session: 'DISCONNECTED',
	},
	{
		title: 'Session > Terminate',
		parameters: { resource: 'session', operation: 'terminate' },
		request: 'POST /terminate',
		item: { status: 'DISCONNECTED' },
	},
	{
		title: 'Session > Wait Until Online',
		parameters: {
			resource: 'session',
			operation: 'waitUntilOnline',
			options: { onTimeout: 'item', returnOnNewQr: true },
		},
		request: 'GET /status',
		item: { online: true, status: 'ONLINE', timedOut: false },
		polls: true,
	},
	{
		title: 'Deferred Delivery > Delete',
		parameters: { resource: 'deferred', operation: 'delete', deliveryKey: 'x' },
		request: 'DELETE /deferred/{deliveryKey}',
		item: { deleted: true },
		session: 'DISCONNECTED',
	},
	{
		title: 'Deferred Delivery > Get',
		parameters: { resource: 'deferred', operation: 'get', deliveryKey: 'x' },
		request: 'GET /deferred/{deliveryKey}',
		item: { text: 'Later' },
		session: 'DISCONNECTED',
	},
	{
		title: 'Deferred Delivery > Get Many',
		parameters: { resource: 'deferred', operation: 'getAll', returnAll: true },
		request: 'GET /deferred',
		item: [{ text: 'Later' }, { text: 'Later' }],
		session: 'DISCONNECTED',
	},
];

/** Waits for an answer, takes one item only and does not run as a tool, so it has tests of its own. */
const SEND_AND_WAIT: Pick<Operation, 'title' | 'parameters'> = {
	title: 'Message > Send and Wait for Response',
	parameters: { resource: 'message', operation: 'sendAndWait', chatId: CHAT, message: 'x' },
};

/** Sends no request. */
const CHECK: Pick<Operation, 'title' | 'parameters'> = {
	title: 'Message > Check',
	parameters: { resource: 'message', operation: 'check', chatId: CHAT, text: 'x' },
};

/** In the order of the pickers. */
export const ALL_OPERATIONS = [
	OPERATIONS[0]!,
	SEND_AND_WAIT,
	OPERATIONS[1]!,
	CHECK,
	...OPERATIONS.slice(2),
];

/** What it outputs for its only input item. */
export const itemsOf = ({ item }: Operation) => [item].flat().map((json) => ({ json }));

/** Method and path of the request, with token and delivery key. */
export function requestOf(
	{ request }: Operation,
	{ deliveryKey }: Operation['parameters'],
	{ token }: Account,
): string {
	const path = request.replace('{deliveryKey}', String(deliveryKey));
	return path.replace(' ', ` /api/whatsapp/${encodeURIComponent(token)}`);
}

/** Brings the sandbox into the state that the operation starts from. Returns the operation's parameters. */
export async function prepare(
	{ parameters, item, session = 'ONLINE' }: Operation,
	account: Account,
	sandbox: { setStatus(status: SessionStatus): unknown },
): Promise<Operation['parameters']> {
	await sandbox.setStatus(session);
	if (parameters.resource !== 'deferred') return parameters;
	let deliveryKey: unknown;
	for (const _ of [item].flat()) {
		const message = { ...textTo(CHAT, 'Later'), windowMs: 600_000 };
		({ deliveryKey } = (await post(account, 'sendMessage', message)).json);
	}
	return 'deliveryKey' in parameters ? { ...parameters, deliveryKey } : parameters;
}

/** Short times for the operations that poll. */
export const quickParameters = ({ parameters, polls }: Operation) =>
	polls ? { ...parameters, timeout: 1, pollInterval: 0.5 } : parameters;
