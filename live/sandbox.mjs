import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

import { root } from '../tools/install.mjs';
import { bareEnvironment } from './environment.mjs';
import { kept } from './kept.mjs';
import { lastLines, launch } from './launch.mjs';
import { Trouble } from './trouble.mjs';

/** The project's own gateway, with its messages kept from one start to the next. */
export async function startSandbox({ home, port, portBefore = port }) {
	const folder = join(home, 'sandbox');
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	takeMessagesAlong(folder, portBefore, port);

	const program = launch(
		process.execPath,
		[join(root, 'tools/sandbox.mjs'), '--port', String(port), '--folder', folder],
		{ cwd: folder, env: bareEnvironment(), log: join(home, 'logs', 'sandbox.log') },
	);
	const baseUrl = `http://127.0.0.1:${port}`;
	const controlUrl = `${baseUrl}/_sandbox`;
	while (!(await answers(`${controlUrl}/state`))) {
		if (program.hasEnded) {
			throw new Trouble(`The sandbox did not start.\n\n${lastLines(program.log)}`);
		}
		await after(100);
	}
	const { token, secret } = kept(join(folder, 'account.json'));
	return { program, controlUrl, account: { baseUrl, token, secret } };
}

/** The sandbox keeps one journal per port. */
function takeMessagesAlong(folder, from, to) {
	const journal = join(folder, `port-${from}.jsonl`);
	if (from !== to && existsSync(journal)) renameSync(journal, join(folder, `port-${to}.jsonl`));
}

async function answers(url) {
	try {
		return (await fetch(url)).ok;
	} catch {
		return false;
	}
}
