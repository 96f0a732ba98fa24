// `npm run release -- patch|minor|major|1.2.3`: version, changelog, commit and tag, in the repository where it is started.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

import { release, unreleased } from './changelog.mjs';

const CHANGELOG = 'CHANGELOG.md';
const STEPS = ['major', 'minor', 'patch'];

/** A reason to refuse that a person can do something about. */
class Refusal extends Error {}

function refuseUnless(condition, reason) {
	if (!condition) throw new Refusal(reason);
}

const npm = (...args) => execFileSync('npm', args, { shell: process.platform === 'win32' });
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trimEnd();

try {
	const version = released(process.argv.slice(2));
	console.log(`Released ${version} here. To publish it: git push --atomic origin main v${version}`);
} catch (error) {
	if (!(error instanceof Refusal)) throw error;
	console.error(error.message);
	process.exitCode = 1;
}

function released([wanted, ...more]) {
	const current = JSON.parse(readFileSync('package.json', 'utf8')).version;
	const changelog = readFileSync(CHANGELOG, 'utf8');
	refuseUnless(wanted && more.length === 0, 'Say what to release: patch, minor, major or 1.2.3.');
	const version = versionFor(wanted, current);
	const tag = `v${version}`;
	mustBeReady(tag);
	mustHaveNews(changelog);

	writeFileSync(CHANGELOG, release(changelog, version, new Date().toISOString().slice(0, 10)));
	npm('version', version, '--no-git-tag-version', '--allow-same-version');
	git('commit', '--quiet', '--all', '--message', `Release ${version}`);
	git('tag', '--annotate', tag, '--message', version);
	return version;
}

function versionFor(wanted, current) {
	const numbers = current.split('.').map(Number);
	const step = STEPS.indexOf(wanted);
	if (step >= 0) {
		return numbers
			.map((number, place) => (place < step ? number : place === step ? number + 1 : 0))
			.join('.');
	}
	refuseUnless(
		/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(wanted),
		`'${wanted}' is not a version. Say patch, minor, major or 1.2.3.`,
	);
	const isBehind = compared(wanted.split('.').map(Number), numbers) < 0;
	refuseUnless(!isBehind, `${wanted} is older than ${current}, which package.json names already.`);
	return wanted;
}

function compared(one, other) {
	return one.map((number, place) => number - other[place]).find((difference) => difference) ?? 0;
}

function mustBeReady(tag) {
	const branch = git('branch', '--show-current');
	refuseUnless(branch === 'main', `Releases come from main; this is ${branch || 'no branch'}.`);
	const changes = git('status', '--porcelain');
	refuseUnless(!changes, `There are changes that are not committed:\n${changes}`);
	refuseUnless(!git('tag', '--list', tag), `The tag ${tag} exists already.`);
}

function mustHaveNews(changelog) {
	const news = unreleased(changelog);
	refuseUnless(news !== undefined, `${CHANGELOG} has no section '## [Unreleased]'.`);
	refuseUnless(/^- /m.test(news), `Nothing is listed under '## [Unreleased]' in ${CHANGELOG}.`);
}
