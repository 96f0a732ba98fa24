import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '../..');

test('the command for versions of n8n names those that it has, and how to add another one', () => {
	const { status, stderr, stdout } = spawnSync(
		'node',
		['test/compat/main.mjs', '3.0.0', '2.20.12'],
		{
			cwd: root,
			encoding: 'utf8',
		},
	);
	expect(status).toBe(1);
	expect(stderr.trim()).toBe(
		'This command tests n8n 2.41.1, 1.123.81, 2.20.12, not 3.0.0. For another version, add a folder like live/older/2.20.12/.',
	);
	expect(stdout).toBe('');
});
