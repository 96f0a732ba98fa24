import { createRequire } from 'node:module';
import { join } from 'node:path';

import { installPackage } from '../../live/n8n/communityPackage.mjs';
import { ownerOf } from '../../live/n8n/owner.mjs';
import { startN8n } from '../../live/n8n/startN8n.mjs';
import { freePort } from '../../live/process/freePort.mjs';
import { installation } from '../../live/workspace/paths.mjs';

const FIRST_PORT = 25_678;

/** Starts the n8n that `npm start` installed, with our node. Keeps all its data in `home`, apart from the user's own n8n. */
export async function start(home, environment) {
	await installPackage(home);
	const port = await freePort(FIRST_PORT);
	const brokerPort = await freePort(port + 1);
	const { program, url, editor } = await startN8n({
		home,
		port,
		brokerPort,
		owner: ownerOf(home),
		environment,
	});
	const requireOfN8n = createRequire(join(installation, 'node_modules/n8n/package.json'));
	return {
		version: requireOfN8n('./package.json').version,
		url,
		call: editor.call,
		/** n8n's REST API returns run data serialized with flatted. */
		parseRunData: requireOfN8n('flatted').parse,
		stop: program.stop,
	};
}
