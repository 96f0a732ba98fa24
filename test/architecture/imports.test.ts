import { dirname, join } from 'node:path';
import { files, read } from './repository';

/** From top to bottom: each room of gateway/ may use the ones below it. */
const GATEWAY = ['failures', 'responses', 'files', 'wire', 'text']
	.map((room) => `gateway/${room}`)
	.concat('gateway');

const NODE = 'nodes/MessagingGateway';
/** The same for the folders of the node, which may all use gateway/. */
const NODE_FOLDERS = {
	trigger: ['operation', 'request', 'fields'],
	ask: ['message', 'operation', 'request', 'fields', 'n8n'],
	message: ['operation', 'request', 'sending', 'fields', 'n8n'],
	session: ['operation', 'request', 'fields'],
	deferred: ['operation', 'request', 'fields'],
	operation: ['request', 'sending', 'fields', 'n8n'],
	request: ['sending', 'fields', 'n8n', '../../credentials'],
	fields: [],
	n8n: [],
	sending: [],
};
const insideNode = (name: string) => join(NODE, name);

/** What the files of a folder may import, besides their own folder. */
const ALLOWED: Record<string, string[]> = {
	[NODE]: Object.keys(NODE_FOLDERS).map(insideNode),
	...Object.fromEntries(
		Object.entries(NODE_FOLDERS).map(([name, others]) => [
			...[insideNode(name), [...others.map(insideNode), ...GATEWAY]],
		]),
	),
	credentials: GATEWAY,
	...Object.fromEntries(GATEWAY.map((room, index) => [room, GATEWAY.slice(index + 1)])),
};

const PACKAGES: Record<string, string[]> = {
	'nodes/MessagingGateway/sending': ['crypto'],
	// A question and its page do not know n8n.
	...Object.fromEntries(
		['html', 'page', 'question', 'texts'].map((name) => [`${NODE}/ask/${name}.ts`, ['crypto']]),
	),
	'nodes/MessagingGateway': ['crypto', 'n8n-workflow'],
	credentials: ['n8n-workflow'],
	// The build makes a file of each.
	'gateway/text/phoneNumber.library.ts': [
		...['core', 'examples.mobile.json', 'max', 'metadata.max.json'].map(
			(name) => `libphonenumber-js/${name}`,
		),
	],
	'gateway/files/qrImage.library.ts': [...['fflate', 'qrcode/lib/core/qrcode']],
	'gateway/text/markdown.library.ts': ['markdown-it'],
	gateway: ['crypto'],
};

const tracked = files.filter((path) => /\.(ts|mjs|cjs)$/.test(path));

const IMPORT = /(?:\bfrom|\bimport|\brequire\()\s*['"]([^'"]+)['"]/g;

/** The imports of each file: paths in the repository, and packages. */
const imports = new Map(
	tracked.map((path) => {
		const names = [...read(path).matchAll(IMPORT)].map(([, name]) => name!);
		return [path, names.map((name) => (name.startsWith('.') ? resolved(path, name) : name))];
	}),
);

function resolved(from: string, name: string): string {
	const path = join(dirname(from), name);
	const candidates = [path, `${path}.ts`, `${path}/index.ts`, `${path}.d.ts`, `${path}.d.mts`];
	return candidates.find((candidate) => tracked.includes(candidate)) ?? path;
}

const importOf = (path: string) => (name: string) => `${path} imports ${name}`;
const isFile = (name: string) => imports.has(name);
const published = tracked.filter((path) => /^(nodes|gateway|credentials)\//.test(path));

test('each file imports only from the folders below it', () => {
	expect(published.length).toBeGreaterThan(50);
	const wrong = published.flatMap((path) => {
		const folder = dirname(path);
		// Without a list, a folder may import nothing.
		const allowed = [folder, ...(ALLOWED[folder] ?? [])];
		const others = imports.get(path)!.filter(isFile);
		return others.filter((name) => !allowed.includes(dirname(name))).map(importOf(path));
	});
	expect(wrong).toEqual([]);
});

test('each file uses only the packages, and the tables and style sheets, of its folder', () => {
	const code = published.filter((path) => !path.endsWith('.d.ts'));
	const wrong = code.flatMap((path) => {
		const key = Object.keys(PACKAGES).find((name) => path.startsWith(name))!;
		const isData = (name: string) =>
			dirname(name) === dirname(path) && /\.(?:json|css)$/.test(name);
		const packages = imports.get(path)!.filter((name) => !isFile(name) && !isData(name));
		return packages.filter((name) => !PACKAGES[key]!.includes(name)).map(importOf(path));
	});
	expect(wrong).toEqual([]);
});

test('the sandbox does not use the code that it tests', () => {
	const sandbox = tracked.filter((path) => path.startsWith('dev/sandbox/'));
	expect(sandbox.length).toBeGreaterThan(20);
	const used = sandbox.flatMap((path) => imports.get(path)!);
	expect(used.filter((name) => published.includes(name))).toEqual([]);
});

test('no import cycles', () => {
	const cycles: string[] = [];
	const done = new Set<string>();
	const visit = (path: string, trail: string[]) => {
		if (trail.includes(path)) {
			cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
			return;
		}
		if (done.has(path)) return;
		for (const next of imports.get(path)!.filter(isFile)) visit(next, [...trail, path]);
		done.add(path);
	};
	for (const path of tracked) visit(path, []);
	expect(cycles).toEqual([]);
});

/** When they cut a word, and when they show an answer. */
const LATE_TABLES = ['gateway/text/splitText.ts', 'nodes/MessagingGateway/ask/texts.ts'];

test('the package loads without the libraries, and without the tables of Intl', () => {
	const code = published.filter((path) => !path.endsWith('.d.ts'));
	// What imports from a library is itself required late.
	const early = code.filter((path) => path !== 'gateway/text/markdown.ts');
	const libraries = /^import (?!type )[^;]*\.library';$/m;
	expect(early.filter((path) => libraries.test(read(path)))).toEqual([]);
	const others = code.filter((path) => !LATE_TABLES.includes(path));
	const tables = /\bnew Intl\.|\.localeCompare\(|\.toLocale\w*String\(/;
	expect(others.filter((path) => tables.test(read(path)))).toEqual([]);
});
