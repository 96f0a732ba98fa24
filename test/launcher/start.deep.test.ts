import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { sendRequest } from '../harness/client';
import { FROM_PAGE } from '../harness/eventStream';
import { useProjects } from './project';

const OFFLINE = `globalThis.fetch = async () => { throw new TypeError('fetch failed') }`;

const project = useProjects();

test('says first how long the first start takes, then one line per step', async () => {
	project.uninstallN8n();
	const { output } = await project.started();
	const [introduction = '', steps = ''] = output.split(/(?= {2}1 of \d)| {2}Ready/);
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
	const { n8n, sandbox } = project.ports;
	expect(shown).toContain(`1. Open n8n: http://127.0.0.1:${n8n}\n`);
	expect(shown).toMatch(/Sign in as owner@example\.com with N8n-\S+\n +2\. Open "1\. Send/);
	const account = readFileSync(join(project.home, 'sandbox/account.json'), 'utf8');
	const { token, secret } = JSON.parse(account) as { token: string; secret: string };
	expect(shown.replace(/^ +/gm, '')).toContain(
		`Base URL  http://127.0.0.1:${sandbox}\nToken     ${token}\nSecret    ${secret}\n`,
	);
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
	expect(first.output).toContain(
		'Your changes are kept in dev/live/.home, except pictures and files on the phone page.',
	);
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
