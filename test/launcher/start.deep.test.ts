import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { sendRequest } from '../harness/client';
import { FROM_PAGE } from '../harness/eventStream';
import { useProjects } from './project';

const OFFLINE = `globalThis.fetch = async () => { throw new TypeError('fetch failed') }`;

const project = useProjects();

test('says first how long the first start takes, then one line per step', async () => {
	project.uninstallN8n();
	const { output } = await project.started();
	expect(output).toMatch(/first start takes about \d minutes and 3 GB[^]*installs n8n[^]* 1 of 5/);
	expect(output).toMatch(/^ {2}1 of 5 {2}Installing n8n \(about \d minutes\)$/m);
	expect(output.match(/^ {2}\d of 5 {2}(?=[A-Z])/gm)).toHaveLength(5);
});

test('names what is missing before the download', async () => {
	project.uninstallN8n();
	for (const tool of ['python3', 'make']) project.program(`bin/${tool}`, 'exit 0');
	// macOS has such a program before the command line tools are installed.
	project.program('bin/g++', 'echo "no developer tools were found" >&2; exit 1');
	const env = { PATH: join(project.folder, 'bin') };
	const output = await project.failedStart({ before: OFFLINE, env });
	expect(output).toContain('Missing: a C++ compiler.');
	expect(project.npmCalls()).toEqual([]);
});

test.each([
	['without network', 'echo "npm error code ENOTFOUND"; exit 1', /registry\. Check your network/],
	['on a full disk', 'echo "npm error code ENOSPC"; exit 1', /The disk is full/],
	['when npm is killed', 'kill -9 $$', /npm was killed.*memory/],
	['for another reason', 'echo "npm error EINTEGRITY"; exit 1', /npm failed\.\n\n.*EINTEGRITY/],
])('an installation that fails %s says so, and how to continue', async (_, script, message) => {
	project.uninstallN8n(script);
	const output = await project.failedStart();
	expect(output).toMatch(message);
	expect(output).toContain('run npm start again');
	expect(output).toContain(join('logs', 'install.log'));
});

test('ports that are in use are replaced by the next free ones, which it says', async () => {
	const { n8n, sandbox } = project.ports;
	const servers = [n8n, sandbox].map((port) => createServer().listen(port, '127.0.0.1'));
	for (const server of servers) if (!server.listening) await once(server, 'listening');
	const start = await project.started();
	for (const [name, port, shown] of [
		['n8n', n8n, /Open n8n: http:\/\/127\.0\.0\.1:(\d+)/],
		['the sandbox', sandbox, /http:\/\/127\.0\.0\.1:(\d+)\/_sandbox\/phone/],
	] as const) {
		const [, used] = await start.printed(shown);
		expect(Number(used)).toBeGreaterThan(port);
		expect(start.output).toContain(`Port ${port} is in use, so ${name} uses ${used}.`);
	}
	for (const server of servers) server.close();
});

test('a second start says that n8n is running, and prints sign-in, addresses and keys again', async () => {
	const first = await project.started();
	const block = /\n {2}1\. Open n8n: .*"Pair it again with example 3"\./s;
	const [shown] = await first.printed(block);
	expect(shown).toContain(`1. Open n8n: http://127.0.0.1:${project.ports.n8n}\n`);
	expect(shown).toMatch(/Sign in as owner@example\.com with N8n-\S+\n/);
	expect(shown).toContain(`Base URL  http://127.0.0.1:${project.ports.sandbox}\n`);
	const second = await project.failedStart();
	expect(second).toContain('n8n is already running. To stop it, press Ctrl+C in its terminal.');
	expect(block.exec(second)?.[0]).toBe(shown);
	const { code, output } = await project.outputOf('dev/live/clean.mjs');
	expect(code).toBe(1);
	expect(output).toMatch(/n8n is running.*Ctrl\+C/);
});

test('after a crash, waits for the programs of that run, keeps their ports, and says that nothing is lost', async () => {
	const stopsSlowly = "process.on('SIGTERM', () => setTimeout(() => process.exit(), 2_000));";
	project.edit(`${project.n8n}/node_modules/n8n/bin/n8n`, '\n', `\n${stopsSlowly}\n`);
	const note =
		'  The last run was killed or crashed. Your workflows and messages are kept, except pictures and files on the phone page.\n';
	const first = await project.started();
	expect(first.output).not.toContain(note);
	await first.stop('SIGKILL');

	const second = await project.started();
	expect(second.output).toContain(note);
	expect(second.output).not.toContain('is in use');
	await second.stop();

	const third = await project.started();
	expect(third.output).not.toContain(note);
});

test('starts with a phone that is paired and online, and keeps it offline over a restart', async () => {
	const first = await project.started();
	expect(first.output).toContain('  Ready. The phone is paired and online. To send');
	const [phone] = await first.printed(/http\S+\/phone/);
	const status = async () => (await sendRequest(phone.replace(/phone$/, 'state'))).json.status;
	expect(await status()).toBe('ONLINE');
	const key = (await sendRequest(`${phone}/key`, { headers: FROM_PAGE })).body.toString();
	await sendRequest(phone.replace(/phone$/, 'status'), {
		method: 'POST',
		headers: { 'Content-Type': 'application/json', 'X-Sandbox-Key': key },
		body: '{"status":"DISCONNECTED"}',
	});
	await first.stop();

	const second = await project.started();
	expect(await status()).toBe('DISCONNECTED');
	expect(second.output).toContain(
		'  Ready. The phone is as you left it: DISCONNECTED. Bring it online on its page. To send',
	);
});

/** The program starts, but another one listens first. Until it ends, the launcher has time to send something there. */
const FAILS = `require('node:fs').writeFileSync('starting', '');
setTimeout(() => {
	console.error("n8n's port is already in use.");
	process.exit(1);
}, 1_000);`;

test('sends nothing to another program on the port of n8n', async () => {
	project.write(`${project.n8n}/node_modules/n8n/bin/n8n`, FAILS);
	const start = project.run('dev/live/main.mjs');
	while (!existsSync(join(project.home, 'starting'))) await delay(20);
	let received = '';
	const other = createServer((socket) => {
		socket.on('data', (bytes) => (received += bytes.toString())).on('error', () => {});
	}).listen(project.ports.n8n, '127.0.0.1');
	expect(await start.exited).toBe(1);
	other.close();
	expect(received).toBe('');
	expect(start.output).toContain("n8n did not start.\n\nn8n's port is already in use.");
});

/** The files and folders of the home. */
const paths = () =>
	['', ...readdirSync(project.home, { recursive: true, encoding: 'utf8' })].map((path) =>
		join(project.home, path),
	);
/** Whether other users can read it. The installed package is public. */
const isOpen = (path: string) =>
	!path.includes('node_modules') && (statSync(path).mode & 0o077) !== 0;

test('closes a home that an earlier version left open, and logs no secrets', async () => {
	project.write('dev/live/.home/.n8n/database.sqlite', 'from an earlier version');
	for (const path of paths()) chmodSync(path, statSync(path).isFile() ? 0o644 : 0o755);
	const start = await project.started();
	const [phone] = await start.printed(/http\S+\/phone/);
	const { body: controlKey } = await sendRequest(`${phone}/key`, { headers: FROM_PAGE });
	expect(await start.stop()).toBe(0);

	const read = (path: string) => readFileSync(join(project.home, path), 'utf8');
	expect(paths().filter(isOpen)).toEqual([]);
	expect(read('.n8n/database.sqlite')).toContain('an earlier version');
	const account = JSON.parse(read('sandbox/account.json')) as Record<'token' | 'secret', string>;
	const { password } = JSON.parse(read('owner.json')) as { password: string };
	const logs = ['sandbox.log', 'n8n.log'].map((log) => read(`logs/${log}`)).join('');
	for (const secret of [account.token, account.secret, password, controlKey.toString()]) {
		expect(logs).not.toContain(secret);
	}
});
