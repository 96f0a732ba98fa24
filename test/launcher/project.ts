import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
	chmodSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { freePort } from '../harness/sandboxProgram';

const root = join(__dirname, '..', '..');
const SOURCES = [
	...['dev', 'examples', 'nodes', 'credentials', 'gateway'],
	...['package.json', 'package-lock.json', 'README.md', 'index.js', 'gulpfile.js', 'tsconfig.json'],
];
const NODE_PACKAGE = `fake-node-${process.platform}-${process.arch}`;
const LOCKFILE = { packages: { 'node_modules/n8n': { version: '0.0.0' } } };

/** Like n8n's, this database is created with the default permissions. */
const FAKE_N8N = `
const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const folder = join(process.env.N8N_USER_FOLDER, '.n8n');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'database.sqlite'), 'credentials', { flag: 'a' });
const server = require('node:http').createServer((request, response) =>
	request.resume().on('end', () => {
		const isList = request.method === 'GET' && request.url === '/rest/tags';
		response.setHeader('Set-Cookie', 'n8n-auth=1');
		response.end(JSON.stringify({ data: isList ? [] : { id: '1', name: 'Name', data: [] } }));
	}),
);
server.listen(Number(process.env.N8N_PORT), '127.0.0.1', () => {
	console.log('n8n ready on 127.0.0.1, port ' + process.env.N8N_PORT);
});
`;

interface RunOptions {
	args?: string[];
	/** Code that runs first, to change the machine that the program sees. */
	before?: string;
	env?: NodeJS.ProcessEnv;
}

/** A started program and what it has printed. */
class Run {
	output = '';
	readonly exited: Promise<number | null>;

	constructor(private readonly program: ChildProcess) {
		const collect = (chunk: Buffer) => (this.output += chunk.toString());
		program.stdout!.on('data', collect);
		program.stderr!.on('data', collect);
		this.exited = once(program, 'close').then(([code]) => code as number | null);
	}

	/** Resolves when the output matches, and fails when the program exits before. */
	async printed(pattern: RegExp): Promise<RegExpExecArray> {
		for (;;) {
			const match = pattern.exec(this.output);
			if (match) return match;
			const { exitCode } = this.program;
			if (exitCode !== null) throw new Error(`Exited with ${exitCode}: ${this.output}`);
			await delay(20);
		}
	}

	/** Resolves to the exit code. */
	async stop(signal: NodeJS.Signals = 'SIGTERM') {
		this.program.kill(signal);
		return await this.exited;
	}
}

/** A copy of the launcher and the sandbox, with a fake n8n, a fake npm, and a build that compiles nothing. */
export class Project {
	folder = '';
	ports = { n8n: 0, sandbox: 0 };
	readonly #runs: Run[] = [];

	get home() {
		return join(this.folder, 'dev/live', '.home');
	}

	/** Where n8n is installed for all clones of the user. */
	get shared() {
		return join(this.folder, 'cache', 'n8n-nodes-messaging-gateway');
	}

	/** The path of the installed n8n from the folder of the project. */
	get n8n() {
		const lockfile = readFileSync(join(this.folder, 'dev/live/package-lock.json'));
		const digest = createHash('sha256').update(lockfile).digest('hex').slice(0, 16);
		const name = `n8n-0.0.0-node-0.0.0-${process.platform}-${process.arch}-${digest}`;
		return relative(this.folder, join(this.shared, name));
	}

	async create() {
		this.folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-launcher-'));
		const filter = (path: string) => !/node_modules|\.home|\.sandbox/.test(relative(root, path));
		for (const path of SOURCES) {
			cpSync(join(root, path), join(this.folder, path), { recursive: true, filter });
		}
		mkdirSync(join(this.folder, 'node_modules'));
		for (const name of readdirSync(join(root, 'node_modules'))) {
			if (name === 'gulp') continue;
			symlinkSync(join(root, 'node_modules', name), join(this.folder, 'node_modules', name));
		}
		this.installFakes();
		this.ports = { n8n: await freePort(), sandbox: await freePort() };
		const ports = JSON.stringify(this.ports);
		this.edit('dev/live/modes/regularMode.mjs', '{ n8n: 5678, sandbox: 3021 }', ports);
	}

	/** Programs that only do what the launcher needs. The fake npm installs n8n from the folder `installed`. */
	private installFakes() {
		this.write('node_modules/gulp/bin/gulp.js', '');
		this.write('dev/live/package.json', {
			dependencies: { n8n: '0.0.0' },
			optionalDependencies: { [NODE_PACKAGE]: '0.0.0' },
		});
		this.write('dev/live/package-lock.json', LOCKFILE);
		this.write('installed/.package-lock.json', LOCKFILE);
		this.write('installed/n8n/package.json', { name: 'n8n' });
		this.write('installed/n8n/bin/n8n', FAKE_N8N);
		this.write('installed/bcryptjs/index.js', 'exports.hashSync = () => "hash";');
		this.write('installed/sqlite3/index.js', '');
		this.program(
			`installed/${NODE_PACKAGE}/bin/node`,
			`case "$1" in *registerPackage.cjs) exit 0;; esac\nexec '${process.execPath}' "$@"`,
		);
		const n8n = join(this.folder, this.n8n);
		cpSync(join(this.folder, 'installed'), join(n8n, 'node_modules'), { recursive: true });
		this.write(join(this.n8n, 'node_modules/.complete'), '');
		for (const file of ['package.json', 'package-lock.json']) {
			cpSync(join(this.folder, 'dev/live', file), join(n8n, file));
		}
		this.fakeNpm();
	}

	/** As on a fresh clone. */
	uninstallN8n(script = '') {
		rmSync(join(this.folder, this.n8n), { recursive: true });
		this.fakeNpm(script);
	}

	/** Its installation takes no time and works, unless `script` ends before. */
	private fakeNpm(script = '') {
		this.program(
			'bin/npm',
			`if [ "$1" = pack ]; then PATH='${process.env.PATH}' exec npm "$@"; fi
PATH=/usr/bin:/bin
echo "$@" >> '${this.folder}/npm-calls'
${script}
if [ "$1" = ci ]; then rm -rf node_modules; cp -R '${this.folder}/installed' node_modules; fi
if [ "$1" = rebuild ]; then cp -R '${this.folder}/installed/sqlite3' node_modules; fi`,
		);
	}

	/** The arguments of each run of npm. */
	npmCalls(): string[] {
		const file = join(this.folder, 'npm-calls');
		return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
	}

	write(path: string, content: unknown) {
		const file = join(this.folder, path);
		mkdirSync(join(file, '..'), { recursive: true });
		writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
	}

	/** A shell script. */
	program(path: string, script: string) {
		this.write(path, `#!/bin/sh\n${script}\n`);
		chmodSync(join(this.folder, path), 0o755);
	}

	edit(path: string, from: string, to: string) {
		const source = readFileSync(join(this.folder, path), 'utf8');
		expect(source).toContain(from);
		this.write(path, source.replace(from, to));
	}

	/** Runs a program of the project. Programs write files next to those of the launcher, so all run with the usual umask. */
	run(path: string, { args = [], before = '', env = {} }: RunOptions = {}): Run {
		const code = `${before}; process.umask(0o022); await import(process.argv[1]);`;
		const main = join(this.folder, path);
		const program = spawn(
			process.execPath,
			['--input-type=module', '--eval', code, main, ...args],
			{
				cwd: this.folder,
				env: {
					...process.env,
					PATH: [join(this.folder, 'bin'), process.env.PATH].join(delimiter),
					XDG_CACHE_HOME: join(this.folder, 'cache'),
					...env,
				},
			},
		);
		const run = new Run(program);
		this.#runs.push(run);
		return run;
	}

	/** Runs a program to its end. */
	async outputOf(path: string, options: RunOptions = {}) {
		const run = this.run(path, options);
		const code = await run.exited;
		return { code, output: run.output };
	}

	/** Runs `npm start` until it is ready. */
	async started(): Promise<Run> {
		const start = this.run('dev/live/main.mjs');
		await start.printed(/Press Ctrl/);
		return start;
	}

	/** The output of an `npm start` that must fail. */
	async failedStart(options: RunOptions = {}): Promise<string> {
		const { code, output } = await this.outputOf('dev/live/main.mjs', options);
		expect(code).toBe(1);
		expect(output).not.toMatch(/^ +at /m);
		return output;
	}

	async remove() {
		for (const run of this.#runs.splice(0)) await run.stop();
		rmSync(this.folder, { recursive: true });
	}
}

/** A new project for each test. */
export function useProjects(): Project {
	const project = new Project();
	beforeEach(async () => await project.create());
	afterEach(async () => await project.remove());
	return project;
}
