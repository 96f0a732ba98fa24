import { createRequire } from 'node:module';
import { join } from 'node:path';

import { installPackage } from '../../live/communityPackage.mjs';
import { startN8n } from '../../live/n8n.mjs';
import { ownerOf } from '../../live/owner.mjs';
import { modules } from '../../live/places.mjs';
import { freePort } from '../../live/ports.mjs';

const FIRST_PORT = 25_678;

/** The n8n that `npm start` has installed, with our node in it, away from the user's own: all of it lives in `home`. */
export async function start(home) {
	await installPackage(home);
	const port = await freePort(FIRST_PORT);
	const brokerPort = await freePort(port + 1);
	const { program, url, editor } = await startN8n({
		home,
		port,
		brokerPort,
		owner: ownerOf(home),
	});
	const requireOfN8n = createRequire(join(modules, 'n8n', 'package.json'));
	return {
		version: requireOfN8n('./package.json').version,
		url,
		call: editor.call,
		/** n8n answers with run data in this form. */
		parseRunData: requireOfN8n('flatted').parse,
		stop: program.stop,
	};
}
