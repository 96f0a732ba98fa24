// `node test/compat/main.mjs [VERSION or newest …]`: the same packed node in each known n8n version and the newest one, or in these
// only. With UPDATE=1, the table in docs/testing.md gets the results.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { installPackage } from '../../dev/live/n8n/communityPackage.mjs';
import { installAll } from '../../dev/live/workspace/install.mjs';
import { n8nVersionIn, nodeIn } from '../../dev/live/workspace/paths.mjs';
import { ensureInstalled, root } from '../../dev/tools/install.mjs';
import { jest } from '../../dev/tools/jest.mjs';
import { UserError } from '../../dev/tools/userError.mjs';
import { chosenInstallations } from './chosen.mjs';

ensureInstalled();
const scratch = mkdtempSync(join(tmpdir(), 'messaging-gateway-packed-'));
const packed = join(scratch, 'packed');
/** @type {string[][]} */
const results = [];
let passed = 0;
let failed = 0;
try {
	const chosen = chosenInstallations(process.argv.slice(2));
	await installPackage(packed);
	for (const installation of chosen) {
		const { folder } = installation;
		const versions = [n8nVersionIn(folder), nodeIn(folder)?.version ?? ''];
		console.log(`\n— n8n ${versions.join(' on Node ')}`);
		const counts = await testIn(installation);
		results.push([...versions, counts.summary]);
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

const lines = results.map(([n8n, node, summary]) => `n8n ${n8n} on Node ${node}: ${summary}`);
console.log(`\n${lines.join('\n')}`);
if (process.env.UPDATE) await updateTable();
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** @param {import('./chosen.mjs').Chosen} installation */
async function testIn({ folder, isNewest }) {
	try {
		await installAll(folder);
	} catch (error) {
		if (!(error instanceof UserError)) throw error;
		console.log(error.message);
		// npm can lack a package of a version that has just been published.
		if (isNewest) return { passed: 0, failed: 0, summary: 'npm cannot install it yet' };
		return { passed: 0, failed: 1, summary: 'the installation failed' };
	}
	const counts = await jest(['--config', 'test/compat/jest.config.js'], {
		N8N_INSTALLATION: folder,
		PACKED: packed,
	});
	return { ...counts, summary: `${counts.passed} passed, ${counts.failed} failed` };
}

async function updateTable() {
	const file = join(root, 'docs/testing.md');
	const rows = [['n8n', 'Node', 'Result'], ['-', '-', '-'], ...results];
	const table = rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
	const date = new Date().toISOString().slice(0, 10);
	const block = `<!-- compat -->\n\nOn ${date}:\n\n${table}\n\n<!-- end -->`;
	const text = readFileSync(file, 'utf8').replace(/<!-- compat -->.*?<!-- end -->/s, () => block);
	writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
}
