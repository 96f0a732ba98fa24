import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const LOCK = pathToFileURL(join(__dirname, '../../live/workspace/lock.mjs')).href;

jest.setTimeout(60_000);

let folder: string;
let path: string;
let lock: string;
const programs: ChildProcess[] = [];
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-lock-'));
	path = join(folder, 'cache', 'home');
	lock = `${path}.lock`;
});
afterEach(async () => {
	await Promise.all(programs.splice(0).map(kill));
	rmSync(folder, { recursive: true });
});

async function kill(program: ChildProcess): Promise<void> {
	if (program.exitCode !== null || program.signalCode !== null) return;
	program.kill('SIGKILL');
	await once(program, 'close');
}

/** Starts a program that tries to take the lock, says whether it has it, and keeps running. */
async function start(): Promise<{ program: ChildProcess; said: string }> {
	const script = `
		const { acquireLock } = await import('${LOCK}');
		const release = await acquireLock(process.argv[1]);
		console.log(release ? 'has it' : 'is locked out');
		setInterval(() => {}, 60_000);`;
	const program = spawn(process.execPath, ['--input-type=module', '--eval', script, path], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	programs.push(program);
	const [said] = (await once(program.stdout, 'data')) as [Buffer];
	return { program, said: said.toString().trim() };
}

test('one process at a time has the lock', async () => {
	expect((await start()).said).toBe('has it');
	expect((await start()).said).toBe('is locked out');
});

test.each(['SIGTERM', 'SIGKILL'] as const)('a process that ends by %s frees it', async (signal) => {
	const { program } = await start();
	program.kill(signal);
	await once(program, 'close');
	expect((await start()).said).toBe('has it');
});

const ended = () => spawnSync(process.execPath, ['--version']).pid;

test.each([
	['a process that has ended', () => `${ended()}.1`],
	['a process whose ID a process of the system has now', () => '1.1'],
	['nobody', () => '.DS_Store'],
])('a lock of %s is free', async (_, holder) => {
	mkdirSync(lock, { recursive: true });
	writeFileSync(join(lock, holder()), '');
	expect((await start()).said).toBe('has it');
	expect(readdirSync(lock)).toHaveLength(1);
});

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('a process that has ended frees it before its parent asks for the exit code', async () => {
	const parent = spawn('sh', ['-c', 'sleep 0.5 & echo $!; exec sleep 60'], { stdio: 'pipe' });
	programs.push(parent);
	const pid = String(await once(parent.stdout, 'data')).trim();
	const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ');
	mkdirSync(lock, { recursive: true });
	writeFileSync(join(lock, `${pid}.${stat()[21]}`), '');
	while (stat()[2] !== 'Z') await new Promise((resolve) => setTimeout(resolve, 20));
	expect((await start()).said).toBe('has it');
});

test('of many processes that find a lock of a dead one, one gets it', async () => {
	for (let round = 0; round < 3; round += 1) {
		rmSync(lock, { recursive: true, force: true });
		mkdirSync(lock, { recursive: true });
		writeFileSync(join(lock, `${ended()}.1`), '');
		const said = (await Promise.all(Array.from({ length: 8 }, async () => await start()))).map(
			(run) => run.said,
		);
		expect(said.filter((text) => text === 'has it')).toHaveLength(1);
		await Promise.all(programs.splice(0).map(kill));
	}
	expect(readdirSync(join(path, '..'))).toEqual(['home.lock']);
});

test('another user can write to no folder of it', async () => {
	await start();
	for (const of of [join(path, '..'), lock]) expect(statSync(of).mode & 0o777).toBe(0o700);
});
