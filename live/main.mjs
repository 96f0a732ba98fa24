// `npm start`: a real n8n with this node in it, and a phone to watch, from nothing but Node and npm.
import { relative } from 'node:path';

import { requireNode } from '../tools/install.mjs';
import { installAll } from './installation.mjs';
import { stopAll } from './launch.mjs';
import { occupy } from './occupancy.mjs';
import { home } from './places.mjs';
import { start } from './start.mjs';
import { Trouble } from './trouble.mjs';

let stopping = false;

requireNode();
stopOnSignals();
try {
	if (!(await occupy(home))) {
		throw new Trouble('It is running already, in another window. Ctrl+C there ends it.');
	}
	await installAll();
	const live = await start({ home });
	console.log(card(live));
	throw new Trouble(await live.ended);
} catch (error) {
	if (!stopping) await giveUp(error);
}

async function giveUp(error) {
	await stopAll();
	console.error(`\n${error instanceof Trouble ? error.message : error.stack}\n`);
	process.exit(1);
}

function card({ urls, owner }) {
	return `
  n8n       ${urls.n8n}
            sign in as ${owner.email} with ${owner.password}
  Phone     ${urls.phone}

  The credential for the sandbox and the example workflows are in n8n already.
  What you make there is kept in ${relative(process.cwd(), home)}; npm run start:clean removes it. Ctrl+C ends both.
`;
}

function stopOnSignals() {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		process.on(signal, async () => {
			if (stopping) return;
			stopping = true;
			console.log('\n  Stopping …');
			await stopAll();
			process.exit(0);
		});
	}
}
