import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '../..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
	cwd: root,
	encoding: 'utf8',
})
	.split('\n')
	.filter((path) => path && existsSync(join(root, path)));
const documents = files.filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Files that only exist later, or as an example. */
const NOT_IN_GIT = ['dist/', 'dist/package.js', 'account.json', 'live/.home/entry-keys.json'];

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
	expect(named.length).toBeGreaterThan(100);
	const wrong = named.filter(({ path }) => !NOT_IN_GIT.includes(path) && !exists(path));
	expect(wrong).toEqual([]);
});

/** As GitHub makes them from the text of a heading. */
const anchorsOf = (document: string) =>
	[...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
		heading!
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.replace(/\s/g, '-'),
	);

const withoutCode = (text: string) => text.replace(/^```.*?^```$|`[^`\n]*`/gms, '');

test('each link to a file or a heading leads somewhere', () => {
	const links = documents.flatMap((document) =>
		[...withoutCode(read(document)).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
			([, path = '', anchor]) => ({
				document,
				target: path ? join(dirname(document), path) : document,
				anchor,
			}),
		),
	);
	expect(links.length).toBeGreaterThan(30);
	const wrong = links.filter(
		({ target, anchor }) =>
			!existsSync(join(root, target)) ||
			(anchor !== undefined && !anchorsOf(target).includes(anchor)),
	);
	expect(wrong).toEqual([]);
});
