import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Workload } from './workload';

/** Starts a file of this folder as a child process and waits for its first message. */
export async function startChild<Message>(
	file: string,
	{ input, env }: { input?: object; env?: NodeJS.ProcessEnv } = {},
): Promise<[ChildProcess, Message]> {
	const child = fork(join(__dirname, file), { env: { ...process.env, ...env } });
	if (input) child.send(input);
	const exited = once(child, 'exit').then(([code, signal]) => {
		throw new Error(`${file} exited with ${code ?? signal} before it sent a message.`);
	});
	const [message] = (await Promise.race([once(child, 'message'), exited])) as [Message];
	return [child, message];
}

/**
 * Runs a series in its own process, so that memory left over from another series does not affect it. n8n reads
 * these variables while it loads; the temporary folder protects the developer's own n8n.
 */
export async function runSeries<Result>(series: string, input: Workload): Promise<Result> {
	const N8N_USER_FOLDER = mkdtempSync(join(tmpdir(), 'messaging-gateway-bench-'));
	const [child, result] = await startChild<Result>(join('series', `${series}.ts`), {
		input,
		env: { N8N_USER_FOLDER, N8N_LOG_LEVEL: 'silent' },
	});
	if (child.exitCode === null) await once(child, 'exit');
	return result;
}

/** The child's side of `runSeries`. */
export function serveSeries<Result extends object, Input extends Workload = Workload>(
	measure: (input: Input) => Promise<Result>,
): void {
	exitWithParent();
	// With retries: a file that is still being written can make the folder non-empty again.
	process.once('exit', () => {
		rmSync(process.env.N8N_USER_FOLDER!, { recursive: true, force: true, maxRetries: 10 });
	});
	process.once('message', (input: Input) => {
		void measure(input).then((result) => {
			process.send?.(result, undefined, undefined, () => process.exit());
		});
	});
}

/** Exits with `process.exit`, so that cleanup on 'exit' also runs after a signal. */
export function exitWithParent(): void {
	process.once('disconnect', () => process.exit(1));
	for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
}
