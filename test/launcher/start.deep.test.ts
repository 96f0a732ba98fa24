import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';

import { Project } from './project';

const OFFLINE = `globalThis.fetch = async () => { throw new TypeError('fetch failed') }`;
const GITHUB_ONLY = `globalThis.fetch = async (url) => new Response(null, { status: new URL(url).host === 'github.com' ? 200 : 404 })`;
const TERMINAL = `Object.defineProperties(process.stdout, { isTTY: { value: true }, columns: { value: 80 } })`;

/** Replaces functions of node:fs, also for modules that import them by name. */
const withFs = (functions: string) =>
	`const { default: fs } = await import('node:fs');
	Object.assign(fs, ${functions});
	(await import('node:module')).syncBuiltinESMExports()`;
const FREE_SPACE = (bytes: number) =>
	withFs(`{ statfsSync: () => ({ bavail: ${bytes}, bsize: 1 }) }`);
const FULL_DISK = withFs(
	`{ mkdirSync() { throw Object.assign(new Error('ENOSPC: no space left on device, mkdir'), { code: 'ENOSPC' }) } }`,
);

jest.setTimeout(120_000);

let project: Project;
beforeEach(async () => {
	project = await Project.create();
});
afterEach(async () => await project.remove());

async function failedStart(options: Parameters<Project['run']>[1] = {}): Promise<string> {
	const { code, output } = await project.outputOf('live/main.mjs', options);
	expect(code).toBe(1);
	expect(output).not.toMatch(/^ +at /m);
	return output;
}

describe('what it prints', () => {
	test('says first how long the first start takes, then one line per step', async () => {
		project.uninstallN8n();
		const start = project.start();
		await start.printed(/Press Ctrl/);
		const [introduction = '', steps = ''] = start.output().split(/(?= {2}1 of \d)| {2}Ready/);
		expect(introduction).toMatch(/first start takes about \d minutes and 3 GB/);
		expect(introduction).toMatch(/installs n8n/);
		expect(steps.trim().split('\n')).toEqual([
			expect.stringMatching(/^1 of 5 {2}Installing n8n \(about \d minutes\)$/),
			expect.stringMatching(/^ {2}2 of 5 {2}Building n8n's database driver \(about/),
			expect.stringMatching(/^ {2}3 of 5 {2}Building the node/),
			expect.stringMatching(/^ {2}4 of 5 {2}Starting n8n and the gateway/),
			expect.stringMatching(/^ {2}5 of 5 {2}Checking the examples/),
		]);
	});

	test('a terminal shows one line with a bar over all steps', async () => {
		project.uninstallN8n();
		const start = project.start({ before: TERMINAL });
		await start.printed(/Press Ctrl/);
		const [, bar = ''] = /continues\.\n\n([^]*?) {2}Ready/.exec(start.output())!;
		expect(bar.trim()).not.toContain('\n');
		const states = bar.split('\r\x1b[2K').filter((state) => state.trim());
		const percents = states.map((state) => Number(/[█░]{10} +(\d+) %/.exec(state)?.[1]));
		expect(percents[0]).toBe(0);
		// No package is there yet, so the time left is not known.
		expect(states[0]).toMatch(/Installing n8n · downloading$/);
		expect(percents.at(-1)).toBeGreaterThan(90);
		expect(percents).toEqual([...percents].sort((one, other) => one - other));
		for (const state of states) {
			expect(state).toMatch(/(left|downloading|takes longer on this machine)$/);
			expect(state.length).toBeLessThan(80);
		}
	});
});

test('imports the examples in the order in which n8n lists them, with their tags', async () => {
	const start = project.start();
	await start.printed(/Press Ctrl/);
	// n8n lists the workflow that was imported last first.
	const names = project
		.requests('POST /rest/workflows')
		.map(({ name }) => (name as string).split('.')[0])
		.reverse();
	expect(names.join(' ')).toBe('1 2 3 4 5 6 7a 7b 7c 8 9a 9b 9c 10 11 11 12 13 13 13 14 15 16');
	const tags = project
		.requests('POST /rest/workflows')
		.map((workflow) => workflow.tags as string[]);
	expect(tags.every((ids) => ids.length > 0)).toBe(true);
	expect(new Set(project.requests('POST /rest/tags').map(({ name }) => name)).size).toBe(
		project.requests('POST /rest/tags').length,
	);
	expect(project.requests('POST /rest/tags')).toContainEqual({ name: 'Start here' });
});

describe('before the download', () => {
	test('names only what is missing', async () => {
		project.uninstallN8n();
		for (const tool of ['python3', 'make']) project.program(`bin/${tool}`, 'exit 0');
		// macOS has such a program before the command line tools are installed.
		project.program('bin/g++', 'echo "no developer tools were found" >&2; exit 1');
		const output = await failedStart({ before: OFFLINE, env: { PATH: project.path() } });
		expect(output).toContain('Missing: a C++ compiler.');
		expect(project.npmCalls()).toEqual([]);
	});

	test('requires no compiler if GitHub has the database driver', async () => {
		project.uninstallN8n('exit 1');
		await failedStart({ before: GITHUB_ONLY, env: { PATH: project.path() } });
		expect(project.npmCalls()).toHaveLength(1);
	});

	test('says how much disk space is missing', async () => {
		project.uninstallN8n();
		const output = await failedStart({ before: FREE_SPACE(1.5e9) });
		expect(output).toMatch(/needs about 3 GB of disk space, but only 1\.5 GB are free/);
		expect(project.npmCalls()).toEqual([]);
	});
});

describe('an installation that fails', () => {
	test.each([
		[
			'without network',
			'echo "npm error code ENOTFOUND"; exit 1',
			/Cannot reach the npm registry\. Check your network/,
		],
		['on a full disk', 'echo "npm error code ENOSPC"; exit 1', /The disk is full/],
		['when npm is killed', 'kill -9 $$', /npm was killed.*memory/],
		[
			'for another reason',
			'echo "npm error code EINTEGRITY"; exit 1',
			/npm failed\.[^]*EINTEGRITY/,
		],
	])('%s says so, and how to continue', async (_, script, message) => {
		project.uninstallN8n(script);
		const output = await failedStart();
		expect(output).toMatch(message);
		expect(output).toContain('run npm start again');
		expect(output).toContain(join('logs', 'install.log'));
	});

	test.each([
		[
			'without a package',
			'echo "npm error notarget No matching version found for @n8n/agents@0.26.2."; exit 1',
			/npm has no @n8n\/agents@0\.26\.2, so this version of n8n cannot be installed\./,
		],
		[
			'without the tools for the database driver',
			'[ "$1" = rebuild ] && echo "gyp ERR! find Python" && exit 1',
			/requires Python 3, make and a C\+\+ compiler/,
		],
	])('%s says so', async (_, script, message) => {
		project.uninstallN8n(script);
		expect(await failedStart()).toMatch(message);
	});
});

describe('ports that are in use', () => {
	const servers: Server[] = [];
	beforeEach(async () => {
		for (const port of [project.ports.n8n, project.ports.sandbox]) {
			const server = createServer().listen(port, '127.0.0.1');
			servers.push(server);
			await once(server, 'listening');
		}
	});
	afterEach(() => servers.splice(0).map((server) => server.close()));

	test('are replaced by the next free ones, which it says', async () => {
		const start = project.start();
		await start.printed(/Press Ctrl/);
		const { n8n, sandbox } = project.ports;
		for (const [name, port, shown] of [
			['n8n', n8n, /Open n8n: http:\/\/127\.0\.0\.1:(\d+)/],
			['the sandbox', sandbox, /http:\/\/127\.0\.0\.1:(\d+)\/_sandbox\/phone/],
		] as const) {
			const [, used] = await start.printed(shown);
			expect(Number(used)).toBeGreaterThan(port);
			expect(start.output()).toContain(`Port ${port} is in use, so ${name} uses ${used}.`);
		}
	});

	test('are named if all are in use', async () => {
		project.edit('live/process/freePort.mjs', 'ATTEMPTS = 100', 'ATTEMPTS = 1');
		const { n8n } = project.ports;
		expect(await failedStart()).toMatch(`ports ${n8n} to ${n8n} of 127.0.0.1 are all in use`);
	});
});

test('a second start says that n8n is running, and prints sign-in, addresses and keys again', async () => {
	const first = project.start();
	await first.printed(/Press Ctrl/);
	const block = /\n {2}1\. Open n8n: .*"Pair it again with example 3"\./s;
	const [shown] = await first.printed(block);
	const { n8n, sandbox } = project.ports;
	expect(shown).toContain(`1. Open n8n: http://127.0.0.1:${n8n}\n`);
	expect(shown).toMatch(/Sign in as owner@example\.com with N8n-\S+\n +2\. Open "1\. Send/);
	const account = readFileSync(join(project.home, 'sandbox/account.json'), 'utf8');
	const { token, secret } = JSON.parse(account) as { token: string; secret: string };
	expect(shown.replace(/^ +/gm, '')).toContain(
		`Base URL  http://127.0.0.1:${sandbox}\nToken     ${token}\nSecret    ${secret}\n`,
	);
	const second = await failedStart();
	expect(second).toContain('n8n is already running. To stop it, press Ctrl+C in its terminal.');
	expect(block.exec(second)?.[0]).toBe(shown);
	const { code, output } = await project.outputOf('live/clean.mjs');
	expect(code).toBe(1);
	expect(output).toMatch(/n8n is running.*Ctrl\+C/);
});

test('a second start during the first says where to look', async () => {
	project.uninstallN8n('sleep 2');
	const first = project.start();
	await first.printed(/The first start takes/);
	expect((await failedStart()).trim()).toBe(
		'npm start is already running in another terminal. Wait until it prints how to sign in, or press Ctrl+C there to stop it.',
	);
	await first.printed(/Press Ctrl\+C to stop/);
});

test('after a crash, waits for the programs of that run, keeps their ports, and says that nothing is lost', async () => {
	const stopsSlowly = "process.on('SIGTERM', () => setTimeout(() => process.exit(), 2_000));";
	const n8n = `${project.n8n}/node_modules/n8n/bin/n8n`;
	project.edit(n8n, 'const tags = [];', `${stopsSlowly}\nconst tags = [];`);
	const NOTE =
		'The last run was killed or crashed. Your workflows and messages are kept, except pictures and files on the phone page.';
	const first = project.start();
	await first.printed(/Press Ctrl/);
	expect(first.output()).not.toContain(NOTE);
	first.kill('SIGKILL');
	await first.exited;

	const second = project.start();
	await second.printed(/Press Ctrl/);
	expect(second.output()).toContain(`  ${NOTE}\n`);
	expect(second.output()).not.toContain('is in use');
	second.kill('SIGTERM');
	await second.exited;

	const third = project.start();
	await third.printed(/Press Ctrl/);
	expect(third.output()).not.toContain(NOTE);
});

test('says that the disk is full', async () => {
	const output = await failedStart({ before: FULL_DISK });
	expect(output).toMatch(/disk is full\. Free up some space, then run npm start again/);
});

test('shows the last lines of the log when n8n does not start', async () => {
	writeFileSync(
		join(project.folder, `${project.n8n}/node_modules/n8n/bin/n8n`),
		'console.error("The database is damaged"); process.exit(1);',
	);
	const output = await failedStart();
	expect(output).toMatch(/n8n did not start\.\n\nThe database is damaged\n/);
	expect(output).toContain('npm run start:clean');
});
