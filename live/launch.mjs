import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { live } from './places.mjs';

const running = new Set();

/**
 * Starts a program whose output goes to a file, and which ends at the latest when this process does: told to, and
 * killed if it takes longer than the patience given.
 */
export function launch(command, args, { cwd, env, log, patienceMs = 15_000 }) {
	mkdirSync(dirname(log), { recursive: true });
	const output = openSync(log, 'w');
	const keeper = spawn(
		process.execPath,
		[join(live, 'keeper.mjs'), String(patienceMs), command, ...args],
		{
			cwd,
			env,
			stdio: ['pipe', output, output],
			windowsHide: true,
		},
	);
	closeSync(output);
	// A program that has ended already cannot be told to.
	keeper.stdin.on('error', () => {});

	const program = {
		log,
		hasEnded: false,
		ended: once(keeper, 'exit').then(([code]) => {
			program.hasEnded = true;
			running.delete(program);
			return code;
		}),
		async stop() {
			keeper.stdin.end();
			await program.ended;
		},
		/** As kill -9 does it, with everything that the program has started. */
		async kill() {
			keeper.stdin.write('kill');
			await program.ended;
		},
	};
	running.add(program);
	return program;
}

export async function stopAll() {
	await Promise.all([...running].map((program) => program.stop()));
}

export function logged(log) {
	return readFileSync(log, 'utf8');
}

export function lastLines(log, count = 12) {
	return logged(log).trimEnd().split('\n').slice(-count).join('\n');
}
