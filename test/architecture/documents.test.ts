import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import packageJson from '../../package.json';
import { documents, files, read, root } from './repository';

const pages = files.filter((path) => /^docs\/[\w-]+\.md$/.test(path));
const forUsers = ['README.md', ...pages];

/** Files that only exist later, or as an example. */
const NOT_IN_GIT = [
	'dist/',
	'dist/package.js',
	'dist/sbom.cdx.json',
	'dist/translations.library.js',
	'account.json',
	'live/.home/entry-keys.json',
	'gateway-check.md',
	'templates/',
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
	expect(named.length).toBeGreaterThan(80);
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

test('each link to a file or a heading leads somewhere', () => {
	const links = [...documents, 'llms.txt'].flatMap(linksOf);
	expect(links.length).toBeGreaterThan(150);
	const wrong = links.filter(
		({ target, anchor }) =>
			!existsSync(join(root, target)) ||
			(anchor !== undefined && !anchorsOf(target).includes(anchor)),
	);
	expect(wrong).toEqual([]);
});

const pictures = files.filter((path) => path.startsWith('docs/pictures/'));

/** The dark version of a picture has its name with `-dark`. */
const darkOf = (path: string) => path.replace(/(?=\.\w+$)/, '-dark');

test('each picture is in a document, light and dark, with a text that says what is seen', () => {
	const PICTURE =
		/<picture>\n {2}<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\n {2}<img src="([^"]+)" width="\d+" alt="[^"]{40,}">\n<\/picture>/g;
	const shown = documents.flatMap((document) =>
		[...read(document).matchAll(PICTURE)].map(([, dark, light]) => {
			expect(dark).toBe(darkOf(light!));
			return [dark!, light!].map((path) => join(dirname(document), path));
		}),
	);
	expect(shown.length).toBeGreaterThan(20);
	expect([...new Set(shown.flat())].sort()).toEqual(pictures.toSorted());
	const all = documents.flatMap((document) => read(document).match(/<img /g) ?? []);
	expect(all).toHaveLength(shown.length);
});

/** Of a PNG with a palette, which `npm run pictures` makes so that it is small. */
function widthOf(path: string): number {
	const bytes = readFileSync(join(root, path));
	expect(bytes[25]).toBe(3);
	return bytes.readUInt32BE(16);
}

test('pictures are readable at the width of a phone', () => {
	// 700 pixels, with two of the picture for each.
	const screenshots = pictures.filter((path) => path.endsWith('.png'));
	expect(screenshots.length).toBeGreaterThan(50);
	expect(screenshots.filter((path) => widthOf(path) > 1400)).toEqual([]);
});

test('all pictures have less than 2.6 MB, and a dark one differs from the light one', () => {
	const contents = pictures.map((path) => readFileSync(join(root, path)));
	expect(Buffer.concat(contents).length).toBeLessThan(2_600_000);
	expect(new Set(contents.map((bytes) => bytes.toString('base64'))).size).toBe(pictures.length);
});

test('each link with a name has its address on the same page', () => {
	const wrong = forUsers.flatMap((document) => {
		const text = withoutCode(read(document));
		const defined = [...text.matchAll(/^\[([^\]]+)\]: \S+$/gm)].map(([, name]) => name);
		const used = [...text.matchAll(/\]\s?\[([^\]]+)\]/g)].map(([, name]) => name);
		return [...new Set([...defined, ...used])]
			.filter((name) => !defined.includes(name) || !used.includes(name))
			.map((name) => `${document}: ${name}`);
	});
	expect(wrong).toEqual([]);
});

test.each(['README.md', 'llms.txt'])('%s links to every page', (document) => {
	const linked = linksOf(document).map(({ target }) => target);
	expect(pages.filter((page) => !linked.includes(page))).toEqual([]);
});

test('README has at most 170 lines and 12 kB, CONTRIBUTING 120 lines, each page 200', () => {
	expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(12_000);
	const lines = (path: string) => read(path).trimEnd().split('\n').length;
	expect(lines('README.md')).toBeLessThanOrEqual(170);
	expect(lines('CONTRIBUTING.md')).toBeLessThanOrEqual(120);
	expect(pages.filter((page) => lines(page) > 200)).toEqual([]);
});

test('each page has one question as its title, and an example before the reference', () => {
	const wrong = pages.filter((page) => {
		const [title = '', ...others] = read(page).match(/^# .*$/gm) ?? [];
		const [start = ''] = read(page).split(/^## /m);
		return !title.endsWith('?') || others.length > 0 || !/^```|^1\. |^- |^!\[|^\| /m.test(start);
	});
	expect(wrong).toEqual([]);
});

test('tables have at most three columns, and rows of at most 120 characters', () => {
	// The benchmark writes this page.
	const written = documents.filter((path) => path !== 'bench/results.md');
	const rows = written.flatMap((document) =>
		read(document)
			.split('\n')
			.filter((line) => line.startsWith('|'))
			.map((row) => ({ document, row })),
	);
	expect(rows.length).toBeGreaterThan(100);
	const columns = (row: string) => row.split(/(?<!\\)\|/).length - 2;
	expect(rows.filter(({ row }) => row.length > 120 || columns(row) > 3)).toEqual([]);
});

/** A sentence of so many words must not be in two documents. */
const WORDS = 11;

/** Paragraphs, entries of lists, headings and rows of tables. */
const blocksOf = (document: string) =>
	read(document)
		.replace(/^```.*?^```$/gms, '')
		.split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=[|#])/)
		.map((block) => block.replace(/^\s*(?:[-*]|\d+\.|#+) /, '').replace(/\s+/g, ' '));

test('no sentence is in two documents', () => {
	const places = new Map<string, Set<string>>();
	// What the code says is in the list of errors as often as the code says it.
	for (const document of documents.filter((path) => path !== 'docs/errors.md')) {
		for (const sentence of blocksOf(document).flatMap((text) => text.split(/(?<=[.:!?]) /))) {
			if (sentence.split(' ').length < WORDS) continue;
			places.set(sentence, (places.get(sentence) ?? new Set()).add(document));
		}
	}
	expect(places.size).toBeGreaterThan(900);
	expect([...places].filter(([, found]) => found.size > 1)).toEqual([]);
});

/** `npm run x`, `npm test` and `npm start`, in code blocks and in the text. */
test('each npm script that a document names exists', () => {
	const named = documents.flatMap((document) =>
		[...read(document).matchAll(/\bnpm (?:run ([\w:-]+)|(test|start)\b)/g)].map(
			([, script, short]) => ({ document, script: script ?? short! }),
		),
	);
	expect(named.length).toBeGreaterThan(50);
	expect(named.filter(({ script }) => !Object.hasOwn(packageJson.scripts, script))).toEqual([]);
});
