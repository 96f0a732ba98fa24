import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const LOCK = pathToFileURL(join(__dirname, '../../dev/live/workspace/lock.mjs')).href;

let folder: string;
let path: string;
let lock: string;
const programs: ChildProcess[] = [];
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-lock-'));
	path = join(folder, 'cache', 'home');
	lock = `${path}.lock`;
});
afterEach(() => {
	killAll();
	rmSync(folder, { recursive: true });
});

function killAll() {
	for (const program of programs.splice(0)) program.kill('SIGKILL');
}

/** Starts a program that tries to take the lock and keeps running. Resolves to what it says. */
async function start(): Promise<string> {
	const script = `
		const { acquireLock } = await import('${LOCK}');
		console.log((await acquireLock(process.argv[1])) ? 'has it' : 'is locked out');
		setInterval(() => {}, 60_000);`;
	const program = spawn(process.execPath, ['--input-type=module', '--eval', script, path]);
	programs.push(program);
	return String(await once(program.stdout, 'data')).trim();
}

test('one process has the lock, until it is killed, and another user can write to no folder of it', async () => {
	expect(await start()).toBe('has it');
	expect(await start()).toBe('is locked out');
	for (const of of [join(path, '..'), lock]) expect(statSync(of).mode & 0o777).toBe(0o700);
	programs[0]!.kill('SIGKILL');
	await once(programs[0]!, 'close');
	expect(await start()).toBe('has it');
});

/** Takes the lock as this holder does. */
function holdFor(holder: string) {
	mkdirSync(lock, { recursive: true });
	writeFileSync(join(lock, holder), '');
}

const ended = () => spawnSync(process.execPath, ['--version']).pid;

test('of many processes that find a lock of a dead one, one gets it', async () => {
	for (let round = 0; round < 3; round += 1) {
		rmSync(lock, { recursive: true, force: true });
		holdFor(`${ended()}.1`);
		const said = await Promise.all(Array.from({ length: 8 }, start));
		expect(said.filter((text) => text === 'has it')).toHaveLength(1);
		killAll();
	}
	expect(readdirSync(join(path, '..'))).toEqual(['home.lock']);
});
