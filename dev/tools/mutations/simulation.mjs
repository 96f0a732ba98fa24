// `node dev/tools/mutations/simulation.mjs`: makes one mistake at a time in a copy of the engine. The simulation must find each.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { ensureInstalled, root } from '../install.mjs';
import { mutations } from './simulationList.mjs';

const { values, positionals } = parseArgs({
	options: {
		/** For each mutation, unless it is found earlier. */
		scenarios: { type: 'string', default: '5000' },
		seed: {
			type: 'string',
			default: process.env.TEST_SEED ?? String(Math.floor(Math.random() * 2 ** 30)),
		},
	},
	/** Parts of names; without one, all mutations. */
	allowPositionals: true,
});

ensureInstalled();
const startedAt = performance.now();
const { bundle } = await import('../../../test/simulation/bundle.mjs');
const copy = mkdtempSync(join(tmpdir(), 'messaging-gateway-mutations-'));
const COPIED = [
	'gateway',
	'nodes',
	'test',
	'dev/tools',
	'package.json',
	'tsconfig.json',
	'jest.config.js',
];
for (const name of COPIED) cpSync(join(root, name), join(copy, name), { recursive: true });
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');

/** @returns {string | undefined} how many scenarios it took, and the rule that is violated */
function violatedRule() {
	const program = join(copy, 'simulation.cjs');
	bundle(copy, program);
	const { status, stdout } = spawnSync(process.execPath, [program, values.seed, values.scenarios], {
		encoding: 'utf8',
		timeout: 900_000,
	});
	if (status === 0) return undefined;
	const rule = /ms, (\w+):/.exec(stdout)?.[1] ?? 'the simulation does not end';
	const failed = Number(/seed: (\d+)/.exec(stdout)?.[1] ?? NaN);
	return `${failed - Number(values.seed) + 1}`.padStart(7) + `  ${rule}`;
}

/** Some mistakes only make an account slower, or processes unfair, which the directed scenarios measure. */
function failedTest() {
	const jest = join(root, 'node_modules/jest/bin/jest.js');
	const { status } = spawnSync(
		process.execPath,
		[
			jest,
			`--rootDir=${copy}`,
			'--silent',
			'test/(simulation/(limiter|workers)|nodes/sending/sendAll)',
		],
		{ cwd: copy, stdio: 'ignore', timeout: 300_000 },
	);
	return status === 0 ? undefined : '         directed tests';
}

let passed = 0;
let failed = 0;

/** @param {string} message */
function fail(message) {
	console.error(message);
	failed += 1;
}

const isChosen = ({ name = '' }) =>
	positionals.length === 0 || positionals.some((part) => name.includes(part));

try {
	const unchanged = violatedRule() ?? failedTest();
	if (unchanged) fail(`Without any mutation, the simulation fails: ${unchanged}`);
	console.log('Scenario  Rule                      Mutation');
	for (const { name, file, find, replace } of unchanged ? [] : mutations.filter(isChosen)) {
		const path = join(copy, file);
		const source = readFileSync(path, 'utf8');
		if (source.split(find).length !== 2) {
			fail(`Update simulationList.mjs: ${file} does not contain '${find}' exactly once`);
			continue;
		}
		writeFileSync(
			path,
			source.replace(find, () => replace),
		);
		const found = violatedRule() ?? failedTest();
		writeFileSync(path, source);
		console.log(`${(found ?? '         NOT FOUND').padEnd(35)} ${name}`);
		if (found) passed += 1;
		else failed += 1;
	}
	console.log(`${Math.round((performance.now() - startedAt) / 1_000)} s`);
	console.log(`\n${passed} passed, ${failed} failed`);
	process.exitCode = failed > 0 ? 1 : 0;
} finally {
	rmSync(copy, { recursive: true, force: true });
}
