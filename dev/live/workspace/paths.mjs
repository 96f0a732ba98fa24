import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { readJson } from '../../tools/jsonFile.mjs';

/**
 * The n8n of `npm start`. An installation is a folder with a package.json that names n8n and the Node to run it. Its node_modules is
 * a link: see sharedFolderOf().
 */
export const installation = dirname(dirname(fileURLToPath(import.meta.url)));

/** Older n8n versions, for `node test/compat/main.mjs`. */
export const olderInstallations = readdirSync(join(installation, 'older')).map((version) =>
	join(installation, 'older', version),
);

/** Everything that `npm start` writes, except its lock, folders named node_modules and dist, and the shared folder. */
export const defaultHome = join(installation, '.home');

/** The installed n8n versions, which all clones of this user share: each has 2.4 GB and takes minutes to install. */
export const sharedFolder = join(
	process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
	'n8n-nodes-messaging-gateway',
);

/**
 * Where an installation is stored. Another lockfile, Node or platform gets another folder.
 * @param {string} folder
 */
export function sharedFolderOf(folder) {
	const lockfile = join(folder, 'package-lock.json');
	const source = existsSync(lockfile) ? lockfile : join(folder, 'package.json');
	const digest = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 16);
	const versions = `n8n-${n8nVersionIn(folder)}-node-${nodeIn(folder)?.version}`;
	return join(sharedFolder, `${versions}-${process.platform}-${process.arch}-${digest}`);
}

/**
 * The Node that this n8n needs. There is one package per platform, and npm installs the matching one.
 * @param {string} folder
 */
export function nodeIn(folder) {
	const { optionalDependencies } = manifestOf(folder);
	const suffix = `-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
	const match = Object.entries(optionalDependencies).find(([name]) => name.endsWith(suffix));
	if (!match) return undefined;
	const [name, version] = match;
	const nodeFolder = join(folder, 'node_modules', name);
	return {
		folder: nodeFolder,
		version,
		program: join(nodeFolder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'),
	};
}

/**
 * From here, Node finds the dependencies of n8n, also if n8n is a link: see test/compat/chosen.mjs.
 * @param {string} folder
 */
export const n8nManifestIn = (folder) =>
	realpathSync(join(folder, 'node_modules/n8n/package.json'));

/** @param {string} folder */
export function n8nVersionIn(folder) {
	return manifestOf(folder).dependencies.n8n;
}

/**
 * @typedef {object} Manifest
 * @property {{ n8n: string }} dependencies
 * @property {Record<string, string>} optionalDependencies
 * @param {string} folder
 */
function manifestOf(folder) {
	return /** @type {Manifest} */ (readJson(join(folder, 'package.json')));
}
