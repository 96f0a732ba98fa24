import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const live = dirname(fileURLToPath(import.meta.url));
export const modules = join(live, 'node_modules');

/** All that `npm start` writes, apart from folders called node_modules and dist. */
export const home = join(live, '.home');

/** The Node that n8n needs comes as one package per platform; npm installs the one that fits. */
export function platformNode() {
	const { optionalDependencies } = JSON.parse(readFileSync(join(live, 'package.json'), 'utf8'));
	const fits = `-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
	const name = Object.keys(optionalDependencies).find((candidate) => candidate.endsWith(fits));
	if (!name) return undefined;
	const folder = join(modules, name);
	return {
		folder,
		program: join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'),
	};
}
