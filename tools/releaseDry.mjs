// `npm run release:dry`: all of publishing but the publishing. Leaves the tarball that would go out. With `-- v1.2.3` that has
// to be the version; without, whatever tag there is.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { newestRelease, unreleased } from './changelog.mjs';
import { ensureInstalled, root } from './install.mjs';
import { pack } from './tarball.mjs';

const read = (file) => readFileSync(join(root, file), 'utf8');
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const node = (...args) =>
	spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;

const counts = { passed: 0, failed: 0 };

function report(what, isRight) {
	console.log(`${isRight ? 'ok' : 'NOT OK'}  ${what}`);
	counts[isRight ? 'passed' : 'failed'] += 1;
}

ensureInstalled();
report('it builds', node('node_modules/gulp/bin/gulp.js', 'build', '--silent'));
report("n8n's verification passes", node('tools/verify.mjs'));
agreeOnTheVersion();
showTarball();
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed ? 1 : 0;

function agreeOnTheVersion() {
	const { version } = JSON.parse(read('package.json'));
	const lockfile = JSON.parse(read('package-lock.json'));
	const changelog = read('CHANGELOG.md');
	const newest = newestRelease(changelog);
	const [tag = git('tag', '--points-at', 'HEAD', '--list', 'v*')] = process.argv.slice(2);

	report(
		`package-lock.json says ${version}, too`,
		lockfile.version === version && lockfile.packages[''].version === version,
	);
	report('CHANGELOG.md has a place for what comes next', unreleased(changelog) !== undefined);
	report(
		newest ? `the newest release in CHANGELOG.md is ${version}` : 'nothing was released before',
		newest === version || newest === undefined,
	);
	report(
		tag ? `${tag} is the tag for ${newest}` : 'there is no tag: this is no release',
		!tag || (tag === `v${version}` && newest === version),
	);
}

function showTarball() {
	const { tarball, size, files } = pack(root);
	const bytes = readFileSync(tarball);
	const digest = (algorithm) => createHash(algorithm).update(bytes).digest('hex');
	console.log(
		`\n${files.map((file) => `${String(file.size).padStart(8)}  ${file.path}`).join('\n')}`,
	);
	console.log(`\n${tarball}\n${size} bytes, ${files.length} files`);
	console.log(`sha256  ${digest('sha256')}\nsha512  ${digest('sha512')}`);
}
