import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const live = dirname(fileURLToPath(import.meta.url));
export const modules = join(live, 'node_modules');

/** Other n8n than the one of `npm start`, each in a place of its own with the Node that is right for it. */
export const older = readdirSync(join(live, 'older')).map((version) =>
	join(live, 'older', version),
);

/** All that `npm start` writes, apart from folders called node_modules and dist. */
export const home = join(live, '.home');

/** The Node that n8n needs comes as one package per platform; npm installs the one that fits. */
export function platformNode(place = live) {
	const { optionalDependencies } = packageOf(place);
	const fits = `-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
	const name = Object.keys(optionalDependencies).find((candidate) => candidate.endsWith(fits));
	if (!name) return undefined;
	const folder = join(place, 'node_modules', name);
	return {
		folder,
		version: optionalDependencies[name],
		program: join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'),
	};
}

export function n8nIn(place) {
	return { place, version: packageOf(place).dependencies.n8n, node: platformNode(place) };
}

function packageOf(place) {
	return JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
}
