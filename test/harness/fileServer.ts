import {
	createServer,
	type IncomingMessage,
	type RequestListener,
	type Server,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface FileServer {
	/** Without a slash at the end. */
	url: string;
	/** What it sends at a path, apart from the query. */
	on(path: string, listener: RequestListener): void;
	/** Sends a file with these headers. */
	file(path: string, content: Buffer | string, headers?: Record<string, string>): void;
	readonly requests: IncomingMessage[];
}

/** A web server with files, new for each test. It responds with 404 to everything else. */
export function useFileServer(): FileServer {
	const listeners = new Map<string, RequestListener>();
	const sockets = new Set<Socket>();
	const requests: IncomingMessage[] = [];
	let server: Server;
	const files: FileServer = {
		url: '',
		requests,
		on: (path, listener) => void listeners.set(path, listener),
		file: (path, content, headers = {}) =>
			files.on(path, (_request, response) => send(response, content, headers)),
	};
	beforeEach(async () => {
		listeners.clear();
		requests.length = 0;
		server = createServer((request, response) => {
			requests.push(request);
			const listener = listeners.get(request.url!.split('?')[0]!);
			if (listener) listener(request, response);
			else response.writeHead(404).end('Not found');
		});
		server.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
		await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
		files.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	});
	afterEach(async () => {
		for (const socket of sockets) socket.destroy();
		sockets.clear();
		await new Promise((done) => server.close(done));
	});
	return files;
}

export function send(
	response: ServerResponse,
	content: Buffer | string,
	headers: Record<string, string> = {},
): void {
	response.writeHead(200, { 'Content-Length': Buffer.byteLength(content), ...headers });
	response.end(content);
}
