import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { setUpOwner, signIn } from '../../dev/live/n8n/editorApi.mjs';
import { ownerOf } from '../../dev/live/n8n/owner.mjs';
import { credentialData } from '../../dev/live/n8n/seed.mjs';
import { startN8n } from '../../dev/live/n8n/startN8n.mjs';
import { freePort } from '../../dev/live/process/freePort.mjs';
import { startSandbox } from '../../dev/live/services/sandbox.mjs';
import { installation, n8nVersionIn, nodeIn } from '../../dev/live/workspace/paths.mjs';
import * as session from '../live/session.mjs';

const FIRST_PORT = 16_678;

/** Starts a new n8n of the given version with the packed node, and a sandbox. */
export default async function setUp() {
	const { N8N_INSTALLATION: folder, PACKED: packed } = process.env;
	const home = mkdtempSync(join(tmpdir(), 'messaging-gateway-compat-'));
	cpSync(join(packed, '.n8n'), join(home, '.n8n'), { recursive: true });
	globalThis.compat = { home, programs: [] };

	const port = await freePort(FIRST_PORT);
	const brokerPort = await freePort(port + 1);
	const sandbox = await startSandbox({ home, port: await freePort(brokerPort + 1) });
	globalThis.compat.programs.push(sandbox.program);
	const owner = ownerOf(home, folder);
	const n8n = await startN8n({
		home,
		port,
		brokerPort,
		owner,
		folder,
		logIn,
		...settings(folder),
	});
	globalThis.compat.programs.push(n8n.program);

	const { id, name } = await n8n.editor.call('POST', '/credentials', {
		name: 'Messaging Gateway sandbox',
		type: 'messagingGatewayApi',
		data: {
			...credentialData(sandbox.account),
			...{ signDeferred: true, allowedHttpRequestDomains: 'all' },
		},
	});
	process.env.LIVE = JSON.stringify({
		urls: { n8n: n8n.url, sandbox: sandbox.controlUrl },
		cookie: await session.signIn(n8n.url, owner),
		account: sandbox.account,
		controlKey: sandbox.controlKey,
		credential: { id, name },
		n8n: { version: n8nVersionIn(folder), node: nodeIn(folder) },
	});
}

/** Before 2.0, n8n does not read the owner from the environment. */
async function logIn(url, owner) {
	return (await signIn(url, owner)) ?? (await setUpOwner(url, owner));
}

/**
 * n8n does not start if N8N_DISABLED_MODULES names a module that this version does not have. n8n 3 loads no package that
 * it has not verified, unless the other variable is set.
 */
function settings(folder) {
	const environment = { N8N_DISABLED_MODULES: '', N8N_UNVERIFIED_PACKAGES_ENABLED: 'true' };
	return folder === installation ? {} : { environment };
}
