import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { UserError } from '../../tools/userError.mjs';

const ATTEMPTS = 100;
/** Longer than a supervisor gives its program to stop. */
const RELEASE_TIMEOUT_MS = 20_000;

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

/**
 * Resolves when the program that listens on this port has stopped, or after a while if it does not.
 * @param {number} port
 */
export async function untilFree(port) {
	const deadline = Date.now() + RELEASE_TIMEOUT_MS;
	while (!(await isFree(port)) && Date.now() < deadline) await delay(250);
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
