/** What can be wrong in a document without anyone noticing: paths, links and commands. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import packageJson from '../../package.json';
import { anchorsOf, documents, files, read, root } from './repository';

/** Files that only exist later, or as an example. */
const NOT_IN_GIT = [
	...['dist/', 'dist/package.js', 'dist/sbom.cdx.json', 'dist/translations.library.js'],
	...['account.json', 'dev/live/.home/entry-keys.json', 'gateway-check.md', 'templates/'],
];

const PATH = /`([\w./-]+\.(?:ts|mjs|cjs|js|json|md|svg|yml)|[\w-]+(?:\/[\w-]+)*\/)`/g;

/** Whether a path is in the repository; its first folders may be missing, as in `sending/schedule.ts`. */
const exists = (path: string) =>
	files.some((file) =>
		path.endsWith('/') ? `/${file}`.includes(`/${path}`) : `/${file}`.endsWith(`/${path}`),
	);

test('each path that a document names exists', () => {
	const named = documents.flatMap((document) =>
		[...read(document).matchAll(PATH)].map(([, path]) => ({ document, path: path! })),
	);
	expect(named.length).toBeGreaterThan(50);
	const wrong = named.filter(({ path }) => !NOT_IN_GIT.includes(path) && !exists(path));
	expect(wrong).toEqual([]);
});

const withoutCode = (text: string) => text.replace(/^```.*?^```$|`[^`\n]*`/gms, '');

/** Of links and pictures in the text, and of links that are defined at the end of a page. */
const TARGET =
	/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)|^\[[^\]]+\]: (?!\w+:)([^#\s]*)(?:#(\S+))?$|(?:<img src|srcset)="([^"]+)"/gm;

const linksOf = (document: string) =>
	[...withoutCode(read(document)).matchAll(TARGET)].map(
		([, inText, textAnchor, defined, definedAnchor, picture]) => {
			const path = inText ?? defined ?? picture;
			return {
				document,
				target: path ? join(dirname(document), path) : document,
				anchor: textAnchor ?? definedAnchor,
			};
		},
	);

test('each link to a file, a picture or a heading leads somewhere', () => {
	const links = [...documents, 'llms.txt'].flatMap(linksOf);
	expect(links.length).toBeGreaterThan(150);
	const wrong = links.filter(
		({ target, anchor }) =>
			!existsSync(join(root, target)) ||
			(anchor !== undefined && !anchorsOf(target).includes(anchor)),
	);
	expect(wrong).toEqual([]);
});

test('each npm script that a document names exists', () => {
	const named = documents.flatMap((document) =>
		[...read(document).matchAll(/\bnpm (?:run ([\w:-]+)|(test|start)\b)/g)].map(
			([, script, short]) => ({ document, script: script ?? short! }),
		),
	);
	expect(named.length).toBeGreaterThan(20);
	expect(named.filter(({ script }) => !Object.hasOwn(packageJson.scripts, script))).toEqual([]);
});

test('the command of the API document prints the signature of its first example', () => {
	const page = read('docs/gateway-api.md');
	const [command = ''] = /^printf '%s' '1767225600000example-token[^]*?(?=\n```)/m.exec(page) ?? [];
	const printed = execFileSync('sh', ['-c', command], { encoding: 'utf8' });
	const [, signature] = /^X-API-Signature: ([\da-f]{64})$/m.exec(page)!;
	expect(printed.trim().split(' ').at(-1)).toBe(signature);
});
