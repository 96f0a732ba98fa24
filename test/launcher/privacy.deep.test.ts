import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { sendRequest } from '../harness/client';
import { Project } from './project';

let project: Project;
let home: string;
beforeEach(async () => {
	project = await Project.create();
	home = project.home;
});
afterEach(async () => await project.remove());

/** Runs `npm start` until it is ready, then stops it. Resolves to the control key of the sandbox. */
async function runStart(): Promise<string> {
	const start = project.start();
	await start.printed(/Press Ctrl/);
	const [phone] = await start.printed(/http\S+\/phone/);
	const headers = { 'Sec-Fetch-Site': 'same-origin' };
	const { body } = await sendRequest(`${phone}/key`, { headers });
	start.kill('SIGTERM');
	expect(await start.exited).toBe(0);
	return body.toString();
}

const homeModeAtBuild = () => readFileSync(join(project.folder, 'home-mode'), 'utf8');

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
