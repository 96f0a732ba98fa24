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
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';

import { freePort } from '../harness/sandboxProgram';

const root = join(__dirname, '..', '..');
const NODE_PACKAGE = `fake-node-${process.platform}-${process.arch}`;

const LOCKFILE = { packages: { 'node_modules/n8n': { version: '0.0.0' } } };

const PUBLISHED = ['nodes', 'credentials', 'gateway'];

/** Like n8n's, this database is created with the default permissions. */
const FAKE_N8N = `
const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const folder = join(process.env.N8N_USER_FOLDER, '.n8n');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'database.sqlite'), 'credentials', { flag: 'a' });
const tags = [];
require('node:http')
	.createServer(async (request, response) => {
		const body = (await request.setEncoding('utf8').toArray()).join('');
		response.setHeader('Set-Cookie', 'n8n-auth=1');
		response.setHeader('Content-Type', 'application/json');
		let data = { id: '1', name: 'Messaging Gateway sandbox', data: {} };
		if (request.url === '/rest/tags') {
			if (request.method === 'POST') tags.push({ id: String(tags.length), ...JSON.parse(body) });
			data = request.method === 'POST' ? tags.at(-1) : tags;
		}
		if (/data-tables\\?/.test(request.url)) data = { data: [] };
		response.end(JSON.stringify({ data }));
	})
	.listen(Number(process.env.N8N_PORT), '127.0.0.1', () => {
		console.log('n8n ready on 127.0.0.1, port ' + process.env.N8N_PORT);
	});
`;

/** The first program that runs: it records the permissions that the home has at that time. */
const FAKE_BUILD = `
const { statSync, writeFileSync } = require('node:fs');
writeFileSync('home-mode', (statSync('live/.home').mode & 0o777).toString(8));
`;

/** All programs write their own files next to those of the launcher, so everything runs with the usual umask. */
const START = `process.umask(0o022); await import(process.argv[1]);`;

/** A started program and what it has printed. */
export interface Run {
	output: () => string;
	/** Resolves when the output matches, and fails when the program exits before. */
	printed: (pattern: RegExp) => Promise<RegExpExecArray>;
	kill: (signal: NodeJS.Signals) => void;
	/** Resolves to the exit code. */
	exited: Promise<number | null>;
}

/** A copy of the launcher and the sandbox, with a fake n8n and a build that compiles nothing. */
export class Project {
	readonly folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-launcher-'));
	readonly home = join(this.folder, 'live', '.home');
	private readonly cache = join(this.folder, 'cache');
	/** Where n8n is installed for all clones of the user. */
	readonly shared = join(this.cache, 'n8n-nodes-messaging-gateway');
	ports = { n8n: 0, sandbox: 0 };

	private readonly runs: Array<{ program: ChildProcess; exited: Promise<unknown> }> = [];

	static async create(): Promise<Project> {
		const project = new Project();
		project.copySources();
		project.installFakes();
		project.ports = { n8n: await freePort(), sandbox: await freePort() };
		project.edit(
			'live/modes/regularMode.mjs',
			'{ n8n: 5678, sandbox: 3021 }',
			JSON.stringify(project.ports),
		);
		return project;
	}

	private copySources() {
		for (const folder of ['live', 'tools', 'sandbox', 'workflows']) {
			const isOwnFile = (path: string) =>
				!/node_modules|\.home|\.sandbox/.test(relative(root, path));
			const to = join(this.folder, folder);
			cpSync(join(root, folder), to, { recursive: true, filter: isOwnFile });
		}
		const files = ['package.json', 'package-lock.json', 'README.md', 'index.js', 'gulpfile.js'];
		for (const path of [...files, 'tsconfig.json', ...PUBLISHED]) {
			cpSync(join(root, path), join(this.folder, path), { recursive: true });
		}
		mkdirSync(join(this.folder, 'node_modules'));
		for (const name of readdirSync(join(root, 'node_modules'))) {
			if (name === 'gulp') continue;
			symlinkSync(join(root, 'node_modules', name), join(this.folder, 'node_modules', name));
		}
	}

	private installFakes() {
		this.write('node_modules/gulp/bin/gulp.js', FAKE_BUILD);
		this.write('live/package.json', {
			dependencies: { n8n: '0.0.0' },
			optionalDependencies: { [NODE_PACKAGE]: '0.0.0' },
		});
		this.write('live/package-lock.json', LOCKFILE);
		this.installN8n();
	}

	/** With programs that only do what the launcher needs. */
	installN8n() {
		this.write(
			`${this.n8n}/package.json`,
			readFileSync(join(this.folder, 'live/package.json'), 'utf8'),
		);
		this.write(`${this.n8n}/package-lock.json`, LOCKFILE);
		const modules = `${this.n8n}/node_modules`;
		this.write(`${modules}/.complete`, '');
		this.write(`${modules}/.package-lock.json`, LOCKFILE);
		this.write(`${modules}/n8n/package.json`, { name: 'n8n' });
		this.write(`${modules}/n8n/bin/n8n`, FAKE_N8N);
		this.write(`${modules}/bcryptjs/index.js`, 'exports.hashSync = () => "hash";');
		this.write(`${modules}/sqlite3/index.js`, '');
		this.program(
			`${modules}/${NODE_PACKAGE}/bin/node`,
			`case "$1" in *registerPackage.cjs) exit 0;; esac\nexec '${process.execPath}' "$@"`,
		);
	}

	/** The path of the installed n8n from the folder of the project. */
	get n8n() {
		const lockfile = readFileSync(join(this.folder, 'live/package-lock.json'));
		const digest = createHash('sha256').update(lockfile).digest('hex').slice(0, 16);
		const name = `n8n-0.0.0-node-0.0.0-${process.platform}-${process.arch}-${digest}`;
		return relative(this.folder, join(this.shared, name));
	}

	write(path: string, content: unknown) {
		const file = join(this.folder, path);
		mkdirSync(join(file, '..'), { recursive: true });
		writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
	}

	/** As on a fresh clone, but with a fake npm. Its installation takes no time and works, unless `script` ends before. */
	uninstallN8n(script = '') {
		const installed = join(this.folder, 'installed');
		renameSync(join(this.folder, this.n8n, 'node_modules'), installed);
		rmSync(join(installed, '.complete'));
		this.fakeNpm(script);
	}

	fakeNpm(script: string) {
		this.program(
			'bin/npm',
			`if [ "$1" = pack ]; then PATH='${process.env.PATH}' exec npm "$@"; fi
PATH=/usr/bin:/bin
echo "$@" >> '${this.folder}/npm-calls'
${script}
if [ "$1" = ci ]; then cp -R '${this.folder}/installed' node_modules; fi`,
		);
	}

	/** The arguments of each run of npm. */
	npmCalls(): string[] {
		const file = join(this.folder, 'npm-calls');
		return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
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

	/** The fake npm, and these folders. */
	path(...folders: Array<string | undefined>): string {
		return [join(this.folder, 'bin'), ...folders].join(delimiter);
	}

	/** Runs a program of the project. `before` is code that runs first, to change the machine that the program sees. */
	run(path: string, { args = [] as string[], before = '', env = {} } = {}): Run {
		const main = join(this.folder, path);
		const program = spawn(
			process.execPath,
			['--input-type=module', '--eval', `${before};${START}`, main, ...args],
			{
				cwd: this.folder,
				stdio: ['ignore', 'pipe', 'pipe'],
				env: {
					...process.env,
					PATH: this.path(process.env.PATH),
					XDG_CACHE_HOME: this.cache,
					...env,
				},
			},
		);
		let output = '';
		const collect = (chunk: Buffer) => (output += chunk.toString());
		program.stdout.on('data', collect);
		program.stderr.on('data', collect);
		const exited = once(program, 'close').then(([code]) => code as number | null);
		this.runs.push({ program, exited });
		const printed = async (pattern: RegExp) => {
			for (;;) {
				const match = pattern.exec(output);
				if (match) return match;
				if (program.exitCode !== null)
					throw new Error(`Exited with ${program.exitCode}: ${output}`);
				const race = new AbortController();
				const more = [program.stdout, program.stderr].map(
					async (stream): Promise<unknown> => await once(stream, 'data', { signal: race.signal }),
				);
				await Promise.race([...more, exited]);
				race.abort();
			}
		};
		return { output: () => output, printed, kill: (signal) => program.kill(signal), exited };
	}

	/** Runs a program to its end. */
	async outputOf(path: string, options: Parameters<Project['run']>[1] = {}) {
		const run = this.run(path, options);
		const code = await run.exited;
		return { code, output: run.output() };
	}

	/** Runs `npm start`. */
	start(options: Parameters<Project['run']>[1] = {}): Run {
		return this.run('live/main.mjs', options);
	}

	async remove() {
		for (const { program, exited } of this.runs) {
			if (program.exitCode === null) program.kill('SIGTERM');
			await exited;
		}
		rmSync(this.folder, { recursive: true });
	}
}
