import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

import { bareEnvironment } from './environment.mjs';
import { lastLines, launch } from './launch.mjs';
import { Trouble } from './trouble.mjs';

const USER = 'n8n';

/** A PostgreSQL of one's own, with Debian's settings, fresh in that folder. */
export async function startPostgres({ programs, folder, port }) {
	const data = join(folder, 'data');
	mkdirSync(data, { recursive: true });
	giveAway(data);
	const run = (program, args, log) => {
		const [command, ...rest] = [...asOwner(), join(programs, program), ...args];
		return launch(command, rest, { cwd: data, env: bareEnvironment(), log: join(folder, log) });
	};
	const initdb = run('initdb', ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8'], 'initdb.log');
	if ((await initdb.ended) !== 0) throw new Trouble(lastLines(initdb.log));

	const listening = [`listen_addresses=127.0.0.1`, `port=${port}`, `unix_socket_directories=`];
	const start = async () => {
		const options = listening.flatMap((option) => ['-c', option]);
		const program = run('postgres', ['-D', data, ...options], 'postgres.log');
		await whenReady(program, join(programs, 'pg_isready'), port);
		return program;
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
		/** The rows, each as the text of its columns. */
		query(statement) {
			const args = ['-h', '127.0.0.1', '-p', String(port), '-U', USER, '-d', 'postgres'];
			const options = { encoding: 'utf8' };
			const rows = execFileSync(join(programs, 'psql'), [...args, '-tAc', statement], options);
			return rows
				.split('\n')
				.filter(Boolean)
				.map((row) => row.split('|'));
		},
		/** The way a service manager does it: connections are broken off, what was committed stays. */
		async restart() {
			process.kill(
				Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]),
				'SIGINT',
			);
			await postgres.program.ended;
			postgres.program = await start();
		},
	};
	return postgres;
}

/** PostgreSQL refuses to run as root; Debian's package has made a user for it. */
const isRoot = process.getuid?.() === 0;
const asOwner = () =>
	isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] : [];

function giveAway(folder) {
	if (!isRoot) return;
	const idOf = (kind) => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
	chownSync(folder, idOf('-u'), idOf('-g'));
}

async function whenReady(program, pgIsReady, port) {
	const isReady = () =>
		spawnSync(pgIsReady, ['-h', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' }).status === 0;
	while (!isReady()) {
		if (program.hasEnded)
			throw new Trouble(`PostgreSQL did not start.\n\n${lastLines(program.log)}`);
		await after(100);
	}
}
