import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	defaultHome,
	installation,
	n8nVersionIn,
	olderInstallations,
} from '../../dev/live/workspace/paths.mjs';
import { readJson, writeJson } from '../../dev/tools/jsonFile.mjs';
import { UserError } from '../../dev/tools/userError.mjs';

const KNOWN = [installation, ...olderInstallations];

/** @typedef {{ folder: string, isNewest?: boolean }} Chosen */

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
 * The installations for the versions that the user names, or all known ones and the newest one. Installs nothing. `others` has the
 * versions that are not known; `npm run start:clean` removes them.
 * @param {string[]} values
 * @returns {Chosen[]}
 */
export function chosenInstallations(values, others = join(defaultHome, 'n8n')) {
	const all = values.length === 0 ? [...KNOWN.map(n8nVersionIn), NEWEST] : values;
	const newest = all.includes(NEWEST) ? newestVersion() : undefined;
	const named = all.map((value) => (value === NEWEST ? (newest ?? '') : value));
	return [...new Set(named)].map((value) => {
		const known = KNOWN.find((folder) => n8nVersionIn(folder) === value);
		if (known) return { folder: known };
		if (/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(value)) {
			return { folder: folderFor(value, others), isNewest: value === newest };
		}
		throw new UserError(
			`${value} is no version of n8n. Enter a version such as ${n8nVersionIn(installation)}.`,
		);
	});
}

/**
 * Where to install a version that is not known: with the overrides and the Node of the next known one.
 * @param {string} version
 * @param {string} others
 */
function folderFor(version, others) {
	/** @type {(a: string, b: string) => number} */
	const compare = (a, b) => a.localeCompare(b, 'en', { numeric: true });
	const newestLast = [...KNOWN].sort((a, b) => compare(n8nVersionIn(a), n8nVersionIn(b)));
	const next = newestLast.find((folder) => compare(n8nVersionIn(folder), version) > 0);
	const model = next ?? installation;
	const folder = join(others, version);
	const manifest = /** @type {{ dependencies: Record<string, string> }} */ (
		readJson(join(model, 'package.json'))
	);
	const dependencies = { ...manifest.dependencies, n8n: version };
	writeJson(join(folder, 'package.json'), { ...manifest, dependencies });
	copyFileSync(join(model, '.npmrc'), join(folder, '.npmrc'));
	return folder;
}
