import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { isInstalled, root } from '../../tools/install.mjs';
import { readJson } from '../../tools/jsonFile.mjs';
import { UserError } from '../../tools/userError.mjs';
import { environmentForNpm } from '../process/environment.mjs';
import { lastLines, launch, readLog } from '../process/launch.mjs';
import { step } from '../process/progress.mjs';
import { acquireLock } from './lock.mjs';
import { defaultHome, installation, nodeIn } from './paths.mjs';

const GIGABYTE = 1e9;
const REQUIRED_SPACE = 3 * GIGABYTE;

/** npm keeps working for a while after SIGTERM. The next start repeats the interrupted step anyway. */
const stopTimeoutMs = 0;

/** Installs the project's dependencies and n8n, as far as they are missing. Continues after an interruption. */
export async function installAll(folder = installation) {
	if (hasN8n(folder) && isInstalled(root)) return;
	const release = await acquireLock(join(folder, 'node_modules'));
	if (!release) {
		throw new UserError(
			'Another process is installing n8n. Wait until it has finished, then try again.',
		);
	}
	if (!hasN8n(folder)) requireSpace(folder);
	if (!isInstalled(root)) await npmInstall('Installing the project', root);
	if (!hasN8n(folder)) await installN8n(folder);
	release();
}

/** @param {string} folder */
const completeMarker = (folder) => join(folder, 'node_modules/.complete');

/** @param {string} folder */
function hasN8n(folder) {
	const marker = completeMarker(folder);
	return existsSync(marker) && readFileSync(marker, 'utf8') === requirementsOf(folder);
}

/**
 * Changes when n8n has to be installed again.
 * @param {string} folder
 */
function requirementsOf(folder) {
	const lockfile = join(folder, 'package-lock.json');
	const source = existsSync(lockfile) ? lockfile : join(folder, 'package.json');
	const digest = createHash('sha256').update(readFileSync(source)).digest('hex');
	return `${process.platform}-${process.arch} ${digest}`;
}

/** @param {string} folder */
async function installN8n(folder) {
	if (!isInstalled(folder)) await npmInstall('Installing n8n', folder);
	await buildSqlite(folder);
	writeFileSync(completeMarker(folder), requirementsOf(folder));
}

/** @param {string} folder */
function requireSpace(folder) {
	if (isInstalled(folder)) return;
	const { bavail, bsize } = statfsSync(folder);
	const free = bavail * bsize;
	if (free >= REQUIRED_SPACE) return;
	throw new UserError(
		`n8n needs about 3 GB of disk space, but only ${(free / GIGABYTE).toFixed(1)} GB are free. Free up some space, then run npm start again.`,
	);
}

/**
 * @param {string} title
 * @param {string} folder
 */
async function npmInstall(title, folder) {
	const lockfile = join(folder, 'package-lock.json');
	const isLocked = existsSync(lockfile);
	const npm = launch('npm', [isLocked ? 'ci' : 'install', '--loglevel', 'error'], {
		stopTimeoutMs,
		cwd: folder,
		env: environmentForNpm(),
		log: join(defaultHome, 'logs', 'install.log'),
		isPrivate: false,
	});
	const progress = isLocked ? packageCounter(folder, lockfile) : undefined;
	const code = await step(title, () => npm.exited, progress);
	if (code !== 0) throw new UserError(npmFailure(title, npm.log));
}

/**
 * @typedef {{ os?: string[], cpu?: string[], libc?: string[] }} PlatformLimits
 * @param {string} folder
 * @param {string} lockfile
 */
function packageCounter(folder, lockfile) {
	const { packages } = /** @type {{ packages: Record<string, PlatformLimits> }} */ (
		readJson(lockfile)
	);
	const expected = Object.entries(packages)
		// Ignores the few packages for one C library: finding out which one this machine has is not worth it.
		.filter(([path, limits]) => path && !limits.libc && isForThisMachine(limits))
		.map(([path]) => join(folder, path, 'package.json'));
	return () =>
		`${expected.filter((file) => existsSync(file)).length} of ${expected.length} packages`;
}

/** @param {PlatformLimits} limits */
function isForThisMachine({ os = [process.platform], cpu = [process.arch] }) {
	return os.includes(process.platform) && cpu.includes(process.arch);
}

/**
 * @param {string} title
 * @param {string} log
 */
function npmFailure(title, log) {
	const output = readLog(log);
	const next = `Then run npm start again to continue. npm's output: ${log}`;
	if (/ENOSPC/.test(output)) return `${title}: the disk is full. Free up about 3 GB. ${next}`;
	if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/i.test(output)) {
		return `${title}: cannot reach the npm registry. Check your network connection and proxy settings. ${next}`;
	}
	return `${title}: npm failed.\n\n${lastLines(log)}\n\nFix this problem. ${next}`;
}

/**
 * The only native package that n8n requires. Its prebuilt binary is on GitHub; without access to it, npm compiles it.
 * @param {string} folder
 */
async function buildSqlite(folder) {
	const node = nodeIn(folder);
	if (!node || !existsSync(node.program)) {
		throw new UserError(
			`npm has no Node for ${process.platform} on ${process.arch}, and n8n needs it. Supported: Linux and macOS on x64 and arm64, Windows on x64.`,
		);
	}
	const npm = launch(
		'npm',
		['rebuild', 'sqlite3', '--ignore-scripts=false', '--foreground-scripts'],
		{
			stopTimeoutMs,
			cwd: folder,
			// Without this, node-gyp downloads Node's headers from nodejs.org. This package contains them.
			env: { ...environmentForNpm(), npm_config_nodedir: node.folder },
			log: join(defaultHome, 'logs', 'sqlite.log'),
			isPrivate: false,
		},
	);
	const code = await step("Building n8n's database driver (1–2 minutes)", () => npm.exited);
	if (code !== 0) throw new UserError(buildFailure(npm.log));
}

/** @param {string} log */
function buildFailure(log) {
	const next = `Then run npm start again. Full output: ${log}`;
	const lacksTools =
		/find Python|not found: make|command not found|Could not find any Visual Studio/i;
	if (lacksTools.test(readLog(log))) {
		return `Compiling n8n's database driver requires Python 3, make and a C++ compiler.
  Debian, Ubuntu: sudo apt-get install python3 make g++
  macOS:          xcode-select --install
  Windows:        Visual Studio Build Tools with "Desktop development with C++", and Python 3
${next}`;
	}
	return `Building n8n's database driver failed.\n\n${lastLines(log)}\n\nFix this problem. ${next}`;
}
