import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
// statfsSync is not a named import: Node versions that are too old lack it, and must get as far as requireNode().
import fs, { existsSync, readFileSync, writeFileSync } from 'node:fs';
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

const PREBUILT_DRIVERS = 'https://github.com/TryGhost/node-sqlite3/releases';
const COMPILER_PACKAGES = `  Debian, Ubuntu: sudo apt-get install python3 make g++
  macOS:          xcode-select --install
  Windows:        Visual Studio Build Tools with "Desktop development with C++", and Python 3`;

/** What a shell reports for a program that kill -9 or the system's memory limit has ended. */
const KILLED = 137;

/** npm keeps working for a while after SIGTERM. The next start repeats the interrupted step anyway. */
const stopTimeoutMs = 0;

/** The steps that installAll() has to take. An earlier installation may have been interrupted at any point. */
export function missingSteps(folder = installation) {
	/** @type {import('../process/progress.mjs').Step[]} */
	const steps = [];
	if (!isInstalled(root)) steps.push('project');
	if (hasN8n(folder)) return steps;
	if (!isInstalled(folder)) steps.push('n8n');
	steps.push('driver');
	return steps;
}

/** Installs the project's dependencies and n8n, as far as they are missing. */
export async function installAll(folder = installation) {
	if (missingSteps(folder).length === 0) return;
	const release = await acquireLock(join(folder, 'node_modules'));
	if (!release) {
		throw new UserError(
			'Another process is installing n8n. Wait until it has finished, then try again.',
		);
	}
	const steps = missingSteps(folder);
	if (steps.includes('n8n')) requireSpace(folder);
	if (steps.includes('driver')) await requireDriver();
	if (steps.includes('project')) await npmInstall('project', root);
	if (steps.includes('n8n')) await npmInstall('n8n', folder);
	if (steps.includes('driver')) {
		await buildDriver(folder);
		writeFileSync(completeMarker(folder), requirementsOf(folder));
	}
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
function requireSpace(folder) {
	const { bavail, bsize } = fs.statfsSync(folder);
	const free = bavail * bsize;
	if (free >= REQUIRED_SPACE) return;
	throw new UserError(
		`n8n needs about 3 GB of disk space, but only ${(free / GIGABYTE).toFixed(1)} GB are free. Free up some space, then run npm start again.`,
	);
}

/**
 * npm downloads a prebuilt driver from GitHub. Without access to it, npm compiles the driver after everything else, and a
 * missing program would be noticed only then.
 */
async function requireDriver() {
	// Visual Studio is not on the PATH.
	if (process.platform === 'win32') return;
	const { PYTHON = 'python3', MAKE = 'make', CXX = 'g++' } = process.env;
	const missing = Object.entries({ 'Python 3': PYTHON, make: MAKE, 'a C++ compiler': CXX })
		.filter(([, program]) => spawnSync(program, ['--version']).status !== 0)
		.map(([name]) => name);
	if (missing.length === 0 || (await reaches(PREBUILT_DRIVERS))) return;
	throw new UserError(
		`n8n's database driver has to be compiled on this machine, because GitHub, which has a prebuilt one, cannot be reached.
Missing: ${missing.join(', ')}. Nothing was downloaded yet.
${COMPILER_PACKAGES}
Then run npm start again.`,
	);
}

/** @param {string} url */
async function reaches(url) {
	try {
		return (await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(10_000) })).ok;
	} catch {
		return false;
	}
}

/**
 * @param {'project' | 'n8n'} name
 * @param {string} folder
 */
async function npmInstall(name, folder) {
	const lockfile = join(folder, 'package-lock.json');
	const isLocked = existsSync(lockfile);
	const npm = launch('npm', [isLocked ? 'ci' : 'install', '--loglevel', 'error'], {
		stopTimeoutMs,
		cwd: folder,
		env: environmentForNpm(),
		log: join(defaultHome, 'logs', 'install.log'),
		isPrivate: false,
	});
	const counter = isLocked ? packageCounter(folder, lockfile) : undefined;
	const code = await step(name, () => npm.exited, counter);
	if (code !== 0) throw new UserError(npmFailure(code, npm.log));
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
	return () => ({
		done: expected.filter((file) => existsSync(file)).length,
		total: expected.length,
	});
}

/** @param {PlatformLimits} limits */
function isForThisMachine({ os = [process.platform], cpu = [process.arch] }) {
	return os.includes(process.platform) && cpu.includes(process.arch);
}

/**
 * @param {number | null} code
 * @param {string} log
 */
function npmFailure(code, log) {
	const output = readLog(log);
	const next = `Then run npm start again to continue. npm's output: ${log}`;
	const missing = /No matching version found for (\S+?)\.?$/m.exec(output)?.[1];
	if (missing) return `npm has no ${missing}, so this version of n8n cannot be installed.`;
	if (/ENOSPC/.test(output)) return `The disk is full. Free up about 3 GB. ${next}`;
	if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/i.test(output)) {
		return `Cannot reach the npm registry. Check your network connection and proxy settings. ${next}`;
	}
	if (code === KILLED) {
		return `npm was killed, possibly because the machine ran out of memory. Close other programs. ${next}`;
	}
	return `npm failed.\n\n${lastLines(log)}\n\nFix this problem. ${next}`;
}

/**
 * sqlite3, the only native package that n8n requires.
 * @param {string} folder
 */
async function buildDriver(folder) {
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
	const code = await step('driver', () => npm.exited);
	if (code !== 0) throw new UserError(buildFailure(npm.log));
}

/** @param {string} log */
function buildFailure(log) {
	const next = `Then run npm start again. Full output: ${log}`;
	const lacksTools =
		/find Python|not found: make|command not found|Could not find any Visual Studio/i;
	if (lacksTools.test(readLog(log))) {
		return `Compiling n8n's database driver requires Python 3, make and a C++ compiler.
${COMPILER_PACKAGES}
${next}`;
	}
	return `Building n8n's database driver failed.\n\n${lastLines(log)}\n\nFix this problem. ${next}`;
}
