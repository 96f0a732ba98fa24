// `npm run test:live`: the node in a real n8n and a real browser, with the sandbox as the gateway.
import { installAll } from '../../live/workspace/install.mjs';
import { findChromium } from '../../tools/chromium.mjs';
import { requireNode } from '../../tools/install.mjs';
import { jest } from '../../tools/jest.mjs';
import { UserError } from '../../tools/userError.mjs';

requireNode();
const CHROMIUM = findChromium();
try {
	await installAll();
} catch (error) {
	if (!(error instanceof UserError)) throw error;
	console.error(error.message);
	console.log('\n0 passed, 1 failed');
	process.exit(1);
}
const args = process.argv.slice(2);
const { passed, failed } = await jest(
	// For a few tests, a second n8n is not worth its start.
	['--config', 'test/live/jest.config.js', ...(args.length > 0 ? ['--maxWorkers=1'] : []), ...args],
	{ CHROMIUM },
);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
