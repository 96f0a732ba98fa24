// `npm start`: a real n8n with this node, and the sandbox with its phone page. Runs before anything is installed.
import { relative } from 'node:path';

import { requireNode } from '../tools/install.mjs';
import { UserError } from '../tools/userError.mjs';
import { startRegularMode } from './modes/regularMode.mjs';
import { stopAll } from './process/launch.mjs';
import { installAll } from './workspace/install.mjs';
import { acquireLock } from './workspace/lock.mjs';
import { defaultHome } from './workspace/paths.mjs';
import { makePrivate } from './workspace/privateFolder.mjs';

let isStopping = false;

requireNode();
stopOnSignals();
try {
	if (!(await acquireLock(defaultHome))) {
		throw new UserError('n8n is already running. To stop it, press Ctrl+C in its terminal.');
	}
	makePrivate(defaultHome);
	await installAll();
	const live = await startRegularMode({ home: defaultHome });
	console.log(summary(live));
	throw new UserError(await live.exited);
} catch (error) {
	if (!isStopping) await fail(/** @type {Error} */ (error));
}

/** @param {Error} error */
async function fail(error) {
	await stopAll();
	console.error(`\n${error instanceof UserError ? error.message : error.stack}\n`);
	process.exit(1);
}

/** @param {Awaited<ReturnType<typeof startRegularMode>>} live */
function summary({ urls, owner, entryKeys }) {
	return `
  n8n       ${urls.n8n}
            sign in as ${owner.email} with ${owner.password}
  Phone     ${urls.phone}
  Examples  ask for these when you open or call them from outside the editor:
            pages and forms   user ${entryKeys.user}, password ${entryKeys.password}
            MCP server        bearer token ${entryKeys.token}
            CRM webhook       secret ${entryKeys.secret}

  n8n already contains the example workflows and their credentials.
  Your changes are stored in ${relative(process.cwd(), defaultHome)}. To delete them, run npm run start:clean.
  Press Ctrl+C to stop n8n and the sandbox.
`;
}

function stopOnSignals() {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		process.on(signal, () => void stop());
	}
}

async function stop() {
	if (isStopping) return;
	isStopping = true;
	console.log('\n  Stopping …');
	await stopAll();
	process.exit(0);
}
