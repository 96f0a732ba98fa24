import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

import { bareEnvironment } from './environment.mjs';
import { lastLines, launch } from './launch.mjs';
import { Trouble } from './trouble.mjs';

/** A Redis of one's own that writes down every change before it answers. Its own default is a copy every few minutes. */
export async function startRedis({ program: redisServer, folder, port }) {
	const data = join(folder, 'data');
	const options = { port, bind: '127.0.0.1', dir: data, appendonly: 'yes', save: '""' };
	const start = async () => {
		mkdirSync(data, { recursive: true });
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
		/** What n8n has put into the queue, and no worker has brought to an end. */
		async jobs() {
			const lengths = ['bull:jobs:wait', 'bull:jobs:active'].map(async (list) =>
				Number((await answerTo(`LLEN ${list}\r\n`, port))?.slice(1)),
			);
			const [waiting, active] = await Promise.all(lengths);
			return waiting + active;
		},
	};
	return redis;
}

async function whenReady(program, port) {
	while ((await answerTo('PING\r\n', port)) !== '+PONG\r\n') {
		if (program.hasEnded) throw new Trouble(`Redis did not start.\n\n${lastLines(program.log)}`);
		await after(100);
	}
}

async function answerTo(command, port) {
	return await new Promise((resolve) => {
		const connection = connect(port, '127.0.0.1', () => connection.write(command));
		connection.on('error', () => resolve(undefined));
		connection.on('data', (answer) => {
			resolve(String(answer));
			connection.destroy();
		});
	});
}
