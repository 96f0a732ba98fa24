import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { UserError } from '../../tools/userError.mjs';
import { installPackage } from '../n8n/communityPackage.mjs';
import { ownerOf } from '../n8n/owner.mjs';
import { launchN8n, startN8n } from '../n8n/startN8n.mjs';
import { freePort } from '../process/freePort.mjs';
import { lastLines } from '../process/launch.mjs';
import { step } from '../process/progress.mjs';
import { startPostgres } from '../services/postgres.mjs';
import { startRedis } from '../services/redis.mjs';
import { startSandbox } from '../services/sandbox.mjs';

const FIRST_PORT = 17_000;
const PORTS_PER_SERVICE = 10;
const START_TIMEOUT_MS = 180_000;

/**
 * @typedef {import('../process/launch.mjs').Program} Program
 * @typedef {import('../n8n/startN8n.mjs').N8nSettings} N8nSettings
 *
 * @typedef {object} QueueModeSettings
 * @property {string} home The folder that holds everything.
 * @property {{ postgres: string, redis: string }} servers The paths of the programs.
 * @property {number} workers
 * @property {NodeJS.ProcessEnv} [environment]
 */

/**
 * Starts n8n as it runs on several machines: a main process, a webhook process and workers that share only PostgreSQL and
 * Redis. Each process has its own folder with this package installed, and can be killed and restarted.
 * @param {QueueModeSettings} settings
 */
export async function startQueueMode({ home, servers, workers, environment = {} }) {
	// The user postgres must be able to reach its data folder.
	chmodSync(home, 0o711);
	const nextPort = portsFrom(FIRST_PORT);
	/** @param {string} name */
	const settingsFor = async (name) => ({
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
		...queueEnvironment(),
		...redis.environment,
		...postgres.environment,
		...environment,
	};

	const mainSettings = { ...(await settingsFor('main')), environment: shared };
	await installPackage(mainSettings.home);
	const owner = ownerOf(mainSettings.home);
	const main = await step('main', () =>
		restartable(mainSettings.home, () => startN8n({ ...mainSettings, owner })),
	);
	/**
	 * @param {'webhook' | 'worker'} command
	 * @param {string} name
	 */
	const startNext = async (command, name) => {
		const settings = { ...(await settingsFor(name)), environment: shared };
		copyPackage(mainSettings.home, settings.home);
		return await restartable(settings.home, () => startProcess(command, settings));
	};
	const [webhooks, startedWorkers] = await step('workers', () =>
		Promise.all([
			startNext('webhook', 'webhooks'),
			Promise.all(Array.from({ length: workers }, (_, i) => startNext('worker', `worker${i + 1}`))),
		]),
	);
	const gateway = { home: join(home, 'gateway'), port: await nextPort() };
	return {
		main,
		webhooks,
		workers: startedWorkers,
		redis,
		postgres,
		gateway: await restartable(gateway.home, () => startSandbox(gateway)),
	};
}

/**
 * The properties of the started process, with `kill()` and `start()` to restart it in the same folder.
 * @template {{ program: Program }} Started
 * @param {string} home
 * @param {() => Promise<Started>} start
 */
async function restartable(home, start) {
	const process = {
		...(await start()),
		home,
		async start() {
			Object.assign(process, await start());
		},
		async kill() {
			await process.program.kill();
		},
	};
	return process;
}

/**
 * Each port comes from its own range, because several are requested at the same time.
 * @param {number} first
 */
function portsFrom(first) {
	let next = first;
	return async () => {
		const from = next;
		next += PORTS_PER_SERVICE;
		return await freePort(from);
	};
}

function queueEnvironment() {
	return {
		EXECUTIONS_MODE: 'queue',
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('base64url'),
		// The webhook process receives files, and a worker sends them.
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
	};
}

/**
 * As if another machine's image contained the package.
 * @param {string} from
 * @param {string} to
 */
function copyPackage(from, to) {
	const nodes = join('.n8n', 'nodes');
	mkdirSync(join(to, '.n8n'), { recursive: true, mode: 0o700 });
	cpSync(join(from, nodes), join(to, nodes), { recursive: true });
}

/**
 * @param {'webhook' | 'worker'} command
 * @param {N8nSettings} settings
 */
async function startProcess(command, { home, port, brokerPort, environment }) {
	const program = launchN8n(command, {
		home,
		port,
		brokerPort,
		environment: {
			...environment,
			// Without these a worker does not listen on its port.
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(port),
			N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		},
	});
	const url = `http://127.0.0.1:${port}`;
	await whenReady(program, url);
	return { program, url };
}

/**
 * @param {Program} program
 * @param {string} url
 */
async function whenReady(program, url) {
	const deadline = Date.now() + START_TIMEOUT_MS;
	while (!(await isReady(url))) {
		if (program.hasExited || Date.now() > deadline) {
			throw new UserError(`n8n did not start.\n\n${lastLines(program.log)}`);
		}
		await delay(250);
	}
}

/** @param {string} url */
async function isReady(url) {
	try {
		return (await fetch(`${url}/healthz/readiness`)).ok;
	} catch {
		return false;
	}
}
