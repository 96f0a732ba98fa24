import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { installPackages, mayInstallPackages } from './debian.mjs';

const POSTGRES = '/usr/lib/postgresql';
const REDIS = ['/usr/bin/redis-server', '/usr/local/bin/redis-server'];

/** The paths of PostgreSQL's programs and of Redis, installed first on a Debian machine that this process may change. */
export function findServers() {
	if (!installedServers() && mayInstallPackages()) {
		installPackages('PostgreSQL and Redis', 'postgresql', 'redis-server');
	}
	const servers = installedServers();
	if (servers) return servers;
	console.error(
		'This command requires PostgreSQL and Redis. On Debian or Ubuntu, run sudo apt-get install postgresql redis-server.',
	);
	process.exit(1);
}

function installedServers() {
	const postgres = newestPostgres();
	const redis = REDIS.find((path) => existsSync(path));
	return postgres && redis ? { postgres, redis } : undefined;
}

function newestPostgres() {
	if (!existsSync(POSTGRES)) return undefined;
	return readdirSync(POSTGRES)
		.sort((one, other) => Number(other) - Number(one))
		.map((version) => join(POSTGRES, version, 'bin'))
		.find((folder) => existsSync(join(folder, 'postgres')));
}
