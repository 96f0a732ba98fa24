// `node dev/tools/workflowCode.mjs` writes examples/code/ into the Code and Postgres nodes of the examples, and examples that belong together into one file
// in examples/together/. A test runs it with --check.
// n8n's Code nodes cannot import files, so the code of examples/code/shared/ takes the place of its `require`.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { argv, exit } from 'node:process';

import { format } from 'prettier';

import { root } from './install.mjs';

const FOLDER = join(root, 'examples');

/** @typedef {{ nodes: Array<{ name: string, type: string, parameters: { jsCode?: string, query?: string } }> }} Workflow */

/**
 * The file with the code of a node: rules.js for "Rules", sampleRecipients.js for "Sample recipients".
 * @param {string} node
 * @param {string} extension
 */
const fileOf = (node, extension) =>
	`${node.replace(/^./, (first) => first.toLowerCase()).replace(/ (.)/g, (_, next) => String(next).toUpperCase())}.${extension}`;

const REQUIRE = /^const \{[^}]*\} = require\('(\.\/[^']+)'\);\n/gm;
const EXPORTS = /^module\.exports = \{[^}]*\};\n/gm;

/**
 * The code of a file, with that of the files that it requires before it, each once.
 * @param {string} file
 * @param {Set<string>} included
 * @returns {string}
 */
const codeOf = (file, included = new Set()) =>
	readFileSync(join(FOLDER, 'code', file), 'utf8')
		.replace(REQUIRE, (_, path) => {
			const required = join(dirname(file), String(path));
			if (included.has(required)) return '';
			included.add(required);
			return codeOf(required, included);
		})
		.replace(EXPORTS, '');

let outdated = 0;
for (const name of readdirSync(FOLDER).filter((name) => name.endsWith('.json'))) {
	const path = join(FOLDER, name);
	const before = readFileSync(path, 'utf8');
	let after = before;
	/** @type {unknown} */
	const parsed = JSON.parse(before);
	const { nodes } = /** @type {Workflow} */ (parsed);
	for (const { name, type, parameters } of nodes) {
		const { jsCode, query } = parameters;
		const extension = { 'n8n-nodes-base.code': 'js', 'n8n-nodes-base.postgres': 'sql' }[type];
		if (!extension) continue;
		const code = JSON.stringify(codeOf(fileOf(name, extension)));
		after = after.replace(JSON.stringify(jsCode ?? query), () => code);
	}
	if (after === before) continue;
	outdated += 1;
	if (argv.includes('--check'))
		console.log(`${name} has other code. Run node dev/tools/workflowCode.mjs.`);
	else writeFileSync(path, after);
}

/**
 * @typedef {{ name: string, id: string, webhookId?: string, position: [number, number], parameters: object }} Node
 * @typedef {Record<string, { main: Array<Array<{ node: string }>> }>} Connections
 */

/** The examples of each file, and what it sets. The first one keeps all names of its nodes. */
const TOGETHER = {
	'11p-outbox-on-postgresql': {
		files: ['11p-outbox-send', '11p-outbox-in'],
		id: 'outboxPostgr2011',
		name: '11p. Outbox on PostgreSQL: store and send',
		tags: [{ name: 'Outbox' }],
	},
	'17-appointments-with-outbox': {
		files: ['17-appointments-remind', '17-appointments-page', '11-outbox-send'],
		id: 'appointments2017',
		name: '17. Appointments: remind, page and outbox',
		tags: [{ name: 'Appointments' }],
	},
};

/**
 * An ID that no example has, and that stays the same.
 * @param {string} id
 */
const otherId = (id) =>
	createHash('sha256')
		.update(`together ${id}`)
		.digest('hex')
		.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-5$3-a$4-$5');

/** @param {keyof typeof TOGETHER} name */
function together(name) {
	const { files, tags, ...fields } = TOGETHER[name];
	/** @type {Node[]} */
	const nodes = [];
	/** @type {Connections} */
	const connections = {};
	/** @type {object} */
	let settings = {};
	let top = 0;
	for (const file of files) {
		const text = readFileSync(join(FOLDER, `${file}.json`), 'utf8');
		/** @type {unknown} */
		const parsed = JSON.parse(text);
		const workflow = /** @type {{ nodes: Node[], connections: Connections, settings: object }} */ (
			parsed
		);
		/** @param {string} own */
		const nameOf = (own) => {
			if (nodes.every((node) => node.name !== own) || top === 0) return own;
			if (text.includes(`$('${own}')`)) throw new Error(`${file} needs ${own}`);
			return `${own} (${file})`;
		};
		const renamed = new Map(workflow.nodes.map((node) => [node.name, nameOf(node.name)]));
		const highest = Math.min(...workflow.nodes.map(({ position }) => position[1]));
		for (const { id, webhookId, position, ...node } of workflow.nodes) {
			nodes.push({
				...{ ...node, id: otherId(id), name: renamed.get(node.name) ?? node.name },
				...(webhookId && { webhookId: otherId(webhookId) }),
				position: [position[0], position[1] - highest + top],
			});
		}
		for (const [from, { main }] of Object.entries(workflow.connections)) {
			connections[renamed.get(from) ?? from] = {
				main: main.map((next) =>
					next.map((each) => ({ ...each, node: renamed.get(each.node) ?? each.node })),
				),
			};
		}
		settings = { ...settings, ...workflow.settings };
		top += 1_400;
	}
	return JSON.stringify({ ...fields, tags, nodes, connections, active: false, settings });
}

for (const name of /** @type {Array<keyof typeof TOGETHER>} */ (Object.keys(TOGETHER))) {
	const path = join(FOLDER, 'together', `${name}.json`);
	const options = { parser: 'json', useTabs: true, printWidth: 100 };
	const after = await format(together(name), options);
	if (existsSync(path) && readFileSync(path, 'utf8') === after) continue;
	outdated += 1;
	if (argv.includes('--check'))
		console.log(`${name} is another one. Run node dev/tools/workflowCode.mjs.`);
	else writeFileSync(path, after);
}
if (argv.includes('--check')) exit(Math.min(outdated, 1));
