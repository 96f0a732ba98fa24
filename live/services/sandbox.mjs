import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { root } from '../../tools/install.mjs';
import { readJson } from '../../tools/jsonFile.mjs';
import { UserError } from '../../tools/userError.mjs';
import { bareEnvironment } from '../process/environment.mjs';
import { lastLines, launch } from '../process/launch.mjs';

/**
 * Starts the local gateway with a phone that is paired and online. Its messages are kept from one start to the next, also when
 * its port changes.
 * @param {{ home: string, port: number, previousPort?: number }} settings
 */
export async function startSandbox({ home, port, previousPort = port }) {
	const folder = join(home, 'sandbox');
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	moveMessages(folder, previousPort, port);

	const tsx = import.meta.resolve('tsx');
	const main = join(root, 'sandbox/main.ts');
	const controlKey = randomBytes(18).toString('base64url');
	const program = launch(
		process.execPath,
		['--import', tsx, main, '--port', String(port), '--folder', folder, '--paired', '--quiet'],
		{
			cwd: folder,
			// Not an argument: other users can read the arguments of a program.
			env: { ...bareEnvironment(), SANDBOX_CONTROL_KEY: controlKey },
			log: join(home, 'logs', 'sandbox.log'),
		},
	);
	const baseUrl = `http://127.0.0.1:${port}`;
	const controlUrl = `${baseUrl}/_sandbox`;
	while (!(await responds(`${controlUrl}/state`))) {
		if (program.hasExited) {
			throw new UserError(`The sandbox did not start.\n\n${lastLines(program.log)}`);
		}
		await delay(100);
	}
	const { token, secret } = /** @type {{ token: string, secret: string }} */ (
		readJson(join(folder, 'account.json'))
	);
	return {
		program,
		controlUrl,
		controlKey,
		account: { baseUrl, token, secret },
		modelUrl: `${controlUrl}/model/v1`,
		/**
		 * The phone page shows how to try the examples.
		 * @param {import('../../sandbox/guide/guide.js').Guide} guide
		 */
		async showGuide(guide) {
			const response = await fetch(`${controlUrl}/guide`, {
				method: 'POST',
				headers: { 'Content-Type': 'application/json', 'X-Sandbox-Key': controlKey },
				body: JSON.stringify(guide),
			});
			if (!response.ok) throw new Error(await response.text());
		},
	};
}

/**
 * The sandbox stores its messages in one file per port.
 * @param {string} folder
 * @param {number} from
 * @param {number} to
 */
function moveMessages(folder, from, to) {
	const file = join(folder, `port-${from}.jsonl`);
	if (from !== to && existsSync(file)) renameSync(file, join(folder, `port-${to}.jsonl`));
}

/** @param {string} url */
async function responds(url) {
	try {
		return (await fetch(url)).ok;
	} catch {
		return false;
	}
}
