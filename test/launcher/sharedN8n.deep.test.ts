import { existsSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { useProjects } from './project';

const INSTALL_ALL = "await (await import('./live/workspace/install.mjs')).installAll();";
const REBUILD = 'rebuild sqlite3 --ignore-scripts=false --foreground-scripts';
const INSTALL = ['ci --loglevel error', REBUILD];

const project = useProjects();
const inFolder = (path: string) => join(project.folder, path);

describe('the n8n that clones share', () => {
	/** Installs as `npm start` does, and returns the runs of npm. */
	async function installed(): Promise<string[]> {
		project.write('install.mjs', INSTALL_ALL);
		expect(await project.outputOf('install.mjs')).toMatchObject({ code: 0 });
		return project.npmCalls();
	}

	test.each([
		['a package is missing', 'n8n/package.json', INSTALL],
		['the database driver is missing', 'sqlite3', [REBUILD]],
	])('is repaired if %s', async (_, path, calls) => {
		rmSync(inFolder(`${project.n8n}/node_modules/${path}`), { recursive: true });
		expect(await installed()).toEqual(calls);
	});

	test('is installed again if the lockfile differs', async () => {
		project.edit('dev/live/package-lock.json', '{', '{ "changed": true, ');
		expect(await installed()).toEqual(INSTALL);
		const installations = readdirSync(project.shared).filter((name) => !name.endsWith('.lock'));
		expect(installations).toHaveLength(2);
		expect(realpathSync(inFolder('dev/live/node_modules'))).toBe(
			realpathSync(inFolder(`${project.n8n}/node_modules`)),
		);
	});

	test('that another process installs is used when it is complete, and only the user can read it', async () => {
		const seconds = 'SECONDS_BETWEEN_LINES =';
		project.edit('dev/live/workspace/install.mjs', `${seconds} 60`, `${seconds} 1`);
		project.uninstallN8n(`while [ ! -e '${project.folder}/go' ]; do sleep 0.1; done`);
		project.write('install.mjs', INSTALL_ALL);
		const first = project.run('install.mjs');
		while (project.npmCalls().length === 0) await delay(50);
		const second = project.run('install.mjs');
		await second.printed(/Another process is installing n8n\. Waiting for it, at most 15 minutes/);
		await second.printed(/Still waiting after/);
		project.write('go', '');
		expect(await first.exited).toBe(0);
		expect(await second.exited).toBe(0);
		expect(project.npmCalls()).toEqual(INSTALL);
		expect(existsSync(inFolder('dev/live/node_modules/n8n'))).toBe(true);
		expect(statSync(inFolder(project.n8n)).mode & 0o077).toBe(0);
	});
});
