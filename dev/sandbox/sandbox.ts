import { randomBytes } from 'node:crypto';
import { once, setMaxListeners } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Account, type AccountState } from './account/account';
import type { SessionStatus } from './account/accountStore';
import { QrCode } from './account/qrCode';
import { RecentFiles } from './account/recentFiles';
import { type RecordedRequest, RequestLog } from './api/requestLog';
import { CONTROL_PATH } from './control';
import { ActiveFaults } from './faults/activeFaults';
import type { Fault } from './faults/fault';
import type { Gateway } from './gatewayRequest';
import { StoredGuide } from './guide/guide';
import { BodiesInFlight } from './http/requestBody';
import { MODEL_PATH } from './model/modelRequest';
import { PHONE_PATH } from './phone/phone';
import { ServerSentEvents } from './phone/serverSentEvents';
import { handleRequests } from './server';

export type { AccountState } from './account/account';
export type { DeferredDelivery, DeliveredMessage, SessionStatus } from './account/accountStore';
export type { Fault } from './faults/fault';
export type { RecordedRequest } from './api/requestLog';

const QR_LIFETIME_MS = 20_000;

/** Clients close idle connections earlier than this, so that no request arrives on a closing connection. */
const KEEP_ALIVE_MS = 65_000;

export interface SandboxOptions {
	/** The default is 0, which picks a free port. */
	port?: number;
	host?: string;
	/** The prefix of /api/whatsapp, for example '/gw/v1'. */
	basePath?: string;
	token?: string;
	secret?: string;
	controlKey?: string;
	/** Without a file, the state is in memory only. Only one sandbox at a time may use a file. */
	stateFile?: string;
	signDeferred?: 'required' | 'optional';
	now?: () => number;
	qrLifetimeMs?: number;
}

export interface Sandbox {
	baseUrl: string;
	controlUrl: string;
	/** The phone page. Open it in a browser. */
	phoneUrl: string;
	/** The base URL of the scripted model, for clients of OpenAI's API. */
	modelUrl: string;
	port: number;
	token: string;
	secret: string;
	/** Controls that change something require it in the header X-Sandbox-Key. */
	controlKey: string;
	state(): AccountState;
	/** Lets the phone scan the QR code. */
	scan(): void;
	setStatus(status: SessionStatus): void;
	/** Replaces the active faults. */
	faults(list: Fault[]): void;
	clearFaults(): void;
	requests(): RecordedRequest[];
	clearRequests(): void;
	/** Clears session, messages, faults and requests, but keeps token and secret. */
	reset(): void;
	close(): Promise<void>;
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, host = '127.0.0.1', signDeferred = 'optional', now = Date.now } = options;
	const token = options.token ?? randomBytes(18).toString('base64url');
	const secret = options.secret ?? randomBytes(32).toString('base64url');
	const controlKey = options.controlKey ?? randomBytes(18).toString('base64url');
	const basePath = normalizePath(options.basePath ?? '');

	// The sandbox listens before it opens the state file. If another sandbox uses this port and file, this
	// one fails here, before it touches the file.
	const server = await listen(port, host);
	const account = await openAccount(now, options.stateFile, server);
	const qrCode = new QrCode(now, options.qrLifetimeMs ?? QR_LIFETIME_MS);
	const faults = new ActiveFaults();
	const files = new RecentFiles();
	const log = new RequestLog(now);
	const bodies = new BodiesInFlight();
	const guide = new StoredGuide();
	const closing = new AbortController();
	// Every delayed response adds a listener, so Node.js must not warn about their number.
	setMaxListeners(Infinity, closing.signal);
	const reset = () => {
		account.reset();
		faults.clear();
		log.clear();
		files.clear();
	};

	const gateway: Gateway = {
		basePath,
		token,
		secret,
		signDeferred,
		now,
		account,
		qrCode,
		files,
		faults,
		bodies,
		log,
		closing: closing.signal,
	};
	const control = { account, faults, bodies, log, guide, reset, controlKey };
	const events = new ServerSentEvents();
	const address = server.address() as AddressInfo;
	const origin = `http://${urlHost(host)}:${address.port}`;
	const baseUrl = `${origin}${basePath}`;
	const credential = { baseUrl, token, secret };
	const phone = { account, qrCode, faults, files, log, guide, credential, controlKey, events };
	handleRequests(server, gateway, control, phone);

	return {
		baseUrl,
		controlUrl: `${origin}${CONTROL_PATH}`,
		phoneUrl: `${origin}${PHONE_PATH}`,
		modelUrl: `${origin}${MODEL_PATH}`,
		port: address.port,
		token,
		secret,
		controlKey,
		state: () => account.state(),
		scan: () => account.scan(),
		setStatus: (status) => account.setStatus(status),
		faults: (list) => faults.set(list),
		clearFaults: () => faults.clear(),
		requests: () => log.list(),
		clearRequests: () => log.clear(),
		reset,
		close: async () => {
			if (closing.signal.aborted) return;
			closing.abort();
			await closeServer(server);
			account.close();
		},
	};
}

async function listen(port: number, host: string): Promise<Server> {
	const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
	server.listen(port, host);
	await once(server, 'listening');
	return server;
}

async function openAccount(
	now: () => number,
	stateFile: string | undefined,
	server: Server,
): Promise<Account> {
	try {
		return new Account(now, stateFile);
	} catch (error) {
		await closeServer(server);
		throw error;
	}
}

async function closeServer(server: Server): Promise<void> {
	const done = once(server, 'close');
	server.close();
	server.closeAllConnections();
	await done;
}

function normalizePath(path: string): string {
	const trimmed = path.replace(/^\/+|(?<!\/)\/+$/g, '');
	return trimmed === '' ? '' : `/${trimmed}`;
}

function urlHost(host: string): string {
	if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
	return host.includes(':') ? `[${host}]` : host;
}
