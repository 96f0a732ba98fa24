import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
	chmodSync,
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { sendRequest } from '../harness/client';
import { freePort } from '../sandbox/program';

const root = join(__dirname, '..', '..');
const NODE_PACKAGE = `fake-node-${process.platform}-${process.arch}`;

const PUBLISHED = ['nodes', 'credentials', 'gateway'];

/** Like n8n's, this database is created with the default permissions. */
const FAKE_N8N = `
const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const folder = join(process.env.N8N_USER_FOLDER, '.n8n');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'database.sqlite'), 'credentials', { flag: 'a' });
require('node:http')
	.createServer((request, response) => {
		response.setHeader('Set-Cookie', 'n8n-auth=1');
		response.setHeader('Content-Type', 'application/json');
		response.end(JSON.stringify({ data: { id: '1', name: 'Messaging Gateway sandbox' } }));
	})
	.listen(Number(process.env.N8N_PORT), '127.0.0.1');
console.log('Editor is now accessible');
`;

/** The first program that runs: it records the permissions that the home has at that time. */
const FAKE_BUILD = `
const { statSync, writeFileSync } = require('node:fs');
writeFileSync('home-mode', (statSync('live/.home').mode & 0o777).toString(8));
`;

/** All programs write their own files next to those of the launcher, so everything runs with the usual umask. */
const START = `process.umask(0o022); await import(process.argv[1]);`;

let project: string;
let home: string;
beforeEach(async () => {
	project = mkdtempSync(join(tmpdir(), 'messaging-gateway-launcher-'));
	home = join(project, 'live', '.home');
	await createProject();
});
afterEach(() => rmSync(project, { recursive: true }));

/** A copy of the launcher and the sandbox, with a fake n8n and a build that compiles nothing. */
async function createProject() {
	for (const folder of ['live', 'tools', 'sandbox']) {
		const isOwnFile = (path: string) => !/node_modules|\.home|\.sandbox/.test(relative(root, path));
		cpSync(join(root, folder), join(project, folder), { recursive: true, filter: isOwnFile });
	}
	const files = ['package.json', 'package-lock.json', 'README.md', 'index.js', 'gulpfile.js'];
	for (const path of [...files, 'tsconfig.json', 'tsconfig.build.json', ...PUBLISHED]) {
		cpSync(join(root, path), join(project, path), { recursive: true });
	}
	mkdirSync(join(project, 'node_modules'));
	for (const name of readdirSync(join(root, 'node_modules'))) {
		if (name === 'gulp') continue;
		symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
	}
	write('node_modules/gulp/bin/gulp.js', FAKE_BUILD);

	write('live/package.json', {
		dependencies: { n8n: '0.0.0' },
		optionalDependencies: { [NODE_PACKAGE]: '0.0.0' },
	});
	write('live/package-lock.json', { packages: {} });
	const lockfile = readFileSync(join(project, 'live/package-lock.json'));
	const digest = createHash('sha256').update(lockfile).digest('hex');
	write('live/node_modules/.complete', `${process.platform}-${process.arch} ${digest}`);
	write('live/node_modules/.package-lock.json', { packages: {} });
	write('live/node_modules/n8n/package.json', { name: 'n8n' });
	write('live/node_modules/n8n/bin/n8n', FAKE_N8N);
	write('live/node_modules/bcryptjs/index.js', 'exports.hashSync = () => "hash";');
	const node = `live/node_modules/${NODE_PACKAGE}/bin/node`;
	write(
		node,
		`#!/bin/sh\ncase "$1" in *registerPackage.cjs) exit 0;; esac\nexec '${process.execPath}' "$@"\n`,
	);
	chmodSync(join(project, node), 0o755);

	const mode = join(project, 'live/modes/regularMode.mjs');
	const source = readFileSync(mode, 'utf8');
	const ports = `{ n8n: ${await freePort()}, sandbox: ${await freePort()} }`;
	expect(source).toContain('{ n8n: 5678, sandbox: 3021 }');
	writeFileSync(mode, source.replace('{ n8n: 5678, sandbox: 3021 }', ports));
}

function write(path: string, content: unknown) {
	const file = join(project, path);
	mkdirSync(join(file, '..'), { recursive: true });
	writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

/** Runs `npm start` until it is ready, then stops it. Resolves to the control key of the sandbox. */
async function runStart(): Promise<string> {
	const main = join(project, 'live/main.mjs');
	const program = spawn(process.execPath, ['--input-type=module', '--eval', START, main], {
		cwd: project,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	let controlKey: Promise<string> | undefined;
	const stopWhenReady = (chunk: Buffer) => {
		output += chunk.toString();
		const phone = /Phone +(\S+)[^]*Press Ctrl/.exec(output)?.[1];
		if (phone === undefined || controlKey !== undefined) return;
		controlKey = sendRequest(`${phone}/key`).then(({ body }) => body.toString());
		void controlKey.finally(() => program.kill('SIGTERM'));
	};
	program.stdout.on('data', stopWhenReady);
	program.stderr.on('data', stopWhenReady);
	const [code] = (await once(program, 'close')) as [number];
	if (code !== 0) throw new Error(output);
	return (await controlKey) ?? '';
}

const homeModeAtBuild = () => readFileSync(join(project, 'home-mode'), 'utf8');

const pathsIn = (folder: string) => [
	folder,
	...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
];

/** The paths that other users could read. The installed package is public. */
function readableByOthers(): string[] {
	return pathsIn(home)
		.filter((path) => !path.includes('node_modules'))
		.filter((path) => statSync(path).mode & 0o077)
		.map((path) => `${relative(home, path)} ${(statSync(path).mode & 0o777).toString(8)}`);
}

function secretsInLogs(controlKey: string): string[] {
	const account = JSON.parse(readFileSync(join(home, 'sandbox/account.json'), 'utf8')) as object;
	const owner = JSON.parse(readFileSync(join(home, 'owner.json'), 'utf8')) as { password: string };
	const secrets = [...(Object.values(account) as string[]), owner.password, controlKey];
	expect(secrets).toHaveLength(4);
	const logs = pathsIn(join(home, 'logs')).filter((path) => path.endsWith('.log'));
	expect(logs.map((path) => relative(home, path))).toEqual(
		expect.arrayContaining(['logs/sandbox.log', 'logs/n8n.log']),
	);
	return logs.filter((path) => {
		const content = readFileSync(path, 'utf8');
		return secrets.some((secret) => content.includes(secret));
	});
}

describe('npm start', () => {
	test('creates files that only this user can read, and writes no secret to a log', async () => {
		const controlKey = await runStart();
		expect(homeModeAtBuild()).toBe('700');
		expect(readableByOthers()).toEqual([]);
		expect(secretsInLogs(controlKey)).toEqual([]);
	}, 120_000);

	test('closes a home that an earlier version left open', async () => {
		for (const file of ['logs/sandbox.log', 'logs/install.log', '.n8n/database.sqlite']) {
			mkdirSync(join(home, file, '..'), { recursive: true });
			writeFileSync(join(home, file), 'from an earlier version');
		}
		for (const path of pathsIn(home)) chmodSync(path, statSync(path).isFile() ? 0o644 : 0o755);
		const controlKey = await runStart();
		expect(homeModeAtBuild()).toBe('700');
		expect(readableByOthers()).toEqual([]);
		expect(secretsInLogs(controlKey)).toEqual([]);
		expect(readFileSync(join(home, '.n8n/database.sqlite'), 'utf8')).toContain(
			'an earlier version',
		);
	}, 120_000);
});
