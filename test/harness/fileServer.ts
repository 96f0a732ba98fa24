import { once } from 'node:events';
import {
	createServer,
	type IncomingMessage,
	type RequestListener,
	type Server,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** A web server that is new for each test. Its `url` has no slash at the end. */
export function useServer(
	respond: RequestListener,
	onConnect: (request: IncomingMessage, socket: Duplex) => void = (_request, socket) =>
		void socket.destroy(),
): { url: string } {
	const local = { url: '' };
	let server: Server;
	beforeEach(async () => {
		server = createServer(respond).on('connect', onConnect);
		server.on('connection', (socket) => socket.on('error', () => {}));
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		local.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	});
	afterEach(async () => {
		const closed = once(server, 'close');
		server.close();
		server.closeAllConnections();
		await closed;
	});
	return local;
}

/** A web server with files. It responds with 404 to everything else. */
export function useFileServer() {
	const listeners = new Map<string, RequestListener>();
	const requests: IncomingMessage[] = [];
	beforeEach(() => {
		listeners.clear();
		requests.length = 0;
	});
	const local = useServer((request, response) => {
		requests.push(request);
		const listener = listeners.get(request.url!.split('?')[0]!);
		if (listener) listener(request, response);
		else response.writeHead(404).end('Not found');
	});
	/** What it sends at a path, apart from the query. */
	const on = (path: string, listener: RequestListener) => void listeners.set(path, listener);
	/** Sends a file with these headers. */
	const file = (path: string, content: Buffer | string, headers = {}) =>
		on(path, (_request, response) => send(response, content, headers));
	return Object.assign(local, { requests, on, file });
}

export function send(response: ServerResponse, content: Buffer | string, headers = {}): void {
	response.writeHead(200, { 'Content-Length': Buffer.byteLength(content), ...headers });
	response.end(content);
}
