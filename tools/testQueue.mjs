// `npm run test:queue`: the node in n8n's queue mode, with what can go wrong there.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-results-'));
const results = join(folder, 'results.tap');

const tests = fork(join(root, 'test/queue/queue.test.mjs'), {
	cwd: root,
	execArgv: [
		...['--test-reporter=spec', '--test-reporter-destination=stdout'],
		...['--test-reporter=tap', `--test-reporter-destination=${results}`],
	],
});
// Ctrl+C reaches the tests, too, and they have something to end.
process.on('SIGINT', () => {});
const [status] = await once(tests, 'exit');
console.log(`\n${counted('pass')} passed, ${counted('fail')} failed`);
rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;

/** Where they were broken off, there is no count; that is one failure. */
function counted(what) {
	const count = new RegExp(`^# ${what} (\\d+)$`, 'm').exec(readFileSync(results, 'utf8'))?.[1];
	return Number(count ?? (what === 'fail' ? 1 : 0));
}
