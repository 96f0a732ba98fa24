import { once } from 'node:events';
import { createServer } from 'node:net';

const TRIED = 100;

/** The wanted port, or the next one that nobody listens on. */
export async function freePort(wanted, except = []) {
	for (let port = wanted; port < wanted + TRIED; port += 1) {
		if (!except.includes(port) && (await isFree(port))) return port;
	}
	throw new Error(`No port from ${wanted} to ${wanted + TRIED - 1} is free.`);
}

async function isFree(port) {
	const server = createServer();
	try {
		server.listen(port, '127.0.0.1');
		await once(server, 'listening');
	} catch {
		return false;
	}
	server.close();
	await once(server, 'close');
	return true;
}
