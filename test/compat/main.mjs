// `npm run test:compat [-- VERSION…]`: the same packed node in each n8n version, or in the given versions only.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installPackage } from '../../live/n8n/communityPackage.mjs';
import { installAll } from '../../live/workspace/install.mjs';
import {
	installation,
	n8nVersionIn,
	nodeIn,
	olderInstallations,
} from '../../live/workspace/paths.mjs';
import { ensureInstalled } from '../../tools/install.mjs';
import { jest } from '../../tools/jest.mjs';
import { UserError } from '../../tools/userError.mjs';

ensureInstalled();
const versions = process.argv.slice(2);
const installations = [installation, ...olderInstallations];
const known = installations.map(n8nVersionIn);
const unknown = versions.filter((version) => !known.includes(version));
if (unknown.length > 0) {
	console.error(
		`This command tests n8n ${known.join(', ')}, not ${unknown.join(', ')}. For another version, add a folder like live/older/${known.at(-1)}/.`,
	);
	process.exit(1);
}
const chosen = installations.filter(
	(folder) => versions.length === 0 || versions.includes(n8nVersionIn(folder)),
);
const packed = mkdtempSync(join(tmpdir(), 'messaging-gateway-packed-'));
/** @type {string[]} */
const lines = [];
let passed = 0;
let failed = 0;
try {
	await installPackage(packed);
	for (const folder of chosen) {
		const name = `n8n ${n8nVersionIn(folder)} on Node ${nodeIn(folder)?.version}`;
		console.log(`\n— ${name}`);
		const counts = await testIn(folder);
		lines.push(`${name}: ${counts.summary}`);
		passed += counts.passed;
		failed += counts.failed;
	}
} finally {
	rmSync(packed, { recursive: true, force: true });
}

console.log(`\n${lines.join('\n')}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** @param {string} folder */
async function testIn(folder) {
	try {
		await installAll(folder);
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
