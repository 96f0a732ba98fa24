import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import packageJson from '../../package.json';
import { MessagingGatewayApi } from '../../credentials/MessagingGatewayApi.credentials';
import { NOT_SET } from '../../gateway/inputValues';
import { chatId, country } from '../../gateway/text/chatId';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGateway/MessagingGatewayTrigger.node';

const root = join(__dirname, '../..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
	cwd: root,
	encoding: 'utf8',
})
	.split('\n')
	.filter((path) => path && existsSync(join(root, path)));
const documents = files.filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md');
const pages = files.filter((path) => /^docs\/[\w-]+\.md$/.test(path));
const forUsers = ['README.md', ...pages];
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Files that only exist later, or as an example. */
const NOT_IN_GIT = [
	'dist/',
	'nodes/MessagingGateway/session/contacts.operation.ts',
	'account.json',
	'live/.home/entry-keys.json',
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

/** Of links in the text, and of those that are defined at the end of a page. */
const TARGET =
	/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)|^\[[^\]]+\]: (?!\w+:)([^#\s]*)(?:#(\S+))?$/gm;

const linksOf = (document: string) =>
	[...withoutCode(read(document)).matchAll(TARGET)].map(([, path = '', anchor]) => ({
		document,
		target: path ? join(dirname(document), path) : document,
		anchor,
	}));

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

test('README has at most 170 lines and 12 kB, each page at most 200 lines', () => {
	expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(12_000);
	const lines = (path: string) => read(path).trimEnd().split('\n').length;
	expect(lines('README.md')).toBeLessThanOrEqual(170);
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
	const rows = forUsers.flatMap((document) =>
		read(document)
			.split('\n')
			.filter((line) => line.startsWith('|'))
			.map((row) => ({ document, row })),
	);
	expect(rows.length).toBeGreaterThan(50);
	const columns = (row: string) => row.split(/(?<!\\)\|/).length - 2;
	expect(rows.filter(({ row }) => row.length > 120 || columns(row) > 3)).toEqual([]);
});

/** The shortest that must not be said in two places. */
const SENTENCE = 60;

test('no sentence is in two places', () => {
	const places = new Map<string, string[]>();
	const all = [...forUsers, 'SECURITY.md', 'workflows/README.md', 'sandbox/README.md'];
	// What the code says is in the list of errors as often as the code says it.
	for (const document of all.filter((path) => path !== 'docs/errors.md')) {
		const text = withoutCode(read(document)).replace(/\s+/g, ' ');
		for (const sentence of text.split(/(?<=[.:!?]\S?) (?=[-*A-Z_`|])/)) {
			if (sentence.length < SENTENCE) continue;
			places.set(sentence, [...(places.get(sentence) ?? []), document]);
		}
	}
	expect(places.size).toBeGreaterThan(500);
	expect([...places].filter(([, found]) => found.length > 1)).toEqual([]);
});

/** `npm run x`, `npm test` and `npm start`, in code blocks and in the text. */
test('each npm script that a document names exists', () => {
	const named = documents.flatMap((document) =>
		[...read(document).matchAll(/\bnpm (?:run ([\w:]+)|(test|start)\b)/g)].map(
			([, script, short]) => ({ document, script: script ?? short! }),
		),
	);
	expect(named.length).toBeGreaterThan(50);
	expect(named.filter(({ script }) => !Object.hasOwn(packageJson.scripts, script))).toEqual([]);
});

/** A property, and all that are inside it. */
function withInner(property: INodeProperties): INodeProperties[] {
	const inner = (property.options ?? []).flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});
	return [property, ...inner.flatMap((entry) => withInner(entry))];
}

const properties = [
	...[new MessagingGateway(), new MessagingGatewayTrigger()].map(({ description }) => description),
	new MessagingGatewayApi(),
].flatMap((described) => described.properties.flatMap(withInner));

/** The labels of n8n's own settings, pages and nodes, of the phone and of the examples. */
const N8N_LABELS = [
	...[
		'Always Output Data',
		'On Error',
		'Retry On Fail',
		'Retry',
		'Settings',
		'Poll Times',
		'Binary',
	],
	...['Stop Workflow', 'Continue (using error output)', 'Execute Step', 'is true'],
	...['Allowed HTTP Request Domains', 'Loop Over Items', 'AI Agent Tool', 'Batching'],
	...['Authentication > Predefined Credential Type > Messaging Gateway API'],
	...['Respond: Immediately', 'Respond: When Last Node Finishes', 'When Last Node Finishes'],
	...[
		'Response Data',
		'Linked devices',
		'Link a device',
		'1. Form to message',
		'Request',
		'Messaging Gateway',
	],
];

/** The two kinds of statements in the API document. */
const NO_LABELS = ['Specified', 'Usual'];

test('each label in italics is one of the node, the credential, the trigger or n8n', () => {
	const plain = (label: string) => label.replace(/ \((?!Legacy).*\)$/, '');
	const labels = properties.flatMap(({ displayName, options = [] }) => [
		displayName,
		...options.map((option) => ('displayName' in option ? option.displayName : option.name)),
	]);
	const known = new Set([...labels, ...labels.map(plain), ...N8N_LABELS, ...NO_LABELS]);
	const used = forUsers.flatMap((document) =>
		[...withoutCode(read(document)).matchAll(/(?<![\w*])_([A-Z1][^_]*?)_(?!\w)/g)].map(
			([, label]) => ({ document, label: label!.replace(/\s+/g, ' ').replace(/\.$/, '') }),
		),
	);
	expect(used.length).toBeGreaterThan(150);
	expect(used.filter(({ label }) => !known.has(label))).toEqual([]);
});

/** `_Concurrency_ (default 10, from 1 to 100)`; the bounds may be missing. */
const DEFAULT = /_([A-Z][^_]*?)_ \(default `?([^\s,)`]+)`?(?:, from (\d+) to (\d+))?\)/g;

test('each default and its bounds are those of the code', () => {
	const stated = forUsers.flatMap((document) =>
		[...read(document).replace(/\n\s*/g, ' ').matchAll(DEFAULT)].map(
			([, label, preset, from, to]) => ({ document, label, preset, from, to }),
		),
	);
	expect(stated.length).toBeGreaterThan(8);
	const wrong = stated.filter(({ label, preset, from, to }) => {
		const meant = properties.filter(({ displayName }) => displayName === label);
		return !meant.some(({ default: value, typeOptions = {} }) => {
			const bounds = [typeOptions.minValue, typeOptions.maxValue].map(String);
			return (
				JSON.stringify(value).replaceAll('"', '') === preset &&
				(!from || (bounds[0] === from && bounds[1] === to))
			);
		});
	});
	expect(wrong).toEqual([]);
});

test('each number of the table of recipients is read as the table says', () => {
	const rows = [
		...read('docs/messages.md').matchAll(/^\| `([^`]+)`, (\w+) +\| (?:`(\d+)`|(.+?)) +\|/gm),
	];
	expect(rows).toHaveLength(10);
	for (const [, entered, code, digits, words] of rows) {
		const recipient = () => chatId(entered, country(code === 'any' ? NOT_SET : code));
		if (words === 'rejected') expect(recipient).toThrow();
		else expect([entered, recipient()]).toEqual([entered, digits ?? entered]);
	}
});
