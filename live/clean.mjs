// `npm run start:clean`: away with n8n and all that was made in it.
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { requireNode } from '../tools/install.mjs';
import { occupy } from './occupancy.mjs';
import { home, live, older } from './places.mjs';

requireNode();
if (await occupy(home)) {
	for (const folder of [home, ...[live, ...older].map((place) => join(place, 'node_modules'))]) {
		rmSync(folder, { recursive: true, force: true });
		console.log(`Removed ${folder}`);
	}
} else {
	console.error('n8n is running. End it with Ctrl+C in its window first.');
	process.exitCode = 1;
}
