import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { isInstalled, root } from '../tools/install.mjs';
import { environmentForNpm } from './environment.mjs';
import { lastLines, launch, logged } from './launch.mjs';
import { occupy } from './occupancy.mjs';
import { home, live, modules, platformNode } from './places.mjs';
import { step } from './progress.mjs';
import { Trouble } from './trouble.mjs';

const GIGABYTE = 1e9;
const ROOM_NEEDED = 3 * GIGABYTE;

const complete = join(modules, '.complete');

/** Whatever is missing of the project's own packages and of n8n's. What was broken off is taken up again. */
export async function installAll() {
	if (hasN8n() && isInstalled(root)) return;
	const release = await occupy(modules);
	if (!release) {
		throw new Trouble(
			'n8n is being installed already, in another window. Wait until that is done.',
		);
	}
	if (!hasN8n()) mustHaveRoom();
	if (!isInstalled(root)) await npmCi('Installing the project', root);
	if (!hasN8n()) await installN8n();
	release();
}

function hasN8n() {
	return existsSync(complete) && readFileSync(complete, 'utf8') === whatIsWanted();
}

function whatIsWanted() {
	const lockfile = readFileSync(join(live, 'package-lock.json'));
	const digest = createHash('sha256').update(lockfile).digest('hex');
	return `${process.platform}-${process.arch} ${digest}`;
}

async function installN8n() {
	if (!isInstalled(live)) await npmCi('Installing n8n', live);
	await buildSqlite();
	writeFileSync(complete, whatIsWanted());
}

function mustHaveRoom() {
	if (isInstalled(live)) return;
	const { bavail, bsize } = statfsSync(live);
	const free = bavail * bsize;
	if (free >= ROOM_NEEDED) return;
	throw new Trouble(
		`n8n needs about 3 GB on the disk, and ${(free / GIGABYTE).toFixed(1)} GB are free. Make some room, then run npm start again.`,
	);
}

async function npmCi(what, folder) {
	const npm = launch('npm', ['ci', '--loglevel', 'error'], {
		cwd: folder,
		env: environmentForNpm(),
		log: join(home, 'logs', 'install.log'),
	});
	const code = await step(what, () => npm.ended, packagesArriving(folder));
	if (code !== 0) throw new Trouble(whyNpmStopped(what, npm.log));
}

function packagesArriving(folder) {
	const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
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
async function buildSqlite() {
	const node = platformNode();
	if (!node || !existsSync(node.program)) {
		throw new Trouble(
			`There is no Node 24 from npm for ${process.platform} on ${process.arch}, and n8n needs it. Linux and macOS on x64 and arm64 are fine, and Windows on x64.`,
		);
	}
	const npm = launch(
		'npm',
		['rebuild', 'sqlite3', '--ignore-scripts=false', '--foreground-scripts'],
		{
			cwd: live,
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
