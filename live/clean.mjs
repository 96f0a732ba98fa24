// `npm run start:clean`: deletes the installed n8n versions and everything that was made in n8n.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { requireNode } from '../tools/install.mjs';
import { unknownArgument } from './texts.mjs';
import { acquireLock } from './workspace/lock.mjs';
import { defaultHome, installation, olderInstallations } from './workspace/paths.mjs';

requireNode();
const [argument] = process.argv.slice(2);
if (argument !== undefined) {
	console.error(unknownArgument(argument));
	process.exitCode = 1;
} else if (await acquireLock(defaultHome)) {
	const installations = [installation, ...olderInstallations];
	const paths = [defaultHome, ...installations.map((path) => join(path, 'node_modules'))];
	for (const path of paths.filter((path) => existsSync(path))) {
		console.log(`Removing ${path}`);
		rmSync(path, { recursive: true, force: true });
	}
	console.log('Done. npm start installs everything again.');
} else {
	console.error('n8n is running. To stop it, press Ctrl+C in its terminal, then try again.');
	process.exitCode = 1;
}
