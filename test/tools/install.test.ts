import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(__dirname, '..', '..');
const INSTALL = pathToFileURL(join(root, 'dev/tools/install.mjs')).href;

const EARLIER = new Date('2025-01-01');
const LATER = new Date('2025-01-02');

const used = { version: '1.0.0', integrity: 'sha512-used' };
const otherPlatform = { version: '2.0.0', integrity: 'sha512-other', optional: true, os: ['none'] };
const LOCKED = { '': { name: 'project' }, 'node_modules/used': used };

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-install-'));
	mkdirSync(join(folder, 'node_modules'));
});
afterEach(() => rmSync(folder, { recursive: true }));

type Packages = Record<string, unknown>;

function writePackages(path: string, packages: Packages, time: Date) {
	const file = join(folder, path);
	writeFileSync(file, JSON.stringify({ lockfileVersion: 3, packages }));
	utimesSync(file, time, time);
}
const writeLockfile = (packages: Packages, time = EARLIER) =>
	writePackages('package-lock.json', packages, time);
/** npm writes this file at the end of an installation. */
const writeInstalled = (packages: Packages, time = LATER) =>
	writePackages('node_modules/.package-lock.json', packages, time);

function isInstalled(): boolean {
	const program = `import { isInstalled } from '${INSTALL}'; console.log(isInstalled(process.argv[1]));`;
	const args = ['--input-type=module', '--eval', program, folder];
	return execFileSync(process.execPath, args, { encoding: 'utf8' }) === 'true\n';
}

describe('isInstalled', () => {
	test('true when an optional package for another platform is missing, and the lockfile is newer', () => {
		writeLockfile({ ...LOCKED, 'node_modules/other': otherPlatform }, LATER);
		writeInstalled({ 'node_modules/used': used }, EARLIER);
		expect(isInstalled()).toBe(true);
	});

	test.each<[string, Packages | undefined]>([
		['nothing is installed', undefined],
		['a package has another version', { 'node_modules/used': { ...used, version: '1.0.1' } }],
		['a package was removed', { 'node_modules/used': used, 'node_modules/removed': used }],
	])('false when %s, even if node_modules is newer', (_, installed) => {
		writeLockfile(LOCKED, EARLIER);
		if (installed) writeInstalled(installed, LATER);
		expect(isInstalled()).toBe(false);
	});
});

test('npm run sandbox installs missing dependencies, and says what to check when that fails', () => {
	cpSync(join(root, 'dev/tools'), join(folder, 'dev/tools'), { recursive: true });
	writeLockfile(LOCKED);
	const npm = '#!/bin/sh\necho "npm error in npm $@" >&2\nexit 1\n';
	writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 });
	const { status, stderr } = spawnSync(process.execPath, ['dev/tools/sandbox.mjs', '--help'], {
		cwd: folder,
		encoding: 'utf8',
		env: { ...process.env, PATH: [folder, process.env.PATH].join(delimiter) },
	});
	expect(status).toBe(1);
	expect(stderr).toBe(
		'npm error in npm ci --loglevel error\nnpm ci failed. Check your network connection and disk space, then try again.\n',
	);
});
