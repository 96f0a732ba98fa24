// `npm run test:live`: the node in a real n8n, in a real browser, with the sandbox beside it.
import { findChromium } from './chromium.mjs';
import { ensureInstalled } from './install.mjs';
import { jest } from './jest.mjs';

ensureInstalled();
const { passed, failed, isPassed } = jest('test/live/jest.config.js', {
	args: process.argv.slice(2),
	env: { CHROMIUM: findChromium() },
});
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = isPassed ? 0 : 1;
