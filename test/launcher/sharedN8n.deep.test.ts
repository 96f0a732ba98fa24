import { cpSync, existsSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { Project } from './project';

jest.setTimeout(120_000);

const INSTALL_ALL = "await (await import('./live/workspace/install.mjs')).installAll();";

let project: Project;
beforeEach(async () => {
	project = await Project.create();
	project.edit(
		'live/workspace/install.mjs',
		'SECONDS_BETWEEN_LINES = 60',
		'SECONDS_BETWEEN_LINES = 1',
	);
});
afterEach(async () => await project.remove());

describe('the n8n that clones share', () => {
	/** Installs as `npm start` does, and returns the runs of npm. */
	async function installed(): Promise<string[]> {
		project.write('install.mjs', INSTALL_ALL);
		expect(await project.outputOf('install.mjs')).toMatchObject({ code: 0 });
		return project.npmCalls();
	}

	const INSTALL = [
		'ci --loglevel error',
		'rebuild sqlite3 --ignore-scripts=false --foreground-scripts',
	];

	test.each([
		['a package is missing', 'n8n/package.json', INSTALL],
		['the database driver is missing', 'sqlite3', INSTALL.slice(1)],
	])('is repaired if %s', async (_, path, calls) => {
		const modules = join(project.folder, project.n8n, 'node_modules');
		const intact = join(project.folder, 'installed');
		cpSync(modules, intact, { recursive: true });
		project.fakeNpm(`if [ "$1" = ci ]; then rm -rf node_modules; fi
if [ "$1" = rebuild ]; then cp -R '${intact}/sqlite3' node_modules; fi`);
		rmSync(join(modules, path), { recursive: true });
		expect(await installed()).toEqual(calls);
	});

	test('is installed again if the lockfile differs', async () => {
		const before = project.n8n;
		project.fakeNpm('');
		cpSync(join(project.folder, before, 'node_modules'), join(project.folder, 'installed'), {
			recursive: true,
		});
		const lockfile = { packages: { 'node_modules/n8n': { version: '0.0.0' } }, changed: true };
		project.write('live/package-lock.json', lockfile);
		expect(await installed()).toEqual(INSTALL);
		const installations = readdirSync(project.shared).filter((name) => !name.endsWith('.lock'));
		expect(installations).toHaveLength(2);
		expect(realpathSync(join(project.folder, 'live/node_modules'))).toBe(
			join(realpathSync(project.folder), project.n8n, 'node_modules'),
		);
	});

	test('that another process installs is used when it is complete', async () => {
		project.uninstallN8n(`while [ ! -e '${project.folder}/go' ]; do sleep 0.1; done`);
		project.write('install.mjs', INSTALL_ALL);
		const first = project.run('install.mjs');
		while (project.npmCalls().length === 0) await new Promise((next) => setTimeout(next, 50));
		const second = project.run('install.mjs');
		await second.printed(/Another process is installing n8n\. Waiting for it, at most 15 minutes/);
		await second.printed(/Still waiting after/);
		project.write('go', '');
		expect(await first.exited).toBe(0);
		expect(await second.exited).toBe(0);
		expect(project.npmCalls()).toEqual(INSTALL);
		expect(existsSync(join(project.folder, 'live/node_modules/n8n'))).toBe(true);
	});

	test('is only readable by the user', async () => {
		project.uninstallN8n();
		rmSync(join(project.folder, project.n8n), { recursive: true });
		await installed();
		expect(statSync(join(project.folder, project.n8n)).mode & 0o077).toBe(0);
	});
});
