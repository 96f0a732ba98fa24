import type { IncomingMessage } from 'node:http';

import { useServer } from './fileServer';

/** A proxy that passes nothing on, new for each test. It sees whole requests, or the host of an encrypted connection. */
export function useProxy() {
	const requests: IncomingMessage[] = [];
	const seen: string[] = [];
	beforeEach(() => {
		requests.length = 0;
		seen.length = 0;
	});
	const record = (request: IncomingMessage) => {
		requests.push(request);
		seen.push(`${request.method} ${request.url}`);
	};
	const local = useServer(
		(request, response) => {
			record(request);
			response.end('{}');
		},
		(request, socket) => {
			record(request);
			socket.end('HTTP/1.1 502 No\r\n\r\n');
		},
	);
	return Object.assign(local, { requests, seen });
}
