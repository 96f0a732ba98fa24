import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Starts a file of this folder as a process of its own, and waits for the first thing it says. */
export async function start<Word>(
	file: string,
	{ order, env }: { order?: object; env?: NodeJS.ProcessEnv } = {},
): Promise<[ChildProcess, Word]> {
	const child = fork(join(__dirname, file), { env: { ...process.env, ...env } });
	if (order) child.send(order);
	const ended = once(child, 'exit').then(([code, signal]) => {
		throw new Error(`${file} ended with ${code ?? signal} before it had an answer.`);
	});
	const [word] = (await Promise.race([once(child, 'message'), ended])) as [Word];
	return [child, word];
}

/**
 * One series in a process of its own: what an earlier one left in memory is no part of it. n8n reads
 * these variables while it loads; the folder is to keep it from the developer's own n8n.
 */
export async function apart<Result>(series: string, order: object): Promise<Result> {
	const N8N_USER_FOLDER = mkdtempSync(join(tmpdir(), 'messaging-gateway-bench-'));
	const [child, result] = await start<Result>(join('series', `${series}.ts`), {
		order,
		env: { N8N_USER_FOLDER, N8N_LOG_LEVEL: 'silent' },
	});
	if (child.exitCode === null) await once(child, 'exit');
	return result;
}

/** The other side of `apart`. */
export function answer<Order, Result extends object>(
	work: (order: Order) => Promise<Result>,
): void {
	endWithParent();
	// Again where it was not empty yet: a file may still be on its way to the disk.
	process.once('exit', () => {
		rmSync(process.env.N8N_USER_FOLDER!, { recursive: true, force: true, maxRetries: 10 });
	});
	process.once('message', (order: Order) => {
		void work(order).then((result) => {
			process.send?.(result, undefined, undefined, () => process.exit());
		});
	});
}

/** No process outlives the one that started it, and none ends without tidying up. */
export function endWithParent(): void {
	process.once('disconnect', () => process.exit(1));
	for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
}
