import {
	chmodSync,
	existsSync,
	lchownSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
} from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { sendRequest } from '../harness/client';
import { FROM_PAGE } from '../harness/eventStream';
import { useProjects } from './project';

const NOBODY = 65_534;

/** The program starts, but another one listens first. Until it ends, the launcher has time to send something there. */
const WAIT = `require('node:fs').writeFileSync('starting', '');`;
const FAILS = `${WAIT}
setTimeout(() => {
	console.error("n8n's port is already in use.");
	process.exit(1);
}, 1_000);`;

const project = useProjects();

/** Resolves to what `npm start` has printed when it has failed, because another program was faster to listen on this port. */
async function startWithTaken(port: number, starting: string): Promise<string> {
	const start = project.run('dev/live/main.mjs');
	while (!existsSync(join(project.home, starting))) await delay(20);
	const requests: unknown[] = [];
	const other = createServer((request, response) => {
		requests.push(request.url);
		response.setHeader('Set-Cookie', 'n8n-auth=1');
		response.end('{"data":{"id":"1"}}');
	}).listen(port, '127.0.0.1');
	await once(other, 'listening');
	expect(await start.exited).toBe(1);
	other.close();
	expect(requests).toEqual([]);
	return start.output;
}

test('sends nothing to another program on the port of n8n', async () => {
	project.write(`${project.n8n}/node_modules/n8n/bin/n8n`, FAILS);
	const output = await startWithTaken(project.ports.n8n, 'starting');
	expect(output).toContain("n8n did not start.\n\nn8n's port is already in use.");
});

test('sends nothing to another program on the port of the sandbox', async () => {
	project.write('dev/live/.home/sandbox/account.json', { token: 'token', secret: 'secret' });
	const late = `${WAIT}\nvoid new Promise((resolve) => setTimeout(resolve, 1_000)).then(main).catch(`;
	project.edit('dev/sandbox/main.ts', 'main().catch(', late);
	const output = await startWithTaken(project.ports.sandbox, 'sandbox/starting');
	expect(output).toContain('The sandbox did not start.\n\nThe port is already in use.');
});

// Only root can give a file to another user.
const asRoot = process.getuid?.() === 0 ? test : test.skip;

asRoot('does not use logs that another user has put into an open home', async () => {
	const logs = join(project.home, 'logs');
	mkdirSync(project.home);
	chmodSync(project.home, 0o777);
	symlinkSync(project.folder, logs);
	lchownSync(logs, NOBODY, NOBODY);
	const output = await project.failedStart();
	expect(output).toContain(`${logs} belongs to another user. Delete it, then run npm start again.`);
	expect(existsSync(join(project.folder, 'n8n.log'))).toBe(false);
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
	for (const file of ['logs/sandbox.log', 'logs/install.log', '.n8n/database.sqlite']) {
		project.write(`dev/live/.home/${file}`, 'from an earlier version');
	}
	for (const path of paths()) chmodSync(path, statSync(path).isFile() ? 0o644 : 0o755);
	const start = await project.started();
	const [phone] = await start.printed(/http\S+\/phone/);
	const { body: controlKey } = await sendRequest(`${phone}/key`, { headers: FROM_PAGE });
	expect(await start.stop()).toBe(0);

	const read = (path: string) => readFileSync(join(project.home, path), 'utf8');
	expect(read('../../home-mode')).toBe('700');
	expect(paths().filter(isOpen)).toEqual([]);
	expect(read('.n8n/database.sqlite')).toContain('an earlier version');
	const account = JSON.parse(read('sandbox/account.json')) as Record<'token' | 'secret', string>;
	const { password } = JSON.parse(read('owner.json')) as { password: string };
	const logs = readdirSync(join(project.home, 'logs'));
	expect(logs).toEqual(expect.arrayContaining(['sandbox.log', 'n8n.log']));
	for (const log of logs) {
		for (const secret of [account.token, account.secret, password, controlKey.toString()]) {
			expect(read(`logs/${log}`)).not.toContain(secret);
		}
	}
});
