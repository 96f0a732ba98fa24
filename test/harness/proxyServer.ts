import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Proxy {
	/** Without a slash at the end. */
	url: string;
	/** What it can read: whole requests, or the host of an encrypted connection. */
	readonly requests: IncomingMessage[];
	readonly seen: string[];
}

/** A proxy that reads what reaches it and passes nothing on, new for each test. */
export function useProxy(): Proxy {
	const requests: IncomingMessage[] = [];
	const proxy: Proxy = {
		url: '',
		requests,
		get seen() {
			return requests.map(({ method, url }) => `${method} ${url}`);
		},
	};
	let server: Server;
	beforeEach(async () => {
		requests.length = 0;
		server = createServer((request, response) => {
			requests.push(request);
			response.end('{}');
		}).on('connect', (request, socket) => {
			requests.push(request);
			socket.end('HTTP/1.1 502 No\r\n\r\n');
		});
		await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
		proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	});
	afterEach(async () => {
		server.closeAllConnections();
		await new Promise((done) => server.close(done));
	});
	return proxy;
}
