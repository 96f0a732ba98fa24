import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { Project } from './project';

const OLD_NODE = `Object.defineProperty(process.versions, 'node', { value: '18.20.8' })`;

// One for all: it takes as long as a test, because it copies many files.
const project = new Project();
beforeAll(async () => await project.create());
afterEach(() => rmSync(project.home, { recursive: true, force: true }));
afterAll(async () => await project.remove());

test('--help lists ports, folders and how to reset, and starts nothing', async () => {
	const { code, output } = await project.outputOf('dev/live/main.mjs', { args: ['--help'] });
	expect(code).toBe(0);
	expect(output).toContain(`n8n      port ${project.ports.n8n}`);
	expect(output).toContain(`sandbox  port ${project.ports.sandbox}`);
	expect(output).toContain(join(project.folder, project.n8n));
	expect(output).toContain('npm run start:clean');
	expect(existsSync(project.home)).toBe(false);
});

test.each(['dev/live/main.mjs', 'dev/live/clean.mjs'])(
	'%s refuses an unknown argument',
	async (path) => {
		project.write('dev/live/.home/owner.json', '{}');
		const { code, output } = await project.outputOf(path, { args: ['--port=4000'] });
		expect(code).toBe(1);
		expect(output).toBe('Unknown argument: --port=4000. For help, run npm start -- --help.\n');
		expect(readFileSync(join(project.home, 'owner.json'), 'utf8')).toBe('{}');
	},
);

test.each(['dev/live/main.mjs', 'dev/live/clean.mjs', 'dev/tools/sandbox.mjs'])(
	'%s says that Node is too old',
	async (path) => {
		const { code, output } = await project.outputOf(path, { before: OLD_NODE });
		expect(code).toBe(1);
		expect(output.trim()).toBe('Node 18.20.8 is too old. Install Node 20.19 or later.');
	},
);

test('start:clean names what it removes, and where the n8n is that it keeps', async () => {
	project.write('dev/live/.home/owner.json', '{}');
	project.write('dev/live/node_modules/n8n', '');
	const { code, output } = await project.outputOf('dev/live/clean.mjs');
	expect(code).toBe(0);
	expect(output.trim().split('\n')).toEqual([
		`Removing ${project.home}`,
		`Removing ${join(project.folder, 'dev/live/node_modules')}`,
		'',
		'Done. The installed n8n is kept, because other clones of yours may use it:',
		`  ${project.shared}`,
		'If no n8n of theirs is running, you can delete that folder. npm start installs n8n again.',
	]);
	expect(existsSync(project.home)).toBe(false);
	expect(existsSync(join(project.folder, project.n8n, 'node_modules/n8n'))).toBe(true);
});
