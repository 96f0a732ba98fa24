import { chmodSync, existsSync, lchownSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { NOBODY, OtherUser } from './otherUser';
import { Project } from './project';

jest.setTimeout(120_000);

/** The program starts, but another user's listens first. Until it ends, the launcher has time to send something there. */
const WAIT = `require('node:fs').writeFileSync('starting', '');`;
const FAILS = `${WAIT}
setTimeout(() => {
	console.error("n8n's port is already in use.");
	process.exit(1);
}, 1_000);`;

let project: Project;
let other: OtherUser | undefined;
beforeEach(async () => {
	project = await Project.create();
});
afterEach(async () => {
	await other?.stop();
	other = undefined;
	await project.remove();
});

/** Resolves to what `npm start` has printed when it has failed, because another user was faster to listen on this port. */
async function startWithTaken(port: number, starting: string): Promise<string> {
	const start = project.start();
	while (!existsSync(join(project.home, starting))) {
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	other = await OtherUser.listen(port);
	expect(await start.exited).toBe(1);
	return start.output();
}

test('sends nothing to a program of another user on the port of n8n', async () => {
	project.write(`${project.n8n}/node_modules/n8n/bin/n8n`, FAILS);
	const output = await startWithTaken(project.ports.n8n, 'starting');
	expect(other?.output).toBe('Listening\n');
	expect(output).toContain("n8n did not start.\n\nn8n's port is already in use.");
});

test('sends nothing to a program of another user on the port of the sandbox', async () => {
	project.write('live/.home/sandbox/account.json', { token: 'token', secret: 'secret' });
	const late = `${WAIT}\nvoid new Promise((resolve) => setTimeout(resolve, 1_000)).then(main).catch(`;
	project.edit('sandbox/main.ts', 'main().catch(', late);
	const output = await startWithTaken(project.ports.sandbox, 'sandbox/starting');
	expect(other?.output).toBe('Listening\n');
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
	const { code, output } = await project.outputOf('live/main.mjs');
	expect(code).toBe(1);
	expect(output).toContain(`${logs} belongs to another user. Delete it, then run npm start again.`);
	expect(existsSync(join(project.folder, 'n8n.log'))).toBe(false);
});
