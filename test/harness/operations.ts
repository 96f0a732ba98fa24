import type { SessionStatus } from '../../dev/sandbox/sandbox';
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

type AnyOperation = Pick<Operation, 'title' | 'parameters'> & Partial<Operation>;

const CHAT = '4915123456789';

/** Operations of a resource: the title and name of each, its request and item, and what else it has. */
const of =
	<Name extends string>(title: Name, resource: string) =>
	(
		name: string,
		operation: string,
		request: string,
		item: Operation['item'],
		{ fields, ...more }: Partial<Operation> & { fields?: object } = {},
	): Operation => ({
		title: `${title} > ${name}`,
		parameters: { resource, operation, ...fields },
		request,
		item,
		...more,
	});

const SENT = { outcome: 'sent' };
const QR = { available: true, mimeType: 'image/png' };
const AWAITING = { status: 'AWAITING_QR' };
const ONE_DEFERRED = { fields: { deliveryKey: 'x' }, session: 'DISCONNECTED' } as const;

const message = of('Message', 'message');
const session = of('Session', 'session');
const deferred = of('Deferred Delivery', 'deferred');

/**
 * The operations that run without a person, in the order of the pickers. The tests that run operations use this list, and
 * test/nodes/operations.test.ts compares it with the node and the documents.
 */
export const OPERATIONS: Operation[] = [
	message('Send', 'send', 'POST /sendMessage', SENT, {
		fields: { chatId: CHAT, text: 'x' },
		body: `{"chatId":"${CHAT}","type":"text","text":"x"}`,
	}),
	message('Send Media', 'sendMedia', 'POST /sendMedia', SENT, {
		fields: { mediaType: 'file', chatId: CHAT },
		body: `{"chatId":"${CHAT}","type":"file","media":{"mimetype":"text/plain","filename":"a.txt","base64":"QUJD"}}`,
		needsFile: true,
	}),
	message(
		'Get Channel Info',
		'channelInfo',
		'POST /channel-info',
		{ inviteCode: 'AbC123', subscribers: 1200 },
		{
			fields: { channel: 'https://example.com/channel/AbC123' },
			body: '{"inviteLink":"https://example.com/channel/AbC123"}',
		},
	),
	message(
		'Get Invite Info',
		'inviteInfo',
		'POST /invite-info',
		{ inviteCode: 'AbC123', size: 12 },
		{ fields: { inviteCode: 'AbC123' }, body: '{"inviteCode":"AbC123"}' },
	),
	message('Send Custom JSON', 'sendJson', 'POST /sendMessage', SENT, {
		fields: { body: `{"chatId":"${CHAT}","type":"text","text":"y"}` },
		body: `{"chatId":"${CHAT}","type":"text","text":"y"}`,
	}),
	session('Pair', 'pair', 'GET /status', { online: true, status: 'ONLINE' }, { polls: true }),
	session('Get QR Code', 'qr', 'GET /qr', QR, { session: 'AWAITING_QR' }),
	session('Get QR Image', 'qrImage', 'GET /qr/image', QR, { session: 'AWAITING_QR' }),
	session('Get Status', 'status', 'GET /status', { status: 'ONLINE', online: true }),
	session('Ping', 'ping', 'GET /ping', { message: 'pong' }),
	session('Refresh', 'refresh', 'POST /refresh', AWAITING, {
		fields: { withDeletion: true },
		body: '{"withDeletion":true}',
	}),
	session('Start', 'start', 'POST /start', AWAITING, { session: 'DISCONNECTED' }),
	session('Terminate', 'terminate', 'POST /terminate', { status: 'DISCONNECTED' }),
	session(
		'Wait Until Online',
		'waitUntilOnline',
		'GET /status',
		{ online: true, status: 'ONLINE', timedOut: false },
		{ fields: { options: { onTimeout: 'item', returnOnNewQr: true } }, polls: true },
	),
	deferred('Delete', 'delete', 'DELETE /deferred/{deliveryKey}', { deleted: true }, ONE_DEFERRED),
	deferred('Get', 'get', 'GET /deferred/{deliveryKey}', { text: 'Later' }, ONE_DEFERRED),
	deferred('Get Many', 'getAll', 'GET /deferred', [{ text: 'Later' }, { text: 'Later' }], {
		fields: { returnAll: true },
		session: 'DISCONNECTED',
	}),
];

/** Those that take no time. */
export const QUICK_OPERATIONS = OPERATIONS.filter(({ polls }) => !polls);

/** An input item with the file that Send Media sends. */
export const ITEM = {
	json: {},
	binary: { data: { data: 'QUJD', mimeType: 'text/plain', fileName: 'a.txt' } },
};

/** Waits for an answer, takes one item only and does not run as a tool, so it has tests of its own. */
const SEND_AND_WAIT: AnyOperation = {
	title: 'Message > Send and Wait for Response',
	parameters: { resource: 'message', operation: 'sendAndWait', chatId: CHAT, message: 'x' },
};

/** Sends no request. */
const CHECK: AnyOperation = {
	title: 'Message > Check',
	parameters: { resource: 'message', operation: 'check', chatId: CHAT, text: 'x' },
};

/** In the order of the pickers. */
export const ALL_OPERATIONS: AnyOperation[] = [
	OPERATIONS[0]!,
	SEND_AND_WAIT,
	OPERATIONS[1]!,
	CHECK,
	...OPERATIONS.slice(2),
];

/** As n8n names it. */
export const nameOf = ({ parameters: { resource, operation } }: AnyOperation) =>
	`${resource}/${operation}`;

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
	{ parameters, item = [], session = 'ONLINE' }: AnyOperation,
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
export const quickParameters = ({ parameters, polls }: AnyOperation) =>
	polls ? { ...parameters, timeout: 1, pollInterval: 0.5 } : parameters;
