// `node test/queue/main.mjs`: the node in n8n's queue mode, while processes are killed. Arguments are words in the names of tests.
import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installAll } from '../../dev/live/workspace/install.mjs';
import { requireNode, root } from '../../dev/tools/install.mjs';
import { findServers } from '../../dev/tools/servers.mjs';
import { UserError } from '../../dev/tools/userError.mjs';

requireNode();
const servers = findServers();
try {
	await installAll();
} catch (error) {
	if (!(error instanceof UserError)) throw error;
	console.error(error.message);
	console.log('\n0 passed, 1 failed');
	process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-results-'));
const results = join(folder, 'results.tap');

const tests = fork(join(root, 'test/queue/queue.test.mjs'), {
	cwd: root,
	env: { ...process.env, SERVERS: JSON.stringify(servers) },
	execArgv: [
		...process.argv.slice(2).map((words) => `--test-name-pattern=${words}`),
		...['--test-reporter=spec', '--test-reporter-destination=stdout'],
		...['--test-reporter=tap', `--test-reporter-destination=${results}`],
	],
});
// Ctrl+C also reaches the tests, which stop n8n first.
process.on('SIGINT', () => {});
const status = /** @type {number | null} */ (
	await new Promise((resolve) => tests.once('exit', resolve))
);
console.log(`\n${countOf('pass')} passed, ${countOf('fail')} failed`);
rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;

/**
 * Without a count the tests were interrupted, which counts as one failure.
 * @param {'pass' | 'fail'} result
 */
function countOf(result) {
	const count = new RegExp(`^# ${result} (\\d+)$`, 'm').exec(readFileSync(results, 'utf8'))?.[1];
	return Number(count ?? (result === 'fail' ? 1 : 0));
}
