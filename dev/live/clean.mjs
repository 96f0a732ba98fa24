// `npm run start:clean`: deletes everything that was made in n8n, and says where the installed n8n is.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { requireNode } from '../tools/install.mjs';
import { sharedFolderIsKept, unknownArgument } from './texts.mjs';
import { acquireLock } from './workspace/lock.mjs';
import { defaultHome, installation, olderInstallations, sharedFolder } from './workspace/paths.mjs';

requireNode();
const [argument] = process.argv.slice(2);
if (argument !== undefined) {
	console.error(unknownArgument(argument));
	process.exitCode = 1;
} else if (acquireLock(defaultHome)) {
	const installations = [installation, ...olderInstallations];
	const paths = [defaultHome, ...installations.map((path) => join(path, 'node_modules'))];
	for (const path of paths.filter((path) => existsSync(path))) {
		console.log(`Removing ${path}`);
		rmSync(path, { recursive: true, force: true });
	}
	const isInstalled = existsSync(sharedFolder) && readdirSync(sharedFolder).length > 0;
	console.log(isInstalled ? sharedFolderIsKept : 'Done. npm start installs n8n again.');
} else {
	console.error('n8n is running. To stop it, press Ctrl+C in its terminal, then try again.');
	process.exitCode = 1;
}
