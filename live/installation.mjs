import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { isInstalled, orderOf, root } from '../tools/install.mjs';
import { environmentForNpm } from './environment.mjs';
import { lastLines, launch, logged } from './launch.mjs';
import { occupy } from './occupancy.mjs';
import { home, live, platformNode } from './places.mjs';
import { step } from './progress.mjs';
import { Trouble } from './trouble.mjs';

const GIGABYTE = 1e9;
const ROOM_NEEDED = 3 * GIGABYTE;

/** Told to stop, npm goes on for a while. What it was at is done anew anyway. */
const patienceMs = 0;

/** Whatever is missing of the project's own packages and of n8n's in that place. What was broken off is taken up again. */
export async function installAll(place = live) {
	if (hasN8n(place) && isInstalled(root)) return;
	const release = await occupy(join(place, 'node_modules'));
	if (!release) {
		throw new Trouble(
			'n8n is being installed already, in another window. Wait until that is done.',
		);
	}
	if (!hasN8n(place)) mustHaveRoom(place);
	if (!isInstalled(root)) await npmInstall('Installing the project', root);
	if (!hasN8n(place)) await installN8n(place);
	release();
}

const complete = (place) => join(place, 'node_modules/.complete');

function hasN8n(place) {
	return (
		existsSync(complete(place)) && readFileSync(complete(place), 'utf8') === whatIsWanted(place)
	);
}

function whatIsWanted(place) {
	const digest = createHash('sha256')
		.update(readFileSync(orderOf(place)))
		.digest('hex');
	return `${process.platform}-${process.arch} ${digest}`;
}

async function installN8n(place) {
	if (!isInstalled(place)) await npmInstall('Installing n8n', place);
	await buildSqlite(place);
	writeFileSync(complete(place), whatIsWanted(place));
}

function mustHaveRoom(place) {
	if (isInstalled(place)) return;
	const { bavail, bsize } = statfsSync(place);
	const free = bavail * bsize;
	if (free >= ROOM_NEEDED) return;
	throw new Trouble(
		`n8n needs about 3 GB on the disk, and ${(free / GIGABYTE).toFixed(1)} GB are free. Make some room, then run npm start again.`,
	);
}

async function npmInstall(what, folder) {
	const lockfile = join(folder, 'package-lock.json');
	const isLocked = existsSync(lockfile);
	const npm = launch('npm', [isLocked ? 'ci' : 'install', '--loglevel', 'error'], {
		patienceMs,
		cwd: folder,
		env: environmentForNpm(),
		log: join(home, 'logs', 'install.log'),
	});
	const howFar = isLocked ? packagesArriving(folder, lockfile) : undefined;
	const code = await step(what, () => npm.ended, howFar);
	if (code !== 0) throw new Trouble(whyNpmStopped(what, npm.log));
}

function packagesArriving(folder, lockfile) {
	const { packages } = JSON.parse(readFileSync(lockfile, 'utf8'));
	const expected = Object.entries(packages)
		// Those for one C library only are a handful: not worth finding out which one this machine has.
		.filter(([path, { os, cpu, libc }]) => path && !libc && isForThisMachine(os, cpu))
		.map(([path]) => join(folder, path, 'package.json'));
	return () => `${expected.filter(existsSync).length} of ${expected.length} packages`;
}

function isForThisMachine(os = process.platform, cpu = process.arch) {
	return [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch);
}

function whyNpmStopped(what, log) {
	const said = logged(log);
	const again = `Then run npm start again; it goes on where it stopped. What npm said: ${log}`;
	if (/ENOSPC/.test(said)) return `${what}: the disk is full. Make about 3 GB of room. ${again}`;
	if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/i.test(said)) {
		return `${what}: npm's registry cannot be reached. Check the network, and the proxy if there is one. ${again}`;
	}
	return `${what}: npm stopped before it was done.\n\n${lastLines(log)}\n\nPut right what it names. ${again}`;
}

/** The only package that n8n cannot do without and that is not ready as it comes: there is a binary on GitHub, or it is compiled. */
async function buildSqlite(place) {
	const node = platformNode(place);
	if (!node || !existsSync(node.program)) {
		throw new Trouble(
			`There is no Node from npm for ${process.platform} on ${process.arch}, and n8n needs it. Linux and macOS on x64 and arm64 are fine, and Windows on x64.`,
		);
	}
	const npm = launch(
		'npm',
		['rebuild', 'sqlite3', '--ignore-scripts=false', '--foreground-scripts'],
		{
			patienceMs,
			cwd: place,
			// Else the compiler's helper would fetch Node's headers from nodejs.org; this package brings them along.
			env: { ...environmentForNpm(), npm_config_nodedir: node.folder },
			log: join(home, 'logs', 'sqlite.log'),
		},
	);
	const code = await step("Preparing n8n's database, a minute or two", () => npm.ended);
	if (code !== 0) throw new Trouble(whyNotBuilt(npm.log));
}

function whyNotBuilt(log) {
	const again = `Then run npm start again. The whole story: ${log}`;
	if (
		/find Python|not found: make|command not found|Could not find any Visual Studio/i.test(
			logged(log),
		)
	) {
		return `n8n's database has to be compiled here, and that needs Python 3, make and a C++ compiler.
  Debian, Ubuntu: sudo apt-get install python3 make g++
  macOS:          xcode-select --install
  Windows:        Visual Studio Build Tools with "Desktop development with C++", and Python 3
${again}`;
	}
	return `n8n's database could not be prepared.\n\n${lastLines(log)}\n\nPut right what it names. ${again}`;
}
