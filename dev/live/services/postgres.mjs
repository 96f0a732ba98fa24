import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { UserError } from '../../tools/userError.mjs';
import { bareEnvironment } from '../process/environment.mjs';
import { lastLines, launch } from '../process/launch.mjs';

const USER = 'n8n';

/**
 * Creates an empty PostgreSQL database with Debian's settings in `folder`, and starts it.
 * @param {{ programs: string, folder: string, port: number }} settings
 */
export async function startPostgres({ programs, folder, port }) {
	const data = join(folder, 'data');
	mkdirSync(data, { recursive: true });
	giveToPostgres(data);
	/**
	 * @param {string} program
	 * @param {string[]} args
	 * @param {string} log
	 */
	const run = (program, args, log) => {
		const [command, ...rest] = asPostgres([join(programs, program), ...args]);
		return launch(command, rest, { cwd: data, env: bareEnvironment(), log: join(folder, log) });
	};
	const initdb = run('initdb', ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8'], 'initdb.log');
	if ((await initdb.exited) !== 0) throw new UserError(lastLines(initdb.log));

	const options = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories='];
	const start = async () => {
		const args = options.flatMap((option) => ['-c', option]);
		const program = run('postgres', ['-D', data, ...args], 'postgres.log');
		await whenReady(program, join(programs, 'pg_isready'), port);
		return program;
	};
	/** @param {NodeJS.Signals} signal */
	const stopAndStart = async (signal) => {
		const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
		process.kill(Number(pid), signal);
		await postgres.program.exited;
		postgres.program = await start();
	};
	const postgres = {
		program: await start(),
		folder: data,
		environment: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: USER,
		},
		/**
		 * The rows, each as the text of its columns.
		 * @param {string} statement
		 */
		query(statement) {
			const args = ['-h', '127.0.0.1', '-p', String(port), '-U', USER, '-d', 'postgres'];
			const rows = execFileSync(join(programs, 'psql'), [...args, '-tAc', statement], {
				encoding: 'utf8',
			});
			return rows
				.split('\n')
				.filter(Boolean)
				.map((row) => row.split('|'));
		},
		/** A fast shutdown, as by a service manager: connections break, committed data stays. */
		async restart() {
			await stopAndStart('SIGINT');
		},
		/** All processes of the server exit without a checkpoint, as after a crash, and it recovers from its log. */
		async crashAndRestart() {
			await stopAndStart('SIGQUIT');
		},
	};
	return postgres;
}

/** PostgreSQL does not run as root. Debian's package creates the user postgres. */
const isRoot = process.getuid?.() === 0;

/**
 * @param {[string, ...string[]]} command
 * @returns {[string, ...string[]]}
 */
function asPostgres(command) {
	if (!isRoot) return command;
	return ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', ...command];
}

/** @param {string} folder */
function giveToPostgres(folder) {
	if (!isRoot) return;
	/** @param {string} option */
	const idOf = (option) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
	chownSync(folder, idOf('-u'), idOf('-g'));
}

/**
 * @param {import('../process/launch.mjs').Program} program
 * @param {string} pgIsReady
 * @param {number} port
 */
async function whenReady(program, pgIsReady, port) {
	const isReady = () =>
		spawnSync(pgIsReady, ['-h', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' }).status === 0;
	while (!isReady()) {
		if (program.hasExited) {
			throw new UserError(`PostgreSQL did not start.\n\n${lastLines(program.log)}`);
		}
		await delay(100);
	}
}
