import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { UserError } from '../../tools/userError.mjs';
import { bareEnvironment } from '../process/environment.mjs';
import { lastLines, launch } from '../process/launch.mjs';

/**
 * Starts a Redis that logs every change before it responds. By default Redis saves a snapshot every few minutes.
 * @param {{ program: string, folder: string, port: number }} settings
 */
export async function startRedis({ program: redisServer, folder, port }) {
	const data = join(folder, 'data');
	const options = { port, bind: '127.0.0.1', dir: data, appendonly: 'yes', save: '""' };
	const start = async () => {
		mkdirSync(data, { recursive: true, mode: 0o700 });
		const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
		const program = launch(redisServer, args, {
			cwd: data,
			env: bareEnvironment(),
			log: join(folder, 'redis.log'),
		});
		await whenReady(program, port);
		return program;
	};
	const redis = {
		program: await start(),
		folder: data,
		environment: { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: String(port) },
		async killAndRestart() {
			await redis.program.kill();
			redis.program = await start();
		},
		/** The number of n8n's jobs that no worker has finished. */
		async jobs() {
			const lengths = ['bull:jobs:wait', 'bull:jobs:active'].map(async (list) =>
				Number((await send(`LLEN ${list}\r\n`, port))?.slice(1)),
			);
			const [waiting = NaN, active = NaN] = await Promise.all(lengths);
			return waiting + active;
		},
	};
	return redis;
}

/**
 * @param {import('../process/launch.mjs').Program} program
 * @param {number} port
 */
async function whenReady(program, port) {
	while ((await send('PING\r\n', port)) !== '+PONG\r\n') {
		if (program.hasExited) {
			throw new UserError(`Redis did not start.\n\n${lastLines(program.log)}`);
		}
		await delay(100);
	}
}

/**
 * Resolves to Redis's response, or to undefined if the connection fails.
 * @param {string} command
 * @param {number} port
 * @returns {Promise<string | undefined>}
 */
async function send(command, port) {
	return await new Promise((resolve) => {
		const connection = connect(port, '127.0.0.1', () => connection.write(command));
		connection.on('error', () => resolve(undefined));
		connection.on('data', (response) => {
			resolve(response.toString());
			connection.destroy();
		});
	});
}
