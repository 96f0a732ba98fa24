// `npm run test:compat`: the same packed node in one n8n after the other. With versions after `--`, in those only.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installPackage } from '../live/communityPackage.mjs';
import { installAll } from '../live/installation.mjs';
import { live, n8nIn, older } from '../live/places.mjs';
import { Trouble } from '../live/trouble.mjs';
import { ensureInstalled } from './install.mjs';
import { jest } from './jest.mjs';

ensureInstalled();
const chosen = process.argv.slice(2);
const packed = mkdtempSync(join(tmpdir(), 'messaging-gateway-packed-'));
const results = [];
try {
	await installPackage(packed);
	for (const place of [live, ...older]) {
		const n8n = n8nIn(place);
		if (chosen.length === 0 || chosen.includes(n8n.version)) results.push(await tried(n8n));
	}
} finally {
	rmSync(packed, { recursive: true, force: true });
}

const sum = (what) => results.reduce((total, result) => total + result[what], 0);
console.log(`\n${results.map(({ line }) => line).join('\n')}`);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = results.length > 0 && sum('failed') === 0 ? 0 : 1;

async function tried({ version, place, node }) {
	const name = `n8n ${version} on Node ${node?.version}`;
	console.log(`\n— ${name}`);
	try {
		await installAll(place);
	} catch (error) {
		if (!(error instanceof Trouble)) throw error;
		console.log(error.message);
		return { passed: 0, failed: 1, line: `${name}: does not install` };
	}
	const { passed, failed, isPassed } = jest('test/compat/jest.config.js', {
		env: { N8N_PLACE: place, PACKED: packed },
	});
	const result = { passed, failed: isPassed ? 0 : Math.max(failed, 1) };
	return { ...result, line: `${name}: ${result.passed} passed, ${result.failed} failed` };
}
