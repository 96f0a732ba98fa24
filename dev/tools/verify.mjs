// n8n's requirements for a community node, checked as n8n checks them: on the source, and on the tarball that npm would publish.
import { spawnSync } from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

import { root } from './install.mjs';
import { readJson } from './jsonFile.mjs';
import { scanFields } from './scanFields.mjs';
import { pack, unpack } from './tarball.mjs';

const MAX_TARBALL_SIZE = 275_000;
const workplace = mkdtempSync(join(tmpdir(), 'messaging-gateway-verify-'));
let failed = 0;

/**
 * @param {string} title
 * @param {boolean} passed
 */
function report(title, passed, details = '') {
	console.log(`${passed ? 'ok' : 'NOT OK'}  ${title}${passed || !details ? '' : `\n${details}`}`);
	if (!passed) failed++;
}

/**
 * @param {string} title
 * @param {string} folder
 * @param {string[]} patterns
 */
async function scan(title, folder, patterns) {
	const { passed, message, details } = await analyzePackage(folder, patterns);
	report(`n8n's scanner passes ${title}`, passed, `${message ?? ''}\n${details ?? ''}`);
}

/** Unpacks the tarball where nothing else is installed, so that a library which is not bundled cannot be found. */
function unpackTarball() {
	const { tarball, size, files } = pack(workplace);
	report(`the tarball has ${size} bytes, less than ${MAX_TARBALL_SIZE}`, size < MAX_TARBALL_SIZE);
	const unexpected = files
		.map(({ path }) => path)
		.filter((path) => !/^(dist\/|package\.json$|index\.js$|README|LICENSE)/.test(path));
	report(
		'the tarball contains only dist, index.js, README and LICENSE',
		unexpected.length === 0,
		unexpected.join('\n'),
	);

	const folder = join(workplace, 'node_modules', 'n8n-nodes-messaging-gateway');
	unpack(tarball, folder);
	return folder;
}

/** Libraries of the bundles, also those that others depend on. A new one needs a license that allows it. */
const BUNDLED = [
	...['dijkstrajs', 'fflate', 'libphonenumber-js', 'linkify-it', 'markdown-it'],
	...['mdurl', 'punycode.js', 'qrcode', 'uc.micro'],
];

/** @param {string} folder */
function checkLibraries(folder) {
	const sections = readFileSync(join(folder, 'dist/THIRD_PARTY_LICENSES.txt'), 'utf8').split(
		/^={80}$/m,
	);
	const licensed = sections
		.filter((section) => /copyright/i.test(section) && /permi(t|ssion)|license/i.test(section))
		.map((section) => section.trim().split('\n', 1).join());
	const names = licensed.map((library) => library.split(' ')[0]);
	report(
		'the tarball has the license of each bundled library',
		names.join() === BUNDLED.join(),
		`${names.join()}\ninstead of ${BUNDLED.join()}`,
	);
	const sbom = /** @type {{ components: Array<{ name: string, version: string }> }} */ (
		readJson(join(folder, 'dist/sbom.cdx.json'))
	);
	const listed = sbom.components.map(({ name, version }) => `${name} ${version}`).sort();
	report(
		'the SBOM lists each bundled library with its version',
		listed.join() === licensed.join(),
		`${listed.join()}\ninstead of ${licensed.join()}`,
	);
}

/**
 * n8n provides n8n-workflow. The package must contain everything else that it uses.
 * @param {string} folder
 */
function loadAlone(folder) {
	const provided = join(workplace, 'node_modules', 'n8n-workflow');
	mkdirSync(provided);
	writeFileSync(
		join(provided, 'index.js'),
		`module.exports = require(${JSON.stringify(join(root, 'node_modules/n8n-workflow'))});`,
	);
	const program = `
		const nodes = require('n8n-nodes-messaging-gateway');
		const { MessagingGateway, MessagingGatewayTrigger, MessagingGatewayApi } = nodes;
		const names = [MessagingGateway, MessagingGatewayTrigger].map((Node) => new Node().description.name);
		const loaded = Object.keys(require.cache).filter((path) => path.includes('.library'));
		const library = (name) => require(${JSON.stringify(join(folder, 'dist/'))} + name + '.library');
		const html = new (library('markdown').default)().renderInline('**a**');
		const { size } = library('qrImage').create('hello', {}).modules;
		const { country } = library('phoneNumber').parsePhoneNumberFromString('+4915123456789');
		console.log(...names, new MessagingGatewayApi().name, loaded.length, html, size, country);`;
	const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
		cwd: workplace,
		encoding: 'utf8',
	});
	const expected =
		'messagingGateway messagingGatewayTrigger messagingGatewayApi 0 <strong>a</strong> 21 DE';
	const code = readFileSync(join(folder, 'dist/package.js'), 'utf8');
	const libraries = [...new Set(code.match(/(?<=require\("\.\/)[^"]+/g))].sort();
	report(
		'each library is a file in the tarball',
		libraries.join() ===
			'markdown.library,phoneNumber.library,qrImage.library,translations.library',
		libraries.join(),
	);
	report('the tarball loads in an empty folder', stdout.trim() === expected, stdout + stderr);
}

/**
 * How often the source files of the nodes with this extension contain a pattern.
 * @param {string} extension
 * @param {RegExp} pattern
 */
const inSource = (extension, pattern) =>
	readdirSync(join(root, 'nodes'), { recursive: true })
		.filter((path) => String(path).endsWith(extension))
		.flatMap((path) => readFileSync(join(root, 'nodes', String(path)), 'utf8').match(pattern) ?? [])
		.length;

/**
 * Loads the package with n8n's own loader: nodes, codex, icons, and which nodes use the credential.
 * @param {string} folder
 */
async function loadInN8n(folder) {
	process.env.N8N_USER_FOLDER = workplace;
	process.env.N8N_LOG_LEVEL = 'silent';
	await import('reflect-metadata');
	const { PackageDirectoryLoader, loadOutputSchema } = await import('n8n-core');
	const loader = new PackageDirectoryLoader(folder);
	await loader.loadAll();

	const node = loader.types.nodes.find(({ name }) => name === 'messagingGateway');
	const trigger = loader.types.nodes.find(({ name }) => name === 'messagingGatewayTrigger');
	const credential = loader.types.credentials.find(({ name }) => name === 'messagingGatewayApi');
	report('n8n finds both nodes and the credential', Boolean(node && trigger && credential));
	const codexes = [node, trigger].map((type) => type?.codex);
	report(
		'n8n finds a codex for each node',
		codexes.every((codex) => codex?.categories?.[0] === 'Communication'),
		JSON.stringify(codexes),
	);
	const icons = [node, trigger, credential]
		.map((type) => type?.iconUrl)
		.flatMap((icon) => (typeof icon === 'object' ? [icon.light, icon.dark] : [undefined]));
	const missing = icons.filter((icon) => {
		const path = icon?.replace(/^icons\/n8n-nodes-messaging-gateway\//, '');
		return !path || !existsSync(join(folder, path));
	});
	report('n8n finds the light and dark icons', missing.length === 0, JSON.stringify(icons));
	report(
		'n8n knows which nodes use the credential',
		JSON.stringify(loader.known.credentials.messagingGatewayApi?.supportedNodes) ===
			'["messagingGateway","messagingGatewayTrigger"]',
		JSON.stringify(loader.known.credentials.messagingGatewayApi),
	);
	const pickers = (node?.properties ?? []).filter(({ name }) => name === 'operation');
	const operations = pickers.flatMap(({ options = [] }) => options);
	report(
		'n8n offers each operation',
		operations.length === inSource('.operation.ts', /^\t+option: \[/gm),
		String(operations.length),
	);
	const nodeDir = join(folder, 'dist/nodes/MessagingGateway');
	const withoutSchema = pickers.flatMap(({ options = [], displayOptions }) => {
		const [resource] = /** @type {string[]} */ (displayOptions?.show?.resource ?? []);
		return options
			.map((option) => ('value' in option ? String(option.value) : option.name))
			.filter((operation) => !loadOutputSchema({ nodeDir, version: 1, resource, operation }));
	});
	report(
		'n8n finds the output fields of each operation',
		withoutSchema.length === 0,
		withoutSchema.join(),
	);
	report(
		'n8n adds Request Options',
		node?.properties.some(({ name }) => name === 'requestOptions') === true,
	);
	const events = trigger?.properties.find(({ name }) => name === 'event')?.options;
	report(
		'n8n offers each event',
		events?.length === inSource('.event.ts', /^\tlabel: /gm),
		String(events?.length),
	);
	report('n8n adds Poll Times', trigger?.properties[0]?.name === 'pollTimes');
}

try {
	await scan('the source', root, SOURCE_FILE_PATTERNS);
	const violations = await scanFields(join(workplace, 'fields'));
	report("n8n's scanner passes the fields", violations.length === 0, violations.join('\n'));
	const folder = unpackTarball();
	await scan('the tarball', folder, ['**/*.js', 'package.json']);
	const { dependencies = {}, n8n } =
		/** @type {{ dependencies?: object, n8n: { n8nNodesApiVersion: number } }} */ (
			readJson(join(folder, 'package.json'))
		);
	report('the package has no dependencies', Object.keys(dependencies).length === 0);
	// n8n 2 and 3 load version 1. With 3, every n8n 2 would reject the package.
	report('every n8n accepts its n8nNodesApiVersion', n8n.n8nNodesApiVersion === 1);
	checkLibraries(folder);
	loadAlone(folder);
	await loadInN8n(folder);
} finally {
	rmSync(workplace, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
