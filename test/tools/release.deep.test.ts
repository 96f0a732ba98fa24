import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = join(__dirname, '../../dev/tools/release.mjs');

const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- Something new.

## [1.2.3] - 2025-01-31

- Something old.
`;

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-release-'));
	write('package.json', '{ "name": "released", "version": "1.2.3" }');
	const name = '"name": "released", "version": "1.2.3"';
	write('package-lock.json', `{ ${name}, "lockfileVersion": 3, "packages": { "": { ${name} } } }`);
	write('CHANGELOG.md', CHANGELOG);
	git('init', '--quiet', '--initial-branch', 'main');
	git('config', 'user.name', 'Test author');
	git('config', 'user.email', 'author@example.com');
	commit();
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const commit = () => git('add', '.') + git('commit', '--quiet', '--message', 'Work');

/** Isolates git from the repository and the configuration of the user who runs the tests. */
const env = {
	...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
	GIT_CONFIG_GLOBAL: '',
};

const git = (...args: string[]) =>
	execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' }).trim();

const release = (...args: string[]) =>
	spawnSync(process.execPath, [PROGRAM, ...args], { cwd: folder, env, encoding: 'utf8' });

test.each([
	['patch', '1.2.4'],
	['1.10.0', '1.10.0'],
])('%s updates package.json, changelog, commit and tag to %s', (wanted, version) => {
	const { status, stdout } = release(wanted);
	expect(status).toBe(0);
	expect(stdout).toContain(`git push --atomic origin main v${version}`);
	for (const file of ['package.json', 'package-lock.json']) {
		expect(JSON.parse(read(file))).toMatchObject({ version });
	}
	const today = new Date().toISOString().slice(0, 10);
	expect(read('CHANGELOG.md')).toBe(
		CHANGELOG.replace('[Unreleased]\n', `[Unreleased]\n\n## [${version}] - ${today}\n`),
	);
	expect(git('log', '-1', '--format=%s')).toBe(`Release ${version}`);
	expect(git('describe', '--exact-match')).toBe(`v${version}`);
	expect(git('status', '--porcelain')).toBe('');
});

/** A release that must be rejected: what is wrong, with which arguments, and the reason it must name. */
const REJECTED: Array<[string, () => unknown, string[], string]> = [
	['an older version', () => {}, ['1.2.2'], '1.2.2 is older than 1.2.3'],
	['an untracked file', () => write('new.txt', ''), ['patch'], '?? new.txt'],
	['a tag that exists', () => git('tag', 'v1.3.0'), ['minor'], 'The tag v1.3.0 exists already'],
	['a README that still says so', sayNotOnNpm, ['patch'], "README.md still says 'is not on npm"],
	['no new entries', listNothing, ['patch'], 'Nothing is listed'],
];

function sayNotOnNpm() {
	write('README.md', 'Version 0.1.0 is not on npm yet.');
	commit();
}

function listNothing() {
	write('CHANGELOG.md', CHANGELOG.replace('- Something new.\n', ''));
	commit();
}

test.each(REJECTED)('rejects %s without changing anything', (_, prepare, args, reason) => {
	prepare();
	const state = () => [
		...[git('rev-parse', 'HEAD'), git('tag'), git('status', '--porcelain')],
		...['package.json', 'package-lock.json', 'CHANGELOG.md'].map(read),
	];
	const before = state();
	const { status, stderr } = release(...args);
	expect(status).toBe(1);
	expect(stderr).toContain(reason);
	expect(stderr).not.toContain('    at ');
	expect(state()).toEqual(before);
});
