import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { installPackages, mayInstallPackages } from './debian.mjs';

const POSTGRES = '/usr/lib/postgresql';
const REDIS = ['/usr/bin/redis-server', '/usr/local/bin/redis-server'];

/** Where PostgreSQL's programs and Redis are: Debian's packages, installed where that is ours to do. */
export function findServers() {
	if (!found() && mayInstallPackages()) {
		installPackages('PostgreSQL and Redis', 'postgresql', 'redis-server');
	}
	const servers = found();
	if (servers) return servers;
	console.error(
		'This needs PostgreSQL and Redis. Debian, Ubuntu: sudo apt-get install postgresql redis-server',
	);
	process.exit(1);
}

function found() {
	const postgres = newestPostgres();
	const redis = REDIS.find(existsSync);
	return postgres && redis && { postgres, redis };
}

function newestPostgres() {
	if (!existsSync(POSTGRES)) return undefined;
	return readdirSync(POSTGRES)
		.sort((one, other) => Number(other) - Number(one))
		.map((version) => join(POSTGRES, version, 'bin'))
		.find((folder) => existsSync(join(folder, 'postgres')));
}
