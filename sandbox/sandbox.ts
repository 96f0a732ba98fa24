import { randomBytes } from 'node:crypto';
import { once, setMaxListeners } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Account, type AccountState } from './account';
import { CONTROL_PATH } from './control';
import type { House } from './door';
import type { Fault } from './fault';
import { Faults } from './faults';
import type { SessionStatus } from './ledger';
import { PairingCode } from './pairingCode';
import { Feed } from './phone/feed';
import { PHONE_PATH } from './phone/phone';
import { RecentFiles } from './recentFiles';
import { type RecordedRequest, RequestLog } from './requestLog';
import { responses } from './responses';
import { serve } from './service';

export type { AccountState } from './account';
export type { Fault } from './fault';
export type { DeferredDelivery, Delivered, SessionStatus } from './ledger';
export type { RecordedRequest } from './requestLog';

const QR_LIFETIME_MS = 20_000;

/** Longer than clients keep a connection: they hang up first, and no request is lost on a closing one. */
const KEEP_ALIVE_MS = 65_000;

export interface SandboxOptions {
	/** 0, the default, is any free port. */
	port?: number;
	host?: string;
	/** Comes before /api/whatsapp, for a gateway that does not live at the root: '/gw/v1'. */
	basePath?: string;
	token?: string;
	secret?: string;
	/** Without it the account lives in memory. One file belongs to one sandbox at a time. */
	stateFile?: string;
	signDeferred?: 'required' | 'optional';
	now?: () => number;
	qrLifetimeMs?: number;
}

export interface Sandbox {
	baseUrl: string;
	controlUrl: string;
	/** The linked phone, to look at in a browser. */
	phoneUrl: string;
	port: number;
	token: string;
	secret: string;
	state(): AccountState;
	/** The phone scans the QR code. */
	scan(): void;
	setStatus(status: SessionStatus): void;
	/** Replaces the faults in force. */
	faults(list: Fault[]): void;
	clearFaults(): void;
	requests(): RecordedRequest[];
	clearRequests(): void;
	/** A new account with the same token and secret: no session, messages, faults or requests. */
	reset(): void;
	close(): Promise<void>;
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, host = '127.0.0.1', signDeferred = 'optional', now = Date.now } = options;
	const token = options.token ?? randomBytes(18).toString('base64url');
	const secret = options.secret ?? randomBytes(32).toString('base64url');
	const basePath = trimmedPath(options.basePath ?? '');

	// The port is taken before the state file is opened: of two sandboxes started with the same ones,
	// the second fails here and has not touched the journal of the first.
	const server = await listen(port, host);
	const account = await openAccount(now, options.stateFile, server);
	const code = new PairingCode(now, options.qrLifetimeMs ?? QR_LIFETIME_MS);
	const faults = new Faults();
	const files = new RecentFiles();
	const log = new RequestLog(now);
	const closing = new AbortController();
	// Every late answer listens to it.
	setMaxListeners(Infinity, closing.signal);
	const reset = () => {
		account.reset();
		faults.clear();
		log.clear();
		files.clear();
	};

	const house: House = {
		basePath,
		token,
		secret,
		signDeferred,
		now,
		responses: responses(account, code, files),
		faults,
		log,
		closing: closing.signal,
	};
	const phone = { account, code, faults, files, feed: new Feed() };
	serve(server, house, { account, faults, log, reset }, phone);

	const address = server.address() as AddressInfo;
	const origin = `http://${reachable(host)}:${address.port}`;
	return {
		baseUrl: `${origin}${basePath}`,
		controlUrl: `${origin}${CONTROL_PATH}`,
		phoneUrl: `${origin}${PHONE_PATH}`,
		port: address.port,
		token,
		secret,
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
			await closed(server);
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
		await closed(server);
		throw error;
	}
}

async function closed(server: Server): Promise<void> {
	const done = once(server, 'close');
	server.close();
	server.closeAllConnections();
	await done;
}

function trimmedPath(path: string): string {
	const trimmed = path.replace(/^\/+|\/+$/g, '');
	return trimmed === '' ? '' : `/${trimmed}`;
}

function reachable(host: string): string {
	if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
	return host.includes(':') ? `[${host}]` : host;
}
