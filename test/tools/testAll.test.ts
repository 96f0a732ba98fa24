import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-all-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `npm run test:all` with an npm that records its arguments and the seed, and then runs `script`. */
function testAll(script: string, ...parts: string[]) {
	const npm = join(folder, 'npm');
	const content = `#!/bin/sh\necho "$3 $TEST_SEED" >> '${folder}/calls'\n${script}\n`;
	writeFileSync(npm, content, { mode: 0o755 });
	const { status, stdout, stderr } = spawnSync('node', ['tools/testAll.mjs', ...parts], {
		cwd: join(__dirname, '../..'),
		encoding: 'utf8',
		env: { ...process.env, PATH: [folder, process.env.PATH].join(delimiter), TEST_SEED: '42' },
	});
	const calls = () => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
	return { status, output: stdout + stderr, calls };
}

test('runs everything in its order, with one seed, and ends with a summary', () => {
	const { status, output, calls } = testAll('echo "3 passed, 0 failed"');
	expect(status).toBe(0);
	const scripts = ['test', 'test:deep', 'mutations', 'simulate:mutations', 'test:live'];
	expect(calls()).toEqual(
		[...scripts, 'test:queue', 'soak', 'bench:quick', 'test:compat'].map(
			(script) => `${script} 42`,
		),
	);
	expect(output).toMatch(/^Seed of the random tests: 42\./);
	expect(output).toMatch(/^mutations +\d+\.\d min {2}6 passed, 0 failed$/m);
	expect(output.trim().split('\n').at(-1)).toBe('27 passed, 0 failed');
});

test('counts what fails, or ends without a count, and continues', () => {
	const script = `case "$3" in
		test:live) echo "2 passed, 1 failed"; exit 1;;
		soak) echo "Cannot start"; exit 1;;
		*) echo "1 passed, 0 failed";;
	esac`;
	const { status, output } = testAll(script, 'live', 'soak', 'queue');
	expect(status).toBe(1);
	expect(output.trim().split('\n').at(-1)).toBe('3 passed, 2 failed');
});
