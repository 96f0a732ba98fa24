// `npm run test:compat [-- VERSION or FOLDER …]`: the same packed node in each known n8n version, or in these only.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installPackage } from '../../live/n8n/communityPackage.mjs';
import { installAll } from '../../live/workspace/install.mjs';
import { n8nVersionIn, nodeIn } from '../../live/workspace/paths.mjs';
import { ensureInstalled } from '../../tools/install.mjs';
import { jest } from '../../tools/jest.mjs';
import { UserError } from '../../tools/userError.mjs';
import { chosenInstallations } from './chosen.mjs';

ensureInstalled();
const scratch = mkdtempSync(join(tmpdir(), 'messaging-gateway-packed-'));
const packed = join(scratch, 'packed');
/** @type {string[]} */
const lines = [];
let passed = 0;
let failed = 0;
try {
	const chosen = chosenInstallations(process.argv.slice(2), scratch);
	await installPackage(packed);
	for (const installation of chosen) {
		const { folder } = installation;
		const name = `n8n ${n8nVersionIn(folder)} on Node ${nodeIn(folder)?.version}`;
		console.log(`\n— ${name}`);
		const counts = await testIn(installation);
		lines.push(`${name}: ${counts.summary}`);
		passed += counts.passed;
		failed += counts.failed;
	}
} catch (error) {
	if (!(error instanceof UserError)) throw error;
	console.error(error.message);
	failed += 1;
} finally {
	rmSync(scratch, { recursive: true, force: true });
}

console.log(`\n${lines.join('\n')}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** @param {import('./chosen.mjs').Chosen} installation */
async function testIn({ folder, isInstalled }) {
	try {
		if (!isInstalled) await installAll(folder);
	} catch (error) {
		if (!(error instanceof UserError)) throw error;
		console.log(error.message);
		return { passed: 0, failed: 1, summary: 'the installation failed' };
	}
	const counts = await jest(['--config', 'test/compat/jest.config.js'], {
		N8N_INSTALLATION: folder,
		PACKED: packed,
	});
	return { ...counts, summary: `${counts.passed} passed, ${counts.failed} failed` };
}
