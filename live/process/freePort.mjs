import { once } from 'node:events';
import { createServer } from 'node:net';

import { UserError } from '../../tools/userError.mjs';

const ATTEMPTS = 100;

/**
 * The wanted port, or the next free one.
 * @param {number} wanted
 * @param {number[]} except
 */
export async function freePort(wanted, except = []) {
	for (let port = wanted; port < wanted + ATTEMPTS; port += 1) {
		if (!except.includes(port) && (await isFree(port))) return port;
	}
	throw new UserError(
		`The ports ${wanted} to ${wanted + ATTEMPTS - 1} of 127.0.0.1 are all in use. Stop a program that uses one, then try again.`,
	);
}

/** @param {number} port */
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
