import { join } from 'node:path';

import { installPackage, listOnSettingsPage } from './communityPackage.mjs';
import { keep, kept } from './kept.mjs';
import { startN8n } from './n8n.mjs';
import { ownerOf } from './owner.mjs';
import { freePort } from './ports.mjs';
import { step } from './progress.mjs';
import { provide } from './provisions.mjs';
import { startSandbox } from './sandbox.mjs';

const USUAL_PORTS = { n8n: 5678, sandbox: 3021 };

/**
 * A real n8n with our node in it, and the sandbox beside it. All that both know lives in `home`; the ports are those of the
 * last start there, or the next free ones. What they need must have been installed (`installAll`).
 */
export async function start({ home, ports: wanted = USUAL_PORTS }) {
	const folder = await installPackage(home);
	const owner = ownerOf(home);
	const before = kept(join(home, 'ports.json'));
	const ports = await freePorts(before ?? wanted);
	keep(join(home, 'ports.json'), ports);

	const sandbox = await startSandbox({ home, port: ports.sandbox, portBefore: before?.sandbox });
	const brokerPort = await freePort(ports.n8n + 1, [ports.sandbox]);
	const n8n = await step('Starting n8n', () =>
		startN8n({ home, port: ports.n8n, brokerPort, owner }),
	);
	await listOnSettingsPage(home, folder);
	const { credential, workflows } = await provide(n8n.editor, home, sandbox.account);

	return {
		urls: {
			n8n: n8n.url,
			sandbox: sandbox.controlUrl,
			phone: `${sandbox.controlUrl}/phone`,
		},
		owner: { email: owner.email, password: owner.password },
		account: sandbox.account,
		credential: { id: credential.id, name: credential.name },
		workflows,
		/** Settles when one of the two has ended by itself, with the words for it. */
		ended: Promise.race([
			n8n.program.ended.then(() => `n8n has ended. Why: ${n8n.program.log}`),
			sandbox.program.ended.then(() => `The sandbox has ended. Why: ${sandbox.program.log}`),
		]),
		async stop() {
			await Promise.all([n8n.program.stop(), sandbox.program.stop()]);
		},
	};
}

async function freePorts(wanted) {
	const n8n = await freePort(wanted.n8n);
	const sandbox = await freePort(wanted.sandbox, [n8n]);
	return { n8n, sandbox };
}
