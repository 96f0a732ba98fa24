// `npm run test:live`: the node in a real n8n and a real browser, with the sandbox as the gateway. --journeys runs the main ones only,
// and --install only installs what the tests need.
import { installAll } from '../../dev/live/workspace/install.mjs';
import { findChromium } from '../../dev/tools/chromium.mjs';
import { requireNode } from '../../dev/tools/install.mjs';
import { jest } from '../../dev/tools/jest.mjs';
import { UserError } from '../../dev/tools/userError.mjs';
import { journeys } from './journeys.mjs';

requireNode();
const args = process.argv.slice(2);
const CHROMIUM = findChromium();
try {
	await installAll();
} catch (error) {
	if (!(error instanceof UserError)) throw error;
	console.error(error.message);
	console.log('\n0 passed, 1 failed');
	process.exit(1);
}
if (!args.includes('--install')) {
	const isGate = args.includes('--journeys');
	const { passed, failed } = isGate ? await runJourneys() : await run(args);
	console.log(`\n${passed} passed, ${failed} failed`);
	process.exitCode = failed > 0 ? 1 : 0;
}

async function runJourneys() {
	const titles = Object.values(journeys).flat();
	const pattern = titles.map((title) => title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
	const files = Object.keys(journeys).map((file) => `test/live/${file}`);
	const result = await run([`--testNamePattern=^(${pattern})$`, ...files]);
	const missing = titles.filter((title) => !result.titles.includes(title));
	for (const title of missing) console.log(`Not run: ${title}`);
	return { passed: result.passed, failed: result.failed + missing.length };
}

/** @param {string[]} options */
function run(options) {
	return jest(['--config', 'test/live/jest.config.js', ...options], { CHROMIUM });
}
