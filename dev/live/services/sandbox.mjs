import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../tools/install.mjs';
import { readJson } from '../../tools/jsonFile.mjs';
import { UserError } from '../../tools/userError.mjs';
import { bareEnvironment } from '../process/environment.mjs';
import { lastLines, launch } from '../process/launch.mjs';

/** @param {string} home */
const folderIn = (home) => join(home, 'sandbox');

/** @param {number} port */
const baseUrlAt = (port) => `http://127.0.0.1:${port}`;

/**
 * Session and messages.
 * @param {string} folder
 * @param {number} port
 */
const stateFile = (folder, port) => join(folder, `port-${port}.jsonl`);

/**
 * What a credential for the sandbox on this port needs. Undefined before the first start.
 * @param {string} home
 * @param {number} port
 */
export function storedAccount(home, port) {
	const file = join(folderIn(home), 'account.json');
	const stored = /** @type {{ token: string, secret: string } | undefined} */ (readJson(file));
	return stored && { baseUrl: baseUrlAt(port), ...stored };
}

/**
 * Starts the local gateway, at first with a phone that is paired and online. Its session and messages are kept from one start to
 * the next, also when its port changes.
 * @param {{ home: string, port: number, previousPort?: number }} settings
 */
export async function startSandbox({ home, port, previousPort = port }) {
	const folder = folderIn(home);
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	moveMessages(folder, previousPort, port);

	const tsx = import.meta.resolve('tsx');
	const main = join(root, 'dev/sandbox/main.ts');
	const controlKey = randomBytes(18).toString('base64url');
	const paired = existsSync(stateFile(folder, port)) ? [] : ['--paired'];
	const program = launch(
		process.execPath,
		['--import', tsx, main, '--port', String(port), '--folder', folder, ...paired, '--quiet'],
		{
			cwd: folder,
			// Not an argument: other users can read the arguments of a program.
			env: { ...bareEnvironment(), SANDBOX_CONTROL_KEY: controlKey },
			log: join(home, 'logs', 'sandbox.log'),
		},
	);
	// Its first line. A response would not tell who has sent it: a program of another user could have taken the port.
	if (!(await program.printed(baseUrlAt(port)))) {
		throw new UserError(`The sandbox did not start.\n\n${lastLines(program.log)}`);
	}
	const controlUrl = `${baseUrlAt(port)}/_sandbox`;
	const account = storedAccount(home, port);
	if (!account) throw new Error(`The sandbox stored no token and secret in ${folder}.`);
	return {
		program,
		controlUrl,
		controlKey,
		account,
		modelUrl: `${controlUrl}/model/v1`,
		/** The status of the session. */
		async status() {
			const path = `/api/whatsapp/${encodeURIComponent(account.token)}/status`;
			const response = await fetch(`${account.baseUrl}${path}`);
			/** @type {unknown} */
			const body = await response.json();
			return /** @type {{ status: string }} */ (body).status;
		},
		/**
		 * The phone page shows how to try the examples.
		 * @param {import('../../sandbox/guide/guide.js').Guide} guide
		 */
		async showGuide(guide) {
			if (program.hasExited) {
				throw new UserError(`The sandbox exited unexpectedly. Log: ${program.log}`);
			}
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
	const file = stateFile(folder, from);
	if (from !== to && existsSync(file)) renameSync(file, stateFile(folder, to));
}
