// `npm run mutations`: makes one mistake at a time in the published source. At least one test must fail.
// `-- gateway/text sending` tries the mistakes of these folders or files only, `--every=1` all of them instead of a sample.
// What was found is in test/mutations/results.json, and is tried again only if the source or the test that found it has changed since. Those that nobody
// can notice are in equivalent.mjs.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';

import { ensureInstalled, root } from '../install.mjs';
import { readJson, writeJson } from '../jsonFile.mjs';
import { EQUIVALENT } from './equivalent.mjs';

const { values, positionals } = parseArgs({
	options: {
		/** One of so many mutations is tried, always the same ones. */
		every: { type: 'string', default: '40' },
		/** How many test files a mutation gets, the likeliest ones first: those that are not found would take minutes. */
		files: { type: 'string', default: '25' },
	},
	allowPositionals: true,
});
/** The others run no published source. */
const TESTS = 'test/(?!launcher|tools|check)';
/** How many mutations are tried at the same time. */
const WORKERS = 2;
const MAX_MS = 3_600_000;
const parse = /** @type {(json: string) => unknown} */ (JSON.parse);
const ENDLESS = 'the tests do not end';
/**
 * Per file of the source, its version, and for each mutation the test file that found it, with its version; empty if none did.
 * @typedef {Record<string, { version?: string, foundBy: Record<string, string> }>} Known
 */
const RESULTS = join(root, 'test/mutations/results.json');
const known = /** @type {Known} */ (readJson(RESULTS) ?? {});

ensureInstalled();
const { instrument } = await import('./instrument.mjs');
const temporary = mkdtempSync(join(tmpdir(), 'messaging-gateway-mutations-'));
const copy = join(temporary, 'project');
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const startedAt = performance.now();
const isChosen = (/** @type {string} */ file) =>
	positionals.length === 0 || positionals.some((part) => file.includes(part));
const all = (await instrument(copy)).filter(({ file }) => isChosen(file));
const isEquivalent = (/** @type {Mutation} */ { file, hash }) =>
	EQUIVALENT.has(`${file} ${hash.toString(36)}`);
const chosen = all.filter(
	(mutation) => mutation.hash % Number(values.every) === 0 && !isEquivalent(mutation),
);
console.log(`${chosen.length} of ${all.length} mutations`);
/** @typedef {import('./instrument.mjs').Mutation} Mutation */
/** How many mutations each test file has found. @type {Map<string, number>} */
const finds = new Map();
/** @type {Array<Mutation & { foundBy?: string }>} */
const remembered = chosen.map((mutation) => ({ ...mutation, foundBy: knownTest(mutation) }));
const results = remembered.filter(({ foundBy }) => foundBy);
const queue = remembered.filter(({ foundBy }) => !foundBy);
console.log(`${results.length} of them were found before, by a test that is the same today`);
const { testsOf, seconds } = await coverage();
// Also if this is interrupted.
process.on('exit', save);
await Promise.all(Array.from({ length: WORKERS }, worker));
report();

function keyOf(/** @type {Mutation} */ { line, mutator, hash }) {
	return `${line} ${mutator} ${hash.toString(36)}`;
}

/** The test that found the mutation, if neither has changed since. */
function knownTest(/** @type {Mutation} */ mutation) {
	const { version, foundBy } = known[mutation.file] ?? {};
	const [test, testVersion] = foundBy?.[keyOf(mutation)]?.split('@') ?? [];
	if (!test || version !== versionOf(mutation.file)) return undefined;
	return testVersion === (versionOf(test) ?? '') ? test : undefined;
}

function versionOf(/** @type {string} */ file) {
	const path = join(root, file);
	if (!existsSync(path)) return undefined;
	return createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 8);
}

function save() {
	for (const { foundBy: test, ...mutation } of results) {
		const version = versionOf(mutation.file);
		const isSame = known[mutation.file]?.version === version;
		const foundBy = isSame ? (known[mutation.file]?.foundBy ?? {}) : {};
		foundBy[keyOf(mutation)] = test ? `${test}@${versionOf(test) ?? ''}` : '';
		known[mutation.file] = { version, foundBy };
	}
	const files = Object.entries(known).filter(([file]) => versionOf(file) !== undefined);
	writeJson(RESULTS, Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** @typedef {{ path: string, isFailed: boolean, seconds: number }} TestResult */

/**
 * Runs Jest in the copy, and returns how each test file ended; undefined if Jest did not end.
 * @param {string[]} options
 * @param {NodeJS.ProcessEnv} env
 */
async function jest(options, env, timeout = MAX_MS) {
	const program = join(root, 'node_modules/jest/bin/jest.js');
	const reporter = join(root, 'dev/tools/mutations/reporter.cjs');
	const args = ['--silent', `--reporters=${reporter}`, `--rootDir=${copy}`, ...options];
	const run = spawn(process.execPath, [program, ...args], {
		cwd: copy,
		stdio: ['ignore', 'pipe', 'ignore'],
		env: { ...process.env, ...env },
		timeout,
	});
	const [printed] = await Promise.all([text(run.stdout), once(run, 'close')]);
	const tests = printed.split('\n').flatMap((line) => {
		if (!line.startsWith('{"path":')) return [];
		const { path, ...result } = /** @type {TestResult} */ (parse(line));
		return { ...result, name: relative(copy, path).replaceAll('\\', '/') };
	});
	return { isEnded: run.exitCode !== null, tests };
}

/** Which test files can reach each mutation, and how long they take. */
async function coverage() {
	const folder = join(temporary, 'coverage');
	mkdirSync(folder);
	const setup = join(root, 'dev/tools/mutations/coverage.cjs');
	const options = [`--setupFilesAfterEnv=${setup}`, `--testPathPatterns=${TESTS}`];
	const all = ['--maxWorkers=2', ...options];
	const { tests, isEnded } = await jest(all, { MUTATION_COVERAGE: folder });
	if (!isEnded) throw new Error('The tests did not end');
	// Some read the source as a text, which the mutations change.
	const failed = tests.filter(({ isFailed }) => isFailed).map(({ name }) => name);
	console.log(`Left out, because they fail without any mutation: ${failed.join(', ') || 'none'}`);
	const seconds = new Map(tests.map(({ name, seconds }) => [name, seconds]));
	/** @type {Map<string, string[]>} */
	const testsOf = new Map();
	for (const name of readdirSync(folder)) {
		/** @typedef {{ file: string, ids: string[] }} Reached */
		const reached = /** @type {Reached} */ (readJson(join(folder, name)));
		const test = relative(copy, reached.file).replaceAll('\\', '/');
		if (failed.includes(test)) continue;
		for (const id of reached.ids) testsOf.set(id, [...(testsOf.get(id) ?? []), test]);
	}
	console.log(`The tests take ${Math.round((performance.now() - startedAt) / 1_000)} s`);
	return { testsOf, seconds };
}

async function worker() {
	for (let mutation = queue.shift(); mutation; mutation = queue.shift()) {
		const foundBy = await findingTest(mutation);
		if (foundBy) finds.set(foundBy, (finds.get(foundBy) ?? 0) + 1);
		results.push({ ...mutation, ...(foundBy && { foundBy }) });
		const done = `${results.length}/${chosen.length}`.padStart(11);
		const { file, line, mutator } = mutation;
		console.log(`${done}  ${foundBy ?? 'NOT FOUND'}  ${file}:${line} ${mutator}`);
	}
}

/**
 * @param {import('./instrument.mjs').Mutation} mutation
 * @returns {Promise<string | undefined>}
 */
async function findingTest({ id, file }) {
	const tests = testsOf.get(id);
	if (!tests) return undefined;
	const folder = dirname(file).replace('/MessagingGateway', '');
	const name = (file.split('/').pop() ?? '').replace(/\..*/, '');
	const isNear = (/** @type {string} */ test) =>
		test.includes(`${folder}/`) || (/sending$/.test(folder) && test.includes('/simulation/'));
	// Those with the name of the file first, then those of its folder, then those that found most, and the fastest ones.
	const cost = (/** @type {string} */ test) =>
		(test.includes(`/${name}.`) ? 0 : 1_000) +
		(isNear(test) ? 0 : 500) -
		Math.min(400, 20 * (finds.get(test) ?? 0)) +
		(seconds.get(test) ?? 0);
	const order = tests.sort((a, b) => cost(a) - cost(b)).slice(0, Number(values.files));
	const usual = order.reduce((sum, test) => sum + (seconds.get(test) ?? 0), 0);
	const sequencer = join(root, 'dev/tools/mutations/sequencer.cjs');
	const options = ['--runInBand', '--bail', `--testSequencer=${sequencer}`, '--runTestsByPath'];
	const env = { MUTATION_ORDER: order.join('\n'), __STRYKER_ACTIVE_MUTANT__: id };
	const paths = order.map((test) => join(copy, test));
	const run = await jest([...options, ...paths], env, 60_000 + Math.round(4_000 * usual));
	return run.tests.find(({ isFailed }) => isFailed)?.name ?? (run.isEnded ? undefined : ENDLESS);
}

function report() {
	/** @type {Map<string, { tried: number, found: number }>} */
	const folders = new Map();
	for (const { file, foundBy } of results) {
		const folder = dirname(file);
		const counts = folders.get(folder) ?? { tried: 0, found: 0 };
		folders.set(folder, { tried: counts.tried + 1, found: counts.found + (foundBy ? 1 : 0) });
	}
	console.log('\nNot found:');
	for (const { file, line, mutator, text, replacement, foundBy } of results) {
		if (foundBy) continue;
		const short = (/** @type {string} */ code) => code.replace(/\s+/g, ' ').slice(0, 70);
		console.log(`  ${file}:${line} ${mutator}: ${short(text)} → ${short(replacement)}`);
	}
	console.log('\n| Folder | Tried | Found | Goal |\n| - | -: | -: | -: |');
	let reached = 0;
	for (const [folder, { tried, found }] of [...folders].sort(([a], [b]) => (a < b ? -1 : 1))) {
		const percent = Math.round((100 * found) / tried);
		const wanted = /^(gateway|credentials)|sending$/.test(folder) ? 90 : 80;
		if (percent >= wanted) reached += 1;
		console.log(`| \`${folder}\` | ${tried} | ${percent} % | ${wanted} % |`);
	}
	console.log(`${Math.round((performance.now() - startedAt) / 1_000)} s`);
	console.log(`\n${reached} passed, ${folders.size - reached} failed`);
	process.exitCode = reached < folders.size ? 1 : 0;
}
