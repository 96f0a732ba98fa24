import { join } from 'node:path';

import { readJson, writeJson } from '../../tools/jsonFile.mjs';
import { installPackage, listOnSettingsPage } from '../n8n/communityPackage.mjs';
import { entryKeysOf, storedEntryKeys } from '../n8n/entryKeys.mjs';
import { guideTo } from '../n8n/guide.mjs';
import { ownerOf, storedOwner } from '../n8n/owner.mjs';
import { seed } from '../n8n/seed.mjs';
import { startN8n } from '../n8n/startN8n.mjs';
import { freePort } from '../process/freePort.mjs';
import { step } from '../process/progress.mjs';
import { startSandbox, storedAccount } from '../services/sandbox.mjs';

/**
 * @typedef {{ n8n: number, sandbox: number }} Ports
 *
 * How to use an n8n that runs.
 * @typedef {object} Running
 * @property {{ n8n: string, phone: string }} urls
 * @property {Pick<import('../n8n/owner.mjs').Owner, 'email' | 'password'>} owner
 * @property {import('../n8n/entryKeys.mjs').EntryKeys} entryKeys
 * @property {{ baseUrl: string, token: string, secret: string }} account
 */

export const DEFAULT_PORTS = { n8n: 5678, sandbox: 3021 };

/** @param {string} home */
const portsFile = (home) => join(home, 'ports.json');

/**
 * The ports of the last start. Undefined before the first one.
 * @param {string} home
 */
export const lastPorts = (home) => /** @type {Ports | undefined} */ (readJson(portsFile(home)));

/**
 * From the files of the last start. Undefined until the first one has written all of them.
 * @param {string} home
 * @returns {Running | undefined}
 */
export function runningIn(home) {
	const ports = lastPorts(home);
	const owner = storedOwner(home);
	const entryKeys = storedEntryKeys(home);
	const account = ports && storedAccount(home, ports.sandbox);
	if (!ports || !owner || !entryKeys || !account) return undefined;
	return { urls: urlsOf(ports), owner, entryKeys, account };
}

/** @param {Ports} ports */
function urlsOf({ n8n, sandbox }) {
	return {
		n8n: `http://127.0.0.1:${n8n}`,
		phone: `http://127.0.0.1:${sandbox}/_sandbox/phone`,
	};
}

/**
 * Starts n8n as a single process with this package installed, and the sandbox. `home` holds the data of both. Uses the ports
 * of the previous start, or the next free ones. Requires installAll().
 * @param {{ home: string, ports?: Ports }} settings
 */
export async function startRegularMode({ home, ports: wanted = DEFAULT_PORTS }) {
	const folder = await installPackage(home);
	const owner = ownerOf(home);
	const previous = lastPorts(home);
	const ports = await freePorts(previous ?? wanted);
	writeJson(portsFile(home), ports);

	const { sandbox, n8n } = await step('start', async () => {
		const sandbox = await startSandbox({
			home,
			port: ports.sandbox,
			previousPort: previous?.sandbox,
		});
		const brokerPort = await freePort(ports.n8n + 1, [ports.sandbox]);
		const n8n = await startN8n({ home, port: ports.n8n, brokerPort, owner });
		await listOnSettingsPage(home, folder);
		return { sandbox, n8n };
	});
	const entryKeys = entryKeysOf(home);
	const { credential, workflows } = await step('examples', () =>
		seed(n8n.editor, home, sandbox, entryKeys, n8n.url),
	);
	await sandbox.showGuide(guideTo(n8n.url, entryKeys, workflows, credential.name));

	return {
		urls: {
			...urlsOf(ports),
			sandbox: sandbox.controlUrl,
		},
		owner: { email: owner.email, password: owner.password },
		ports: { wanted: previous ?? wanted, used: ports },
		entryKeys,
		phoneStatus: await sandbox.status(),
		account: sandbox.account,
		controlKey: sandbox.controlKey,
		credential: { id: credential.id, name: credential.name },
		workflows,
		/** Resolves to an error message when n8n or the sandbox exits unexpectedly. */
		exited: Promise.race([
			n8n.program.exited.then(
				() => `n8n exited unexpectedly. Start again with npm start. Log: ${n8n.program.log}`,
			),
			sandbox.program.exited.then(
				() =>
					`The sandbox exited unexpectedly. Start again with npm start. Log: ${sandbox.program.log}`,
			),
		]),
		async stop() {
			await Promise.all([n8n.program.stop(), sandbox.program.stop()]);
		},
	};
}

/** @param {Ports} wanted */
async function freePorts(wanted) {
	const n8n = await freePort(wanted.n8n);
	const sandbox = await freePort(wanted.sandbox, [n8n]);
	return { n8n, sandbox };
}
