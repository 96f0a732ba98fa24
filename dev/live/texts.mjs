// What `npm start` prints.
import { relative } from 'node:path';

import { UserError } from '../tools/userError.mjs';
import { DEFAULT_PORTS } from './modes/regularMode.mjs';
import { durationOf } from './process/progress.mjs';
import {
	defaultHome,
	installation,
	n8nVersionIn,
	sharedFolder,
	sharedFolderOf,
} from './workspace/paths.mjs';

const NAMES = /** @type {const} */ ({ n8n: 'n8n', sandbox: 'the sandbox' });
const SYSTEM_ERRORS = /** @type {Record<string, string>} */ ({
	ENOSPC: 'The disk is full. Free up some space',
	EDQUOT: 'Your disk quota is used up. Free up some space',
	EACCES: 'A file or folder cannot be written. Check its owner and permissions',
	EPERM: 'A file or folder cannot be written. Check its owner and permissions',
	EROFS: 'The disk is read-only. Use a folder that you can write to',
});

/** @param {string} path */
const shown = (path) => relative(process.cwd(), path) || '.';

export function help() {
	return `
  npm start            starts n8n with this node, the example workflows, and the sandbox: a local gateway with a phone page
  npm run start:clean  resets everything: deletes what was made in n8n, and says where the installed n8n is

  Both listen on 127.0.0.1 only. The next free port is used if one is in use, and kept for later starts.
    n8n      port ${DEFAULT_PORTS.n8n}
    sandbox  port ${DEFAULT_PORTS.sandbox}

  Folders
    ${shown(defaultHome)}       n8n's database, messages, passwords
    ${shown(defaultHome)}/logs  logs of n8n, the sandbox and npm
    ${sharedFolderOf(installation)}
                     the installed n8n ${n8nVersionIn(installation)} and its Node (about 3 GB), for all your clones

  To reset only workflows and messages, delete ${shown(defaultHome)} while n8n is stopped.
`;
}

/** @param {string} argument */
export function unknownArgument(argument) {
	return `Unknown argument: ${argument}. For help, run npm start -- --help.`;
}

export const sharedFolderIsKept = `
Done. The installed n8n is kept, because other clones of yours may use it:
  ${sharedFolder}
If no n8n of theirs is running, you can delete that folder. npm start installs n8n again.
`;

/** @param {import('./modes/regularMode.mjs').Running | undefined} running */
export function alreadyRunning(running) {
	if (!running) {
		return 'npm start is already running in another terminal. Wait until it prints how to sign in, or press Ctrl+C there to stop it.';
	}
	return `
  n8n is already running. To stop it, press Ctrl+C in its terminal. To send a message:
${instructions(running)}`;
}

export const afterCrash =
	'  The last run was killed or crashed. Your workflows and messages are kept, except pictures and files on the phone page.\n';

/** @param {import('./process/progress.mjs').Step[]} steps */
export function announcement(steps) {
	const duration = durationOf(steps);
	if (!steps.includes('n8n') && !steps.includes('driver')) {
		return `\n  Starting n8n and the sandbox: ${duration}.\n`;
	}
	return `
  The first start takes ${duration} and 3 GB of disk space. It installs n8n ${n8nVersionIn(installation)} and the Node that it needs
  for all your clones, builds the node, and imports the examples. Later starts take less than a minute,
  the first one of another clone a few.
  You can interrupt it with Ctrl+C. The next start continues.
`;
}

/** @param {Awaited<ReturnType<typeof import('./modes/regularMode.mjs').startRegularMode>>} live */
export function summary(live) {
	const { wanted, used } = live.ports;
	const moved = /** @type {const} */ (['n8n', 'sandbox'])
		.filter((name) => wanted[name] !== used[name])
		.map(
			(name) =>
				`\n  Port ${wanted[name]} is in use, so ${NAMES[name]} uses ${used[name]}. Commands in the documents need this port, too.`,
		);
	const phone =
		live.phoneStatus === 'ONLINE'
			? 'The phone is paired and online.'
			: `The phone is as you left it: ${live.phoneStatus}. Bring it online on its page.`;
	return `
  Ready. ${phone} To send your first message:
${instructions(live)}
${moved.join('')}
  Your changes are kept in ${shown(defaultHome)}, except pictures and files on the phone page. For help, run npm start -- --help.
  Press Ctrl+C to stop n8n and the sandbox.
`;
}

/** @param {import('./modes/regularMode.mjs').Running} running */
function instructions({ urls, owner, entryKeys, account }) {
	return `
  1. Open n8n: ${urls.n8n}
     Sign in as ${owner.email} with ${owner.password}
  2. Open "1. Send a message from a form" and click Execute workflow. A form opens.
     It asks for user ${entryKeys.user}, password ${entryKeys.password}
  3. Fill in the form, click Send, and look at the phone:
     ${urls.phone}

  "Try it" on the phone page has the steps for every example, with what to enter:
     Pages and forms ask for the same user and password
     MCP server    bearer token ${entryKeys.token}
     CRM webhook   secret ${entryKeys.secret}
  The examples have a credential for the sandbox. To create one yourself:
     Base URL  ${account.baseUrl}
     Token     ${account.token}
     Secret    ${account.secret}
  To pair the phone again, open Tools on the phone page, click Log out, then "Pair it again with example 3".`;
}

/** @param {NodeJS.ErrnoException} error */
export function errorMessage(error) {
	if (error instanceof UserError) return error.message;
	const known = SYSTEM_ERRORS[error.code ?? ''];
	return known ? `${known}, then run npm start again.\n${error.message}` : error.stack;
}
