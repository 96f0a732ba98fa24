import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { setUp as setUpOwner, signIn } from '../../live/editor.mjs';
import { startN8n } from '../../live/n8n.mjs';
import { ownerOf } from '../../live/owner.mjs';
import { live, n8nIn } from '../../live/places.mjs';
import { freePort } from '../../live/ports.mjs';
import { startSandbox } from '../../live/sandbox.mjs';

const FIRST_PORT = 16_678;

/** One fresh n8n of the version that is asked for, with the packed node, and the sandbox beside it. */
export default async function setUp() {
	const { N8N_PLACE: place, PACKED: packed } = process.env;
	const home = mkdtempSync(join(tmpdir(), 'messaging-gateway-compat-'));
	cpSync(join(packed, '.n8n'), join(home, '.n8n'), { recursive: true });
	globalThis.compat = { home, programs: [] };

	const port = await freePort(FIRST_PORT);
	const brokerPort = await freePort(port + 1);
	const sandbox = await startSandbox({ home, port: await freePort(brokerPort + 1) });
	globalThis.compat.programs.push(sandbox.program);
	const owner = ownerOf(home, place);
	const n8n = await startN8n({ home, port, brokerPort, owner, place, enter, ...settings(place) });
	globalThis.compat.programs.push(n8n.program);

	process.env.LIVE = JSON.stringify({
		urls: { n8n: n8n.url, sandbox: sandbox.controlUrl },
		owner,
		account: sandbox.account,
		credential: await givenTo(n8n.editor, sandbox.account),
		n8n: n8nIn(place),
	});
}

/** Before 2.0 the owner cannot come from the environment. */
async function enter(url, owner) {
	return (await signIn(url, owner)) ?? (await setUpOwner(url, owner));
}

/** An n8n does not start where it is told to leave out what it has not got yet. */
function settings(place) {
	return place === live ? {} : { environment: { N8N_DISABLED_MODULES: '' } };
}

async function givenTo(editor, account) {
	const { id, name } = await editor.call('POST', '/credentials', {
		name: 'Messaging Gateway sandbox',
		type: 'messagingGatewayApi',
		data: { ...account, signDeferred: true },
	});
	return { id, name };
}
