import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { readConfigureGlobal } from 'fast-check';

const root = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const filesIn = (folder: string) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.map((path) => path.replaceAll('\\', '/'))
		.filter((path) => path.endsWith('.ts'));

const tests = filesIn('test');

/** These share what they need for a real n8n. */
const WITH_REAL_N8N = /^(live|compat)\//;

test('helpers that the tests of several folders use are in harness/', () => {
	const shared = tests
		.filter((path) => !WITH_REAL_N8N.test(path))
		.flatMap((path) =>
			[...read(`test/${path}`).matchAll(/from '(\.{1,2}\/[^']+)'/g)]
				.map(([, name]) => join(dirname(path), name!))
				.filter((used) => !used.startsWith('..') && dirname(used) !== dirname(path))
				.filter((used) => dirname(used) !== 'harness')
				.map((used) => `${path} uses ${used}`),
		);
	expect(shared).toEqual([]);
});

test('the list of helpers names each file', () => {
	const named = [...read('test/harness/README.md').matchAll(/^\| `([^`]+)`/gm)].map(
		([, name]) => name,
	);
	expect(named.sort()).toEqual(filesIn('test/harness').sort());
});

/** The modules of each published folder, without `.operation` and `.event`, and where their tests are. */
const FOLDERS: Array<[folder: string, testFolder: string]> = [
	['gateway', 'gateway'],
	['credentials', 'credentials'],
	['nodes/MessagingGateway', 'nodes'],
];

const modules = FOLDERS.flatMap(([folder, testFolder]) =>
	filesIn(folder)
		.filter((path) => !/(^|\/)index\.ts$|\.(node|credentials|library|d)\.ts$/.test(path))
		.map((path) => `${testFolder}/${path.replace(/(\.operation|\.event)?\.ts$/, '')}`),
);

/** The list under 'Where the tests are': modules, and the tests of all of them. */
const [, section = ''] = read('docs/testing.md').split('## Where the tests are');
const rows = [...section.matchAll(/^- ([^:]+): ([^:]+?)$(?!\n {2})/gm)].map(([, names, where]) => ({
	names: quoted(names!),
	tests: quoted(where!),
}));

function quoted(text: string): string[] {
	return [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
}

test('each module has its tests under its name, or docs/testing.md says where they are', () => {
	const elsewhere = rows.flatMap(({ names }) => names);
	const own = modules.filter((module) => tests.includes(`${module}.test.ts`));
	const missing = modules.filter((module) => !own.includes(module) && !elsewhere.includes(module));
	expect(missing).toEqual([]);
	expect(elsewhere.filter((module) => !modules.includes(module) || own.includes(module))).toEqual(
		[],
	);
});

test('the tests that docs/testing.md names exist', () => {
	expect(rows.length).toBeGreaterThan(20);
	const names = tests.map((path) => path.replace(/(\.deep)?\.test\.ts$/, ''));
	const folders = tests.map((path) => dirname(path));
	const known = [...names, ...folders];
	const wrong = rows.flatMap((row) => row.tests).filter((name) => !known.includes(name));
	expect(wrong).toEqual([]);
});

test('random tests have a fixed seed, so that a failure comes from the change', () => {
	expect(readConfigureGlobal().seed).toBe(1);
});

test('each journey of the gate is a test of its file', () => {
	const files = [...read('test/live/journeys.mjs').matchAll(/'([^']+\.test\.ts)': \[([^\]]*)\]/g)];
	expect(files.length).toBeGreaterThan(8);
	const missing = files.flatMap(([, file, journeys]) => {
		const titles = textsIn(read(`test/live/${file}`));
		return textsIn(journeys!).filter(
			(journey) =>
				!titles.some((title) => {
					const pieces = title.split(/%[js]|\$\{[^}]*\}/).filter((piece) => piece.length >= 15);
					return pieces[0] === title
						? journey.endsWith(title)
						: pieces.some((piece) => journey.includes(piece));
				}),
		);
	});
	expect(missing).toEqual([]);
});

function textsIn(code: string): string[] {
	return [...code.matchAll(/(['`])([^'`\n]*)\1/g)].map(([, , text]) => text!);
}
