// `node dev/tools/releaseDry.mjs [v1.2.3]`: every step of publishing except the upload; leaves the tarball. A given tag must match
// the version. Without one, the tag of the current commit must, if there is one.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { newestRelease, unreleased } from './changelog.mjs';
import { ensureInstalled, root } from './install.mjs';
import { readJson } from './jsonFile.mjs';
import { pack } from './tarball.mjs';

/** @param {...string} args */
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
/** @param {...string} args */
const node = (...args) =>
	spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;

const INSTALLATION = /npm install [^\n`&#]*\bn8n-nodes-messaging-gateway(?![\w/-])(?:@[\d.]+)?/g;

let passed = 0;
let failed = 0;

/**
 * @param {string} title
 * @param {boolean} isPassed
 */
function report(title, isPassed) {
	console.log(`${isPassed ? 'ok' : 'NOT OK'}  ${title}`);
	if (isPassed) passed += 1;
	else failed += 1;
}

ensureInstalled();
report('the build succeeds', node('node_modules/gulp/bin/gulp.js', 'build', '--silent'));
report("n8n's verification passes", node('dev/tools/verify.mjs'));
checkVersions();
checkInstallation(printTarball());
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;

function checkVersions() {
	const { version } = /** @type {{ version: string }} */ (readJson(join(root, 'package.json')));
	const lockfile =
		/** @type {{ version: string, packages: Record<string, { version: string }> }} */ (
			readJson(join(root, 'package-lock.json'))
		);
	const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
	const newest = newestRelease(changelog);
	const [tag = git('tag', '--points-at', 'HEAD', '--list', 'v*')] = process.argv.slice(2);

	report(
		`package-lock.json also has version ${version}`,
		lockfile.version === version && lockfile.packages['']?.version === version,
	);
	report('CHANGELOG.md has a section for unreleased changes', unreleased(changelog) !== undefined);
	report(
		newest ? `the newest release in CHANGELOG.md is ${version}` : 'there is no earlier release',
		newest === version || newest === undefined,
	);
	report(
		tag ? `the tag ${tag} matches ${newest}` : 'there is no tag: this is not a release',
		!tag || (tag === `v${version}` && newest === version),
	);
}

function printTarball() {
	const { tarball, size, files } = pack(root);
	const bytes = readFileSync(tarball);
	/** @param {string} algorithm */
	const digest = (algorithm) => createHash(algorithm).update(bytes).digest('hex');
	console.log(
		`\n${files.map((file) => `${String(file.size).padStart(8)}  ${file.path}`).join('\n')}`,
	);
	console.log(`\n${tarball}\n${size} bytes, ${files.length} files`);
	console.log(`sha256  ${digest('sha256')}\nsha512  ${digest('sha512')}\n`);
	return tarball;
}

/**
 * Runs the documented installation with this tarball and npm's registry, without installing anything. Without --omit=peer, npm
 * also installs n8n-workflow with more than 160 packages, some of which have scripts.
 * @param {string} tarball
 */
function checkInstallation(tarball) {
	const commands = git('ls-files', '*.md')
		.split('\n')
		.flatMap((path) => readFileSync(join(root, path), 'utf8').match(INSTALLATION) ?? []);
	report('a document says how npm installs the package', commands.length > 0);
	for (const command of new Set(commands)) {
		const args = command.replace('npm ', '').replace(/\S+$/, tarball).split(' ');
		const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-install-'));
		const { stdout, stderr } = spawnSync('npm', [...args, '--dry-run', '--json', '--audit=false'], {
			cwd: folder,
			encoding: 'utf8',
			shell: process.platform === 'win32',
		});
		rmSync(folder, { recursive: true });
		const [added] = /"added": \d+/.exec(stdout) ?? [stderr];
		report(`${command} adds one package`, added === '"added": 1');
		if (added !== '"added": 1') console.log(added);
	}
}
