import { spawnSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(__dirname, '..', '..');
const INSTALL = pathToFileURL(join(root, 'tools/install.mjs')).href;

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
	const program = `import { isInstalled } from '${INSTALL}'; console.log(isInstalled(${JSON.stringify(folder)}));`;
	const { stdout, stderr } = spawnSync(
		process.execPath,
		['--input-type=module', '--eval', program],
		{ encoding: 'utf8' },
	);
	expect(stderr).toBe('');
	return stdout.trim() === 'true';
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

describe('npm run sandbox', () => {
	/** Runs it with an npm that only records its arguments, and then runs `script`. */
	function runSandbox(script = '') {
		for (const part of ['tools', 'sandbox']) {
			cpSync(join(root, part), join(folder, part), { recursive: true });
		}
		const npm = `#!/bin/sh\necho "$@" >> npm-calls\n${script}\n`;
		writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 });
		const run = spawnSync(process.execPath, ['tools/sandbox.mjs', '--help'], {
			...{ cwd: folder, encoding: 'utf8' },
			env: { ...process.env, PATH: [folder, process.env.PATH].join(delimiter) },
		});
		const calls = join(folder, 'npm-calls');
		return { ...run, calls: existsSync(calls) ? readFileSync(calls, 'utf8') : '' };
	}

	test('installs missing dependencies, and says what to check when that fails', () => {
		writeLockfile(LOCKED);
		const { calls, status, stderr } = runSandbox('echo "npm error code ENOTFOUND" >&2; exit 1');
		expect([calls, status]).toEqual(['ci --loglevel error\n', 1]);
		expect(stderr).toBe(
			'npm error code ENOTFOUND\nnpm ci failed. Check your network connection and disk space, then try again.\n',
		);
	});
});
