import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

import { installPackage } from './communityPackage.mjs';
import { lastLines } from './launch.mjs';
import { launchN8n, startN8n } from './n8n.mjs';
import { ownerOf } from './owner.mjs';
import { freePort } from './ports.mjs';
import { startPostgres } from './postgres.mjs';
import { step } from './progress.mjs';
import { startRedis } from './redis.mjs';
import { startSandbox } from './sandbox.mjs';
import { Trouble } from './trouble.mjs';

const FIRST_PORT = 17_000;
const PATIENCE_MS = 180_000;

/**
 * n8n spread over processes, as it is on several machines: main, webhook process and workers share PostgreSQL and Redis, and
 * nothing else. Each has a folder of its own, with our package in it. All of it lives in `home`.
 */
export async function startQueueMode({ home, servers, workers: count, environment = {} }) {
	// PostgreSQL's user has to get through to its own folder.
	chmodSync(home, 0o711);
	const nextPort = portsFrom(FIRST_PORT);
	const main = join(home, 'main');
	await installPackage(main);

	const redis = await startRedis({
		program: servers.redis,
		folder: join(home, 'redis'),
		port: await nextPort(),
	});
	const postgres = await startPostgres({
		programs: servers.postgres,
		folder: join(home, 'postgres'),
		port: await nextPort(),
	});
	const shared = {
		...sharedSettings(),
		...redis.environment,
		...postgres.environment,
		...environment,
	};

	const n8n = await step('Starting n8n, the main process', async () =>
		startN8n({
			home: main,
			port: await nextPort(),
			brokerPort: await nextPort(),
			owner: ownerOf(main),
			environment: shared,
		}),
	);
	const another = async (command, name) =>
		await startProcess(command, {
			home: withPackage(join(home, name), main),
			port: await nextPort(),
			brokerPort: await nextPort(),
			environment: shared,
		});
	const newWorker = async (name) => await another('worker', name);
	const [webhooks, ...workers] = await step('Starting its webhook process and workers', () =>
		Promise.all([
			another('webhook', 'webhooks'),
			...Array.from({ length: count }, (_, i) => newWorker(`worker${i + 1}`)),
		]),
	);
	const sandboxPort = await nextPort();
	const sandboxHome = join(home, 'gateway');
	return {
		editor: n8n.editor,
		webhookUrl: `${webhooks.url}/webhook`,
		main: { home: main },
		webhooks,
		workers,
		newWorker,
		redis,
		postgres,
		sandbox: await startSandbox({ home: sandboxHome, port: sandboxPort }),
		restartSandbox: async () => await startSandbox({ home: sandboxHome, port: sandboxPort }),
	};
}

function portsFrom(first) {
	let last = first - 1;
	return async () => {
		// Taken before the search is over: several are looked for at once.
		const from = last + 1;
		last += 10;
		return await freePort(from);
	};
}

function sharedSettings() {
	return {
		EXECUTIONS_MODE: 'queue',
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('base64url'),
		// What the webhook process takes in, a worker sends.
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
	};
}

/** As if the image or the disk of that machine had it: installed there, and never asked the registry for. */
function withPackage(home, main) {
	const nodes = join('.n8n', 'nodes');
	if (existsSync(join(home, nodes))) return home;
	mkdirSync(join(home, '.n8n'), { recursive: true, mode: 0o700 });
	cpSync(join(main, nodes), join(home, nodes), { recursive: true });
	return home;
}

async function startProcess(command, { home, port, brokerPort, environment }) {
	const program = launchN8n(command, {
		home,
		port,
		brokerPort,
		environment: {
			...environment,
			// A worker listens for nothing else.
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(port),
			N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		},
	});
	const url = `http://127.0.0.1:${port}`;
	await whenReady(program, url);
	return { program, url, home };
}

async function whenReady(program, url) {
	const until = Date.now() + PATIENCE_MS;
	while (!(await isReady(url))) {
		if (program.hasEnded || Date.now() > until) {
			throw new Trouble(`n8n did not start.\n\n${lastLines(program.log)}`);
		}
		await after(250);
	}
}

async function isReady(url) {
	try {
		return (await fetch(`${url}/healthz/readiness`)).ok;
	} catch {
		return false;
	}
}
