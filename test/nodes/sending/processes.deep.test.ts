/** 20 processes send the same list, with n8n's engine in each. All are killed at a random moment, and started again. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { buildSync } from 'esbuild';

import { chat, sending } from '../../harness/messages';
import { useGateway } from '../../harness/sandboxAccount';
import type { Report } from './listProcess';

const PROCESSES = 20;
const PEOPLE = 20;
/** So that all of them send at the same time. */
const LATENCY_MS = 100;

const root = join(__dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-processes-'));
const program = join(folder, 'listProcess.cjs');
const gateway = useGateway();

beforeAll(() => {
	buildSync({
		entryPoints: [join(__dirname, 'listProcess.ts')],
		outfile: program,
		bundle: true,
		loader: { '.css': 'text' },
		platform: 'node',
		packages: 'external',
		// The harness reads files relative to its own folder.
		define: { __dirname: JSON.stringify(join(root, 'test/harness')) },
	});
});
const running = new Set<ChildProcess>();
afterAll(() => {
	for (const child of running) child.kill('SIGKILL');
	rmSync(folder, { recursive: true });
});

/** Starts a process that has loaded n8n's engine. */
async function startProcess(): Promise<ChildProcess> {
	const env = { ...process.env, NODE_PATH: join(root, 'node_modules') };
	const child = fork(program, { env, execArgv: [] });
	running.add(child);
	child.once('exit', () => running.delete(child));
	await once(child, 'message');
	return child;
}

/** Returns what the process reports, or undefined if it was killed. */
async function sendList(
	child: ChildProcess,
	options: Record<string, unknown>,
): Promise<Report | undefined> {
	const reports: Report[] = [];
	child.on('message', (report: Report) => reports.push(report));
	child.send(
		sending(gateway, {
			items: Array.from({ length: PEOPLE }, (_, at) => ({ json: { to: chat(at), text: 'Hi' } })),
			options,
		}),
	);
	await once(child, 'exit');
	return reports[0];
}

async function requestsReceived(count: number): Promise<void> {
	while (gateway.requests().length < count) await delay(20);
}

const today = () => new Date().toISOString().slice(0, 10);

test('with Once per Person and Day, nobody gets a second message', async () => {
	const options = { idempotencyKey: 'oncePerDay', keyPurpose: 'reminder' };
	gateway.faults([{ latencyMs: LATENCY_MS }]);
	const processes = await Promise.all(Array.from({ length: PROCESSES }, startProcess));
	const days = new Set([today()]);
	let killAt = 0;
	let killed = 0;
	const last = await Promise.all(
		processes.map(async (child) => {
			const first = sendList(child, options);
			killAt += Math.random() * PEOPLE;
			await requestsReceived(killAt);
			child.kill('SIGKILL');
			if (!(await first)) killed += 1;
			return await sendList(await startProcess(), options);
		}),
	);
	days.add(today());
	expect(killed).toBeGreaterThan(0);
	const toEach = Array<unknown>(PEOPLE).fill(expect.stringMatching(/^(sent|duplicate)$/));
	for (const report of last) expect(report).toEqual({ outcomes: toEach });
	const { delivered } = gateway.state();
	expect(new Set(delivered.map(({ chatId }) => chatId)).size).toBe(PEOPLE);
	// At midnight, a person may get the message of both days.
	if (days.size === 1) expect(delivered).toHaveLength(PEOPLE);
	expect(delivered.length).toBeLessThanOrEqual(PEOPLE * days.size);
}, 600_000);
