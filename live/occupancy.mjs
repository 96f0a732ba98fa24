import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

const FIRST_PORT = 20_000;
const PORTS = 10_000;
const TRIED = 10;
const PATIENCE_MS = 5_000;

/**
 * Takes what is named for this process, or says that another one has it (undefined). It is kept by listening on a port
 * that follows from the name: the system lets go of that, however the process ends, and a file would stay behind.
 */
export async function occupy(what) {
	const name = createHash('sha256').update(what).digest('hex');
	const first = Number.parseInt(name.slice(0, 8), 16) % PORTS;
	for (let tried = 0; tried < TRIED; tried += 1) {
		const port = FIRST_PORT + ((first + tried) % PORTS);
		const door = await openDoor(port, name);
		if (door) return () => door.close();
		if ((await nameAt(port)) === name) return undefined;
	}
	return undefined;
}

async function openDoor(port, name) {
	const door = createServer((visitor) => visitor.on('error', () => {}).end(name));
	try {
		door.listen(port, '127.0.0.1');
		await once(door, 'listening');
		door.unref();
		return door;
	} catch {
		return undefined;
	}
}

/** Some other program may happen to be there. It will not say this name. */
async function nameAt(port) {
	let heard = '';
	const visitor = connect(port, '127.0.0.1');
	visitor.setTimeout(PATIENCE_MS, () => visitor.destroy());
	visitor.on('data', (data) => (heard += data)).on('error', () => {});
	await new Promise((resolve) => visitor.on('close', resolve));
	return heard;
}
