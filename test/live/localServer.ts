import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A server on 127.0.0.1. `respond` gets the body of each request and returns that of its response, or undefined for a 404. */
export async function startServer(
	respond: (body: string, path: string) => string | undefined,
	type = 'application/json',
) {
	const server = createServer((request, response) => {
		response.setHeader('Content-Type', type);
		void text(request).then((body) => {
			const responded = respond(body, request.url!);
			if (responded === undefined) response.statusCode = 404;
			response.end(responded);
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const close = () => {
		server.closeAllConnections();
		server.close();
	};
	return { port, url: `http://127.0.0.1:${port}`, close };
}
