// What n8n demands of a community node, checked the way n8n checks it: on the source, and on what npm would publish.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

import { root } from './install.mjs';
import { pack, unpack } from './tarball.mjs';

const LARGEST_TARBALL = 200_000;
const workplace = mkdtempSync(join(tmpdir(), 'messaging-gateway-verify-'));
let failed = 0;

function report(what, passed, details = '') {
	console.log(`${passed ? 'ok' : 'NOT OK'}  ${what}${passed || !details ? '' : `\n${details}`}`);
	if (!passed) failed++;
}

async function scan(what, folder, patterns) {
	const { passed, message, details } = await analyzePackage(folder, patterns);
	report(`n8n's scanner passes ${what}`, passed, `${message ?? ''}\n${details ?? ''}`);
}

/** Unpacked where nothing else is installed: a library that was not bundled has nowhere to come from. */
function unpackedTarball() {
	const { tarball, size, files } = pack(workplace);
	report(`the tarball has ${size} bytes, less than ${LARGEST_TARBALL}`, size < LARGEST_TARBALL);
	const strays = files
		.map(({ path }) => path)
		.filter((path) => !/^(dist\/|package\.json$|index\.js$|README|LICENSE)/.test(path));
	report(
		'the tarball holds dist, index.js, README and LICENSE only',
		strays.length === 0,
		strays.join('\n'),
	);

	const folder = join(workplace, 'node_modules', 'n8n-nodes-messaging-gateway');
	unpack(tarball, folder);
	return folder;
}

/** n8n-workflow is n8n's own to provide; everything else the package must bring along. */
function loadsAlone(folder) {
	const provider = join(workplace, 'node_modules', 'n8n-workflow');
	mkdirSync(provider);
	writeFileSync(
		join(provider, 'index.js'),
		`module.exports = require(${JSON.stringify(join(root, 'node_modules/n8n-workflow'))});`,
	);
	const program = `
		const nodes = require('n8n-nodes-messaging-gateway');
		const { MessagingGateway, MessagingGatewayTrigger, MessagingGatewayApi } = nodes;
		const { qrPicture } = require(${JSON.stringify(join(folder, 'dist/gateway/qrPicture.js'))});
		const size = qrPicture('hello', 'png').bytes.length;
		const names = [MessagingGateway, MessagingGatewayTrigger].map((Node) => new Node().description.name);
		console.log(...names, new MessagingGatewayApi().name, size > 100);`;
	const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
		cwd: workplace,
		encoding: 'utf8',
	});
	const expected = 'messagingGateway messagingGatewayTrigger messagingGatewayApi true';
	report('the tarball loads in an empty folder', stdout.trim() === expected, stdout + stderr);
}

/** The way n8n itself reads an installed package: nodes, codex, icons, and which nodes use the credential. */
async function loadsInN8n(folder) {
	process.env.N8N_USER_FOLDER = workplace;
	process.env.N8N_LOG_LEVEL = 'silent';
	const require = createRequire(join(root, 'package.json'));
	require('reflect-metadata');
	const { PackageDirectoryLoader } = require('n8n-core');
	const loader = new PackageDirectoryLoader(folder);
	await loader.loadAll();

	const node = loader.types.nodes.find(({ name }) => name === 'messagingGateway');
	const trigger = loader.types.nodes.find(({ name }) => name === 'messagingGatewayTrigger');
	const credential = loader.types.credentials.find(({ name }) => name === 'messagingGatewayApi');
	report('n8n finds nodes and credential', Boolean(node && trigger && credential));
	const codexes = [node, trigger].map((one) => one?.codex);
	report(
		'n8n finds a codex for each node',
		codexes.every((codex) => codex?.categories?.[0] === 'Communication'),
		JSON.stringify(codexes),
	);
	const icons = [node, trigger, credential]
		.map((one) => one?.iconUrl)
		.flatMap((icon) => [icon?.light, icon?.dark]);
	const missing = icons.filter((icon) => {
		const path = icon?.replace(/^icons\/n8n-nodes-messaging-gateway\//, '');
		return !path || !existsSync(join(folder, path));
	});
	report('n8n finds the icons, light and dark', missing.length === 0, JSON.stringify(icons));
	report(
		'n8n knows which nodes the credential is for',
		JSON.stringify(loader.known.credentials.messagingGatewayApi?.supportedNodes) ===
			'["messagingGateway","messagingGatewayTrigger"]',
		JSON.stringify(loader.known.credentials.messagingGatewayApi),
	);
	const operations = node.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options }) => options);
	report('n8n offers sixteen operations', operations.length === 16, String(operations.length));
	report(
		'n8n adds Request Options',
		node.properties.some(({ name }) => name === 'requestOptions'),
	);
	const events = trigger.properties.find(({ name }) => name === 'event').options;
	report('n8n offers four events', events.length === 4, String(events.length));
	report('n8n adds Poll Times', trigger.properties[0].name === 'pollTimes');
}

try {
	await scan('the source', root, SOURCE_FILE_PATTERNS);
	const folder = unpackedTarball();
	await scan('the tarball', folder, ['**/*.js', 'package.json']);
	const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	report('the package has no dependencies', Object.keys(dependencies).length === 0);
	loadsAlone(folder);
	await loadsInN8n(folder);
} finally {
	rmSync(workplace, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
