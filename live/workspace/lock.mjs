import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

const FIRST_PORT = 20_000;
const PORTS = 10_000;
const ATTEMPTS = 10;
const TIMEOUT_MS = 5_000;

/**
 * Locks a name for this process. Resolves to a function that releases the lock, or to undefined if another process holds it.
 * The lock is a listening port derived from the name: the system frees it however the process ends, where a lock file would
 * remain.
 * @param {string} name
 */
export async function acquireLock(name) {
	const id = createHash('sha256').update(name).digest('hex');
	const first = Number.parseInt(id.slice(0, 8), 16) % PORTS;
	for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
		const port = FIRST_PORT + ((first + attempt) % PORTS);
		const server = await listen(port, id);
		if (server) return () => void server.close();
		if ((await idAt(port)) === id) return undefined;
	}
	return undefined;
}

/**
 * @param {number} port
 * @param {string} id
 */
async function listen(port, id) {
	const server = createServer((socket) => socket.on('error', () => {}).end(id));
	try {
		server.listen(port, '127.0.0.1');
		await once(server, 'listening');
		server.unref();
		return server;
	} catch {
		return undefined;
	}
}

/**
 * What the process that listens on this port sends. An unrelated program does not send the id.
 * @param {number} port
 */
async function idAt(port) {
	let received = '';
	const socket = connect(port, '127.0.0.1');
	socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
	socket.on('data', (data) => (received += data.toString())).on('error', () => {});
	await new Promise((resolve) => socket.on('close', resolve));
	return received;
}
