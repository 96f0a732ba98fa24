import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../tools/install.mjs';
import { pack, unpack } from '../tools/tarball.mjs';
import { bareEnvironment } from './environment.mjs';
import { lastLines, launch } from './launch.mjs';
import { live, modules, platformNode } from './places.mjs';
import { step } from './progress.mjs';
import { Trouble } from './trouble.mjs';

const SOURCES = [
	'package.json',
	'package-lock.json',
	'tsconfig.json',
	'tsconfig.build.json',
	'gulpfile.js',
	'index.js',
	'README.md',
	'nodes',
	'credentials',
	'gateway',
];

/** Our package, packed and put where n8n puts what is installed under Settings > Community nodes. */
export async function installPackage(home) {
	const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const nodes = join(home, '.n8n', 'nodes');
	const folder = join(nodes, 'node_modules', name);
	const stamp = join(nodes, 'built-from');
	const sources = digestOfSources();
	if (existsSync(stamp) && existsSync(folder) && readFileSync(stamp, 'utf8') === sources) {
		return folder;
	}

	await step('Building and packing the node', async () => {
		await build(join(home, 'logs', 'build.log'));
		rmSync(stamp, { force: true });
		rmSync(folder, { recursive: true, force: true });
		mkdirSync(folder, { recursive: true });
		const { tarball } = pack(nodes);
		unpack(tarball, folder);
		rmSync(tarball);
		enterIntoLedger(join(nodes, 'package.json'), name, version);
		writeFileSync(stamp, sources);
	});
	return folder;
}

function digestOfSources() {
	const hash = createHash('sha256');
	for (const file of SOURCES.flatMap((source) => filesOf(source)).sort()) {
		hash.update(`${file}\0`).update(readFileSync(join(root, file)));
	}
	return hash.digest('hex');
}

function filesOf(path) {
	if (/\.\w+$/.test(path)) return [path];
	return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(join(root, '/').length));
}

async function build(log) {
	const gulp = launch(process.execPath, [join(root, 'node_modules/gulp/bin/gulp.js'), 'build'], {
		cwd: root,
		env: bareEnvironment(),
		log,
	});
	if ((await gulp.ended) === 0) return;
	throw new Trouble(
		`The node does not build. Put this right, then start again:\n\n${lastLines(log)}`,
	);
}

/** The list that n8n keeps beside the packages. What the user installed there stays. */
function enterIntoLedger(file, name, version) {
	const ledger = existsSync(file)
		? JSON.parse(readFileSync(file, 'utf8'))
		: { name: 'installed-nodes', private: true, dependencies: {} };
	ledger.dependencies = { ...ledger.dependencies, [name]: version };
	writeFileSync(file, JSON.stringify(ledger, null, 2));
}

/** n8n's settings page lists what is in a table, and only an installation from the registry writes to that. */
export async function listOnSettingsPage(home, folder) {
	const registration = launch(
		platformNode().program,
		[join(live, 'registration.cjs'), join(home, '.n8n', 'database.sqlite'), folder],
		{
			cwd: live,
			// What a node requires is n8n's to provide.
			env: { ...bareEnvironment(), NODE_PATH: modules },
			log: join(home, 'logs', 'registration.log'),
		},
	);
	if ((await registration.ended) === 0) return;
	throw new Trouble(
		`The node could not be listed in n8n.\n\n${lastLines(registration.log)}\n\nnpm run start:clean makes a fresh start.`,
	);
}
