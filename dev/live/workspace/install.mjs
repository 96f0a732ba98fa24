import { spawnSync } from 'node:child_process';
// statfsSync is not a named import: Node versions that are too old lack it, and must get as far as requireNode().
import fs, {
	copyFileSync,
	existsSync,
	mkdirSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { isInstalled, root } from '../../tools/install.mjs';
import { readJson } from '../../tools/jsonFile.mjs';
import { UserError } from '../../tools/userError.mjs';
import { environmentForNpm } from '../process/environment.mjs';
import { lastLines, launch, readLog } from '../process/launch.mjs';
import { step } from '../process/progress.mjs';
import { acquireLock } from './lock.mjs';
import { defaultHome, installation, nodeIn, sharedFolderOf } from './paths.mjs';

const GIGABYTE = 1e9;
const REQUIRED_SPACE = 3 * GIGABYTE;

/** The first start takes five minutes, and up to fifteen on a slow machine. */
const WAIT_MINUTES = 15;
const SECONDS_BETWEEN_LINES = 60;

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
	const shared = sharedFolderOf(folder);
	if (isComplete(shared)) return steps;
	if (!hasPackages(shared)) steps.push('n8n');
	steps.push('driver');
	return steps;
}

/** Installs the project's dependencies and n8n, as far as they are missing, and links n8n into `folder`. */
export async function installAll(folder = installation) {
	const shared = sharedFolderOf(folder);
	if (missingSteps(folder).length > 0) await installMissing(folder, shared);
	const link = join(folder, 'node_modules');
	if (existsSync(link) && realpathSync(link) === realpathSync(join(shared, 'node_modules'))) return;
	rmSync(link, { recursive: true, force: true });
	symlinkSync(join(shared, 'node_modules'), link, 'junction');
}

/**
 * @param {string} folder
 * @param {string} shared
 */
async function installMissing(folder, shared) {
	const release = await whenFree(shared);
	mkdirSync(shared, { recursive: true, mode: 0o700 });
	const steps = missingSteps(folder);
	if (steps.includes('n8n')) requireSpace(shared);
	if (steps.includes('driver')) await requireDriver();
	if (steps.includes('project')) await npmInstall('project', root);
	if (steps.includes('n8n')) {
		rmSync(completeMarker(shared), { force: true });
		for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
			if (existsSync(join(folder, file))) copyFileSync(join(folder, file), join(shared, file));
		}
		await npmInstall('n8n', shared);
	}
	if (steps.includes('driver')) {
		await buildDriver(shared);
		writeFileSync(completeMarker(shared), '');
	}
	release();
}

/**
 * Locks the shared folder, which another clone or test run may be filling.
 * @param {string} shared
 */
async function whenFree(shared) {
	const startedAt = Date.now();
	for (let nextLine = 0; ; await delay(500)) {
		const release = acquireLock(shared);
		if (release) return release;
		const seconds = (Date.now() - startedAt) / 1000;
		if (seconds > WAIT_MINUTES * 60) {
			throw new UserError(
				'Another process is still installing n8n. Wait until it has finished, then try again.',
			);
		}
		if (seconds < nextLine) continue;
		const isFirst = nextLine === 0;
		console.log(
			isFirst
				? `  Another process is installing n8n. Waiting for it, at most ${WAIT_MINUTES} minutes …`
				: `          Still waiting after ${duration(seconds)}`,
		);
		nextLine += SECONDS_BETWEEN_LINES;
	}
}

/** @param {number} seconds */
function duration(seconds) {
	const minutes = Math.round(seconds / 60);
	return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** @param {string} shared */
const completeMarker = (shared) => join(shared, 'node_modules/.complete');

/**
 * Whether n8n can be used. Files can be missing although it was installed completely, because systems and users clear caches.
 * @param {string} shared
 */
function isComplete(shared) {
	return existsSync(completeMarker(shared)) && hasPackages(shared) && hasDriver(shared);
}

/**
 * Whether everything that npm has installed is there, and is what the lockfile says. An older n8n has no lockfile.
 * @param {string} shared
 */
function hasPackages(shared) {
	const isLocked = existsSync(join(shared, 'package-lock.json'));
	if (isLocked && !isInstalled(shared)) return false;
	const installed = /** @type {{ packages: object } | undefined} */ (
		readJson(join(shared, 'node_modules/.package-lock.json'))
	);
	const folders = Object.keys(installed?.packages ?? {});
	return (
		folders.length > 0 && folders.every((path) => existsSync(join(shared, path, 'package.json')))
	);
}

/** @param {string} shared */
function hasDriver(shared) {
	const program = nodeIn(shared)?.program;
	if (!program) return false;
	return spawnSync(program, ['-e', "require('sqlite3')"], { cwd: shared }).status === 0;
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
