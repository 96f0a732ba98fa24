import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Starts a file of `bench/` as a child process, which ends with this one, and waits for its first message. */
export async function startChild<Message>(
	file: string,
	input: object = {},
	env: NodeJS.ProcessEnv = {},
): Promise<[Message, ChildProcess]> {
	const child = fork(join(__dirname, '..', file), { env: { ...process.env, ...env } });
	child.send(input);
	const failed = once(child, 'exit').then(([code, signal]) => {
		throw new Error(`${file} exited with ${code ?? signal} before it sent a message.`);
	});
	// It also exits when nobody waits for its message any more.
	failed.catch(() => {});
	const [message] = (await Promise.race([once(child, 'message'), failed])) as [Message];
	return [message, child];
}

/** The child's side: sends what `work` returns for the input of the parent. */
export function respond<Input>(work: (input: Input) => Promise<object>): void {
	process.once('disconnect', () => process.exit(1));
	process.once(
		'message',
		(input: Input) => void work(input).then((result) => process.send!(result)),
	);
}
