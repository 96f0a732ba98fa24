import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync } from 'node:fs';
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
const RANGE = 10;
const PATIENCE_MS = 180_000;

/**
 * n8n spread over processes, as it is on several machines: main, webhook process and workers share PostgreSQL and Redis, and
 * nothing else. Each has a folder of its own, with our package in it, and can be killed and started. All of it lives in `home`.
 */
export async function startQueueMode({ home, servers, workers, environment = {} }) {
	// PostgreSQL's user has to get through to its own folder.
	chmodSync(home, 0o711);
	const nextPort = portsFrom(FIRST_PORT);
	const place = async (name) => ({
		home: join(home, name),
		port: await nextPort(),
		brokerPort: await nextPort(),
	});
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
		...settings(),
		...redis.environment,
		...postgres.environment,
		...environment,
	};

	const mainPlace = { ...(await place('main')), environment: shared };
	await installPackage(mainPlace.home);
	const owner = ownerOf(mainPlace.home);
	const main = await step('Starting n8n, the main process', () =>
		started(mainPlace, () => startN8n({ ...mainPlace, owner })),
	);
	const another = async (command, name) => {
		const itsPlace = { ...(await place(name)), environment: shared };
		takePackageAlong(mainPlace.home, itsPlace.home);
		return await started(itsPlace, () => startProcess(command, itsPlace));
	};
	const [webhooks, ...rest] = await step('Starting its webhook process and workers', () =>
		Promise.all([
			another('webhook', 'webhooks'),
			...Array.from({ length: workers }, (_, i) => another('worker', `worker${i + 1}`)),
		]),
	);
	const gateway = { home: join(home, 'gateway'), port: await nextPort() };
	return {
		main,
		webhooks,
		workers: rest,
		redis,
		postgres,
		gateway: await started(gateway, () => startSandbox(gateway)),
	};
}

/** What `start` gives, to be killed and started anew at the same place. */
async function started({ home }, start) {
	const process = {
		home,
		async start() {
			Object.assign(process, await start());
		},
		async kill() {
			await process.program.kill();
		},
	};
	await process.start();
	return process;
}

/** Each looks in a range of its own, for several are looked for at once. */
function portsFrom(first) {
	let next = first;
	return async () => {
		const from = next;
		next += RANGE;
		return await freePort(from);
	};
}

function settings() {
	return {
		EXECUTIONS_MODE: 'queue',
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('base64url'),
		// What the webhook process takes in, a worker sends.
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
	};
}

/** As if the image or the disk of another machine had it. */
function takePackageAlong(from, to) {
	const nodes = join('.n8n', 'nodes');
	mkdirSync(join(to, '.n8n'), { recursive: true, mode: 0o700 });
	cpSync(join(from, nodes), join(to, nodes), { recursive: true });
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
	return { program, url };
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
