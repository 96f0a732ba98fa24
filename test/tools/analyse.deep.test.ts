import { execSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** A repository whose last commit has a file that the linter rejects. */
let folder: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-analyse-'));
	cpSync(join(root, 'dev/tools'), join(folder, 'dev/tools'), { recursive: true });
	symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
	const files = {
		'.gitignore': 'node_modules\n',
		'package.json': '{}',
		'package-lock.json': '{}',
		'tsconfig.json': '{ "files": ["fine.ts"], "compilerOptions": { "types": [] } }',
		'eslint.config.mjs':
			"export default [{ ignores: ['tools/**'] }, { files: ['wrong.mjs'], rules: { eqeqeq: 'error' } }];",
		'fine.ts': 'export {};\n',
		'wrong.mjs': 'export const isOne = (value) => value == 1;\n',
	};
	for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
	const commit = 'git -c user.name=Test -c user.email=test@example.com commit --message First';
	execSync(`git init --quiet && git add --all && ${commit}`, { cwd: folder });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
	[0, ['--changed']],
	[1, []],
])('exits with %d if it lints %j, and no file differs from the last commit', (status, options) => {
	const program = join(folder, 'dev/tools/analyse.mjs');
	const run = spawnSync('node', [program, ...options], { cwd: folder, encoding: 'utf8' });
	expect([run.status, run.stderr]).toEqual([status, '']);
});
