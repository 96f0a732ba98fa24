import { execFileSync, spawnSync } from 'node:child_process';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	realpathSync,
	symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import {
	defaultHome,
	installation,
	n8nVersionIn,
	olderInstallations,
} from '../../live/workspace/paths.mjs';
import { readJson, writeJson } from '../../tools/jsonFile.mjs';
import { UserError } from '../../tools/userError.mjs';

const KNOWN = [installation, ...olderInstallations];

/** @typedef {{ folder: string, isInstalled: boolean, isNewest?: boolean }} Chosen */

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {Record<string, string>} dependencies
 */

/** @param {string} folder */
const manifestIn = (folder) =>
	/** @type {Manifest | undefined} */ (readJson(join(folder, 'package.json')));

/**
 * @param {string} a
 * @param {string} b
 */
const compare = (a, b) => a.localeCompare(b, 'en', { numeric: true });

/** What npm installs without a version. */
const NEWEST = 'newest';

function newestVersion() {
	try {
		const shell = process.platform === 'win32';
		return execFileSync('npm', ['view', 'n8n', 'version'], { encoding: 'utf8', shell }).trim();
	} catch {
		throw new UserError(
			'npm did not say which version of n8n is the newest. Check the connection.',
		);
	}
}

/**
 * The installations for the versions and folders that the user names, or all known ones and the newest one. Installs nothing.
 * `scratch` is a temporary folder, and `others` has the versions that are not known; `npm run start:clean` removes them.
 * @param {string[]} values
 * @param {string} scratch
 * @returns {Chosen[]}
 */
export function chosenInstallations(values, scratch, others = join(defaultHome, 'n8n')) {
	const all = values.length === 0 ? [...KNOWN.map(n8nVersionIn), NEWEST] : values;
	const newest = all.includes(NEWEST) ? newestVersion() : undefined;
	const named = all.map((value) => (value === NEWEST ? (newest ?? '') : value));
	return [...new Set(named)].map((value) => {
		const known = KNOWN.find((folder) => n8nVersionIn(folder) === value);
		if (known) return { folder: known, isInstalled: false };
		if (existsSync(value)) return { folder: folderWith(value, scratch), isInstalled: true };
		if (/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(value)) {
			const folder = folderFor(value, others);
			return { folder, isInstalled: false, isNewest: value === newest };
		}
		throw new UserError(
			`There is no folder ${value}, and it is no version of n8n. Enter a version such as ${n8nVersionIn(installation)}, or a folder with an installed n8n.`,
		);
	});
}

/**
 * Where to install a version that is not known: with the overrides and the Node of the next known one.
 * @param {string} version
 * @param {string} others
 */
function folderFor(version, others) {
	const newestLast = [...KNOWN].sort((a, b) => compare(n8nVersionIn(a), n8nVersionIn(b)));
	const next = newestLast.find((folder) => compare(n8nVersionIn(folder), version) > 0);
	const model = next ?? installation;
	const folder = join(others, version);
	const manifest = manifestIn(model);
	const dependencies = { ...manifest?.dependencies, n8n: version };
	writeJson(join(folder, 'package.json'), { ...manifest, dependencies });
	copyFileSync(join(model, '.npmrc'), join(folder, '.npmrc'));
	return folder;
}

/**
 * An installation with links to an n8n that is installed elsewhere, and to the Node next to it, or else to the Node
 * that runs this command.
 * @param {string} path
 * @param {string} scratch
 */
function folderWith(path, scratch) {
	const n8n = ['', 'node_modules/n8n', 'lib/node_modules/n8n']
		.map((folder) => join(path, folder))
		.find((folder) => manifestIn(folder)?.name === 'n8n');
	if (n8n === undefined)
		throw new UserError(`There is no n8n in ${path}: neither there nor in node_modules.`);
	const neighbour = join(n8n, '../.bin/node');
	const node = existsSync(neighbour) ? realpathSync(neighbour) : process.execPath;
	const nodeVersion = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim().slice(1);
	const nodePackage = `node-${process.platform}-${process.arch}`;

	const folder = mkdtempSync(join(scratch, 'n8n-'));
	link(n8n, join(folder, 'node_modules/n8n'));
	link(node, join(folder, 'node_modules', nodePackage, 'bin/node'));
	writeJson(join(folder, 'package.json'), {
		dependencies: { n8n: manifestIn(n8n)?.version },
		optionalDependencies: { [nodePackage]: nodeVersion },
	});
	return folder;
}

/**
 * @param {string} target
 * @param {string} path
 */
function link(target, path) {
	mkdirSync(dirname(path), { recursive: true });
	symlinkSync(realpathSync(target), path);
}
