// `node dev/tools/release.mjs patch|minor|major|1.2.3`: version, changelog, commit and tag, in the repository of the current folder.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { release, unreleased } from './changelog.mjs';
import { readJson } from './jsonFile.mjs';
import { UserError } from './userError.mjs';

const CHANGELOG = 'CHANGELOG.md';
/** What these say until the first release. */
const EARLY = 'is not on npm yet';
const WITH_STATUS = ['README.md', 'docs/platform.md'];
const STEPS = ['major', 'minor', 'patch'];

/**
 * @param {unknown} condition
 * @param {string} message
 * @returns {asserts condition}
 */
function check(condition, message) {
	if (!condition) throw new UserError(message);
}

/** @param {...string} args */
const npm = (...args) => execFileSync('npm', args, { shell: process.platform === 'win32' });
/** @param {...string} args */
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trimEnd();

try {
	const version = createRelease(process.argv.slice(2));
	console.log(`Released ${version} here. To publish it: git push --atomic origin main v${version}`);
} catch (error) {
	if (!(error instanceof UserError)) throw error;
	console.error(error.message);
	process.exitCode = 1;
}

/** @param {string[]} args */
function createRelease([wanted, ...more]) {
	const { version: current } = /** @type {{ version: string }} */ (readJson('package.json'));
	const changelog = readFileSync(CHANGELOG, 'utf8');
	check(wanted && more.length === 0, 'Say what to release: patch, minor, major or 1.2.3.');
	const version = versionFor(wanted, current);
	const tag = `v${version}`;
	checkRepository(tag);
	checkChangelog(changelog);
	checkStatus();

	writeFileSync(CHANGELOG, release(changelog, version, new Date().toISOString().slice(0, 10)));
	npm('version', version, '--no-git-tag-version', '--allow-same-version');
	git('commit', '--quiet', '--all', '--message', `Release ${version}`);
	git('tag', '--annotate', tag, '--message', version);
	return version;
}

/**
 * @param {string} wanted
 * @param {string} current
 */
function versionFor(wanted, current) {
	const numbers = current.split('.').map(Number);
	const step = STEPS.indexOf(wanted);
	if (step >= 0) {
		return numbers
			.map((number, place) => (place < step ? number : place === step ? number + 1 : 0))
			.join('.');
	}
	check(
		/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(wanted),
		`'${wanted}' is not a version. Use patch, minor, major or 1.2.3.`,
	);
	const isOlder = compareVersions(wanted.split('.').map(Number), numbers) < 0;
	check(!isOlder, `${wanted} is older than ${current}, the version in package.json.`);
	return wanted;
}

/**
 * @param {number[]} one
 * @param {number[]} other
 */
function compareVersions(one, other) {
	return one.map((number, place) => number - (other[place] ?? 0)).find(Boolean) ?? 0;
}

/** @param {string} tag */
function checkRepository(tag) {
	const branch = git('branch', '--show-current');
	check(branch === 'main', `Releases come from main; this is ${branch || 'no branch'}.`);
	const changes = git('status', '--porcelain');
	check(!changes, `There are uncommitted changes:\n${changes}`);
	check(!git('tag', '--list', tag), `The tag ${tag} exists already.`);
}

/** @param {string} changelog */
function checkChangelog(changelog) {
	const news = unreleased(changelog);
	check(news !== undefined, `${CHANGELOG} has no section '## [Unreleased]'.`);
	check(/^- /m.test(news), `Nothing is listed under '## [Unreleased]' in ${CHANGELOG}.`);
}

function checkStatus() {
	for (const file of WITH_STATUS.filter((name) => existsSync(name))) {
		check(!readFileSync(file, 'utf8').includes(EARLY), `${file} still says '${EARLY}'. Remove it.`);
	}
}
