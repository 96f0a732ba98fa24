import { mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { UserError } from '../../tools/userError.mjs';
import { bareEnvironment } from '../process/environment.mjs';
import { lastLines, launch } from '../process/launch.mjs';
import { installation, nodeIn } from '../workspace/paths.mjs';
import { signIn } from './editorApi.mjs';

const START_TIMEOUT_MS = 120_000;

/**
 * @typedef {import('../process/launch.mjs').Program} Program
 * @typedef {import('./editorApi.mjs').EditorApi} EditorApi
 * @typedef {import('./owner.mjs').Owner} Owner
 *
 * @typedef {object} N8nSettings
 * @property {string} home The folder in which n8n keeps its data.
 * @property {number} port
 * @property {number} brokerPort
 * @property {NodeJS.ProcessEnv} [environment]
 * @property {string} [folder] The n8n installation.
 *
 * @typedef {object} SignIn
 * @property {Owner} owner
 * @property {(url: string, owner: Owner) => Promise<EditorApi | undefined>} [logIn]
 */

/**
 * Starts n8n, waits until it accepts logins, and signs in.
 * @param {N8nSettings & SignIn} settings
 */
export async function startN8n({ owner, logIn = signIn, environment, ...settings }) {
	const program = launchN8n('start', {
		...settings,
		environment: { ...ownerEnvironment(owner), ...environment },
	});
	const url = `http://127.0.0.1:${settings.port}`;
	const editor = await whenReady(program, settings.port, () => logIn(url, owner));
	return { program, url, editor: whileRunning(program, editor) };
}

/**
 * Starts one n8n process: `start` is the main process, `webhook` and `worker` belong to queue mode.
 * @param {'start' | 'webhook' | 'worker'} command
 * @param {N8nSettings} settings
 */
export function launchN8n(command, { home, port, brokerPort, environment, folder = installation }) {
	// Present in every complete installation: installAll() checks it.
	const node = /** @type {{ program: string }} */ (nodeIn(folder)).program;
	mkdirSync(home, { recursive: true, mode: 0o700 });
	return launch(node, [join(folder, 'node_modules/n8n/bin/n8n'), command], {
		cwd: home,
		env: {
			...bareEnvironment(),
			...localEnvironment(home, port, brokerPort),
			...quietEnvironment,
			...environment,
			// n8n starts its task runner as plain 'node'.
			PATH: [dirname(node), process.env.PATH].join(delimiter),
		},
		log: join(home, 'logs', 'n8n.log'),
	});
}

/**
 * @param {string} home
 * @param {number} port
 * @param {number} brokerPort
 */
function localEnvironment(home, port, brokerPort) {
	return {
		HOME: home,
		USERPROFILE: home,
		N8N_USER_FOLDER: home,
		N8N_HOST: '127.0.0.1',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		// Browsers do not send secure cookies over plain HTTP.
		N8N_SECURE_COOKIE: 'false',
		// By default n8n runs in development mode: pages of other origins may read its API with the user's cookie, and errors
		// contain stack traces.
		NODE_ENV: 'production',
		// As n8n 3, which no longer keeps files in memory. n8n 1 does by default.
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
	};
}

/** @param {Owner} owner */
function ownerEnvironment({ email, passwordHash }) {
	return {
		N8N_INSTANCE_OWNER_MANAGED_BY_ENV: 'true',
		N8N_INSTANCE_OWNER_EMAIL: email,
		N8N_INSTANCE_OWNER_FIRST_NAME: 'Sandbox',
		N8N_INSTANCE_OWNER_LAST_NAME: 'Owner',
		N8N_INSTANCE_OWNER_PASSWORD_HASH: passwordHash,
	};
}

/** No requests to n8n's or npm's servers, no surveys, and no warnings that do not apply here. */
const quietEnvironment = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	// Otherwise Settings > Community nodes asks the npm registry for updates, and without network it waits for minutes.
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
	// The assistant requires an account, and would be the first page after signing in.
	N8N_DISABLED_MODULES: 'mcp-registry,instance-ai',
};

/**
 * Tries to sign in, because /healthz responds before the database is ready. Not before n8n itself has said that it listens: if
 * a program of another user has taken the port, that one would get the password.
 * @param {Program} program
 * @param {number} port
 * @param {() => Promise<EditorApi | undefined>} tryLogIn
 */
async function whenReady(program, port, tryLogIn) {
	const deadline = Date.now() + START_TIMEOUT_MS;
	await program.printed(`n8n ready on 127.0.0.1, port ${port}`, START_TIMEOUT_MS);
	while (!program.hasExited && Date.now() < deadline) {
		const editor = await tryLogIn();
		if (editor) return editor;
		await delay(250);
	}
	throw new UserError(
		`n8n did not start.\n\n${lastLines(program.log)}\n\nFull log: ${program.log}\nTo start over, run npm run start:clean.`,
	);
}

/**
 * Sends nothing when n8n has exited, because another program can listen on its port then.
 * @param {Program} program
 * @param {EditorApi} editor
 * @returns {EditorApi}
 */
function whileRunning(program, editor) {
	return {
		async call(...request) {
			if (program.hasExited) throw new UserError(`n8n exited unexpectedly. Log: ${program.log}`);
			return await editor.call(...request);
		},
	};
}
