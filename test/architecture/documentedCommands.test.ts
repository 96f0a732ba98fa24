/** The commands in the documents: they run here, in `.ci/run` or in `npm run test:all`, or a reason says why not. */
import { execFileSync } from 'node:child_process';

import packageJson from '../../package.json';
import { documents, files, read } from './repository';

/** Without comments, and a command that continues on the next line as one. */
const commandsOf = (block: string) =>
	block
		.replace(/(?:\\|(\|))\n\s*/g, '$1')
		.split('\n')
		.map((line) => line.replace(/\s+# .*$/, ''))
		.filter((line) => line !== '');

const commands = documents.flatMap((document) =>
	[...read(document).matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block]) => commandsOf(block!)),
);

const NPM = /^(?:[A-Z_]+=\S+ )*npm (?:run )?([\w:-]+)/;

/** Scripts that neither runs: a test does, or they change files. */
const NOT_RUN_ALONE = {
	start: 'test/launcher/start.deep.test.ts',
	sandbox: 'test/sandbox/program.test.ts',
	'check-gateway': 'test/check/checkGateway.test.ts',
	'test:all': 'test/tools/testAll.test.ts',
	fuzz: 'npm run test:deep runs 4,000 other cases',
	simulate: 'npm run test:deep runs 20,000 of its scenarios',
	'simulate:workers': 'prints a table whose limits test/simulation/workers.test.ts checks',
	'test:busy': 'runs all tests ten times',
	'test:times': 'writes test/times.json',
	format: 'changes files; npm test checks the format',
	bench: 'takes an idle machine, and writes bench/results.md',
	'bench:queue': 'takes an idle machine',
	'bench:outbox': 'measures, and has no limit',
	pictures: 'writes docs/pictures/',
	templates: 'test/workflows/templates.test.ts',
};

/** Other commands that are not run here. */
const NOT_RUN: Array<[start: string, reason: string]> = [
	['.ci/run', 'runs the others'],
	['git clone ', 'downloads the repository'],
	['mkdir -p ~/.n8n/nodes ', 'npm run release:dry runs its npm install with the tarball'],
	[
		'cd "$(mktemp -d)" && npm install ',
		'npm run release:dry runs its npm install with the tarball',
	],
	['cd "$(mktemp -d)" && npm pack ', 'needs a release on npm'],
	['claude mcp add ', 'needs that client, which needs an account'],
	['curl ', 'needs n8n: test/live/workflows/commands.test.ts runs it'],
	['url=', 'a part of such a command'],
	['body=', 'a part of such a command'],
	['time=', 'a part of such a command'],
	['signature=', 'a part of such a command'],
];

const SIGNATURE = "printf '%s' '1767225600000example-token";

test('each npm script in a code block runs in CI or at night, or says why not', () => {
	const run = read('.ci/run').replace(/^\s*#.*$/gm, '');
	const night = read('tools/testAll.mjs');
	const named = new Set(commands.flatMap((command) => NPM.exec(command)?.[1] ?? []));
	expect(named.size).toBeGreaterThan(15);
	const known = Object.keys(NOT_RUN_ALONE);
	const runs = (script: string) =>
		new RegExp(`npm (run )?${script}(?![\\w:])`).test(run) || night.includes(`'${script}'`);
	expect([...named].filter((script) => !runs(script) && !known.includes(script))).toEqual([]);
	expect(known.filter((script) => !named.has(script) || runs(script))).toEqual([]);
	expect([...named].filter((script) => !Object.hasOwn(packageJson.scripts, script))).toEqual([]);
	const tests = Object.values(NOT_RUN_ALONE).filter((reason) => /^\S+\.(ts|mjs)$/.test(reason));
	expect(tests.filter((path) => !files.includes(path))).toEqual([]);
});

test('each other command in a code block runs in a test, or says why not', () => {
	const others = commands.filter((command) => !NPM.test(command));
	const starts = [SIGNATURE, ...NOT_RUN.map(([start]) => start)];
	const startOf = (command: string) => starts.find((start) => command.startsWith(start));
	expect(others.filter((command) => !startOf(command))).toEqual([]);
	expect(starts.filter((start) => !others.some((command) => startOf(command) === start))).toEqual(
		[],
	);
});

test('the command of the API document prints the signature of its first example', () => {
	const [command] = commands.filter((line) => line.startsWith(SIGNATURE));
	const printed = execFileSync('sh', ['-c', command!], { encoding: 'utf8' });
	const [, signature] = /^X-API-Signature: ([\da-f]{64})$/m.exec(read('docs/gateway-api.md'))!;
	expect(printed.trim().split(' ').at(-1)).toBe(signature);
});

/** Where the options of a script are declared. */
const OPTIONS_IN: Record<string, string> = {
	sandbox: 'sandbox/main.ts',
	simulate: 'test/simulation/command.ts',
	start: 'live/main.mjs',
};

test('each option of a script exists', () => {
	const used = documents.flatMap((document) =>
		[...read(document).matchAll(/\bnpm (?:run )?([\w:]+) -- ((?:--[\w-]+[=\w…]* ?)+)/g)].flatMap(
			([, script, options]) =>
				[...options!.matchAll(/--([\w-]+)/g)].map(([, option]) => ({ script, option })),
		),
	);
	expect(used.length).toBeGreaterThan(7);
	const exists = ({ script, option }: { script?: string; option?: string }) =>
		new RegExp(`\\b${option}: \\{ type: |'--${option}'`).test(read(OPTIONS_IN[script!]!));
	expect(used.filter((option) => !exists(option))).toEqual([]);
});

/** Variables that belong to n8n, Node.js or an example in the shell. */
const NOT_OURS = /^(N8N_|QUEUE_|EXECUTIONS_|WEBHOOK_URL$|NODE_ENV$)/;

test('the code reads each environment variable that a document sets', () => {
	const code = files.filter((path) => /^(test|tools|bench|sandbox|live)\/.*\.(ts|mjs)$/.test(path));
	const source = code.map(read).join('\n');
	const set = documents.flatMap((document) =>
		[...read(document).matchAll(/(?:^|[`\s])([A-Z][A-Z_]+)=(?=[\d…])/gm)].map(
			([, variable]) => variable!,
		),
	);
	const ours = [...new Set(set)].filter((variable) => !NOT_OURS.test(variable));
	expect(ours.sort()).toEqual([
		'CALLS',
		'CALLS_IN_TROUBLE',
		'FUZZ_CASES',
		'FUZZ_SEED',
		'SENDING_SEED',
		'TEST_SEED',
	]);
	expect(ours.filter((name) => !new RegExp(`\\b${name}\\b`).test(source))).toEqual([]);
});
