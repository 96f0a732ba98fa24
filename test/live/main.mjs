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
const { passed, failed } = await jest(
	['--config', 'test/live/jest.config.js', ...process.argv.slice(2)],
	{ CHROMIUM },
);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
