import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { root } from '../../tools/install.mjs';
import { readJson, writeJson } from '../../tools/jsonFile.mjs';
import { pack, unpack } from '../../tools/tarball.mjs';
import { UserError } from '../../tools/userError.mjs';
import { bareEnvironment } from '../process/environment.mjs';
import { lastLines, launch } from '../process/launch.mjs';
import { step } from '../process/progress.mjs';
import { installation, nodeIn } from '../workspace/paths.mjs';

const REGISTER_PACKAGE = fileURLToPath(new URL('registerPackage.cjs', import.meta.url));

const SOURCES = [
	'package.json',
	'package-lock.json',
	'tsconfig.json',
	'gulpfile.js',
	'index.js',
	'README.md',
	'nodes',
	'credentials',
	'gateway',
];

/**
 * Where the package belongs in this home, and whether it is there, built from the current sources.
 * @param {string} home
 */
export function packageIn(home) {
	const { name, version } = /** @type {{ name: string, version: string }} */ (
		readJson(join(root, 'package.json'))
	);
	const nodes = join(home, '.n8n', 'nodes');
	const folder = join(nodes, 'node_modules', name);
	const digestFile = join(nodes, 'built-from');
	const digest = digestOfSources();
	const isCurrent =
		existsSync(digestFile) && existsSync(folder) && readFileSync(digestFile, 'utf8') === digest;
	return { name, version, nodes, folder, digestFile, digest, isCurrent };
}

/**
 * Builds and packs this package, and unpacks it where n8n stores community packages. Resolves to that folder.
 * @param {string} home
 */
export async function installPackage(home) {
	const { name, version, nodes, folder, digestFile, digest, isCurrent } = packageIn(home);
	if (isCurrent) return folder;

	await step('build', async () => {
		await build(join(home, 'logs', 'build.log'));
		rmSync(digestFile, { force: true });
		rmSync(folder, { recursive: true, force: true });
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		const { tarball } = pack(nodes);
		unpack(tarball, folder);
		rmSync(tarball);
		addDependency(join(nodes, 'package.json'), name, version);
		writeFileSync(digestFile, digest, { mode: 0o600 });
	});
	return folder;
}

function digestOfSources() {
	const hash = createHash('sha256');
	for (const file of SOURCES.flatMap((source) => filesIn(source)).sort()) {
		hash.update(`${file}\0`).update(readFileSync(join(root, file)));
	}
	return hash.digest('hex');
}

/** @param {string} path */
function filesIn(path) {
	if (/\.\w+$/.test(path)) return [path];
	return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(join(root, '/').length));
}

/** @param {string} log */
async function build(log) {
	const gulp = launch(process.execPath, [join(root, 'node_modules/gulp/bin/gulp.js'), 'build'], {
		cwd: root,
		env: bareEnvironment(),
		log,
		isPrivate: false,
	});
	if ((await gulp.exited) === 0) return;
	throw new UserError(`The build failed. Fix the errors, then try again:\n\n${lastLines(log)}`);
}

/**
 * Adds this package to n8n's list of community packages. Other packages that the user installed stay.
 * @param {string} file
 * @param {string} name
 * @param {string} version
 */
function addDependency(file, name, version) {
	const before = /** @type {{ dependencies?: object } | undefined} */ (readJson(file));
	writeJson(file, {
		...(before ?? { name: 'installed-nodes', private: true }),
		dependencies: { ...before?.dependencies, [name]: version },
	});
}

/**
 * Lists the package under Settings > Community nodes. That page reads a database table which n8n fills only when it installs
 * a package from the registry.
 * @param {string} home
 * @param {string} folder The installed package.
 */
export async function listOnSettingsPage(home, folder) {
	// Present in every complete installation: installAll() checks it.
	const node = /** @type {{ program: string }} */ (nodeIn(installation));
	const registration = launch(
		node.program,
		[REGISTER_PACKAGE, join(home, '.n8n', 'database.sqlite'), folder],
		{
			cwd: installation,
			// n8n provides n8n-workflow, which the nodes require.
			env: { ...bareEnvironment(), NODE_PATH: join(installation, 'node_modules') },
			log: join(home, 'logs', 'registration.log'),
		},
	);
	if ((await registration.exited) === 0) return;
	throw new UserError(
		`Could not register the node in n8n.\n\n${lastLines(registration.log)}\n\nTo start over, run npm run start:clean.`,
	);
}
