// `node tools/workflowCode.mjs` writes workflows/code/ into the Code nodes of the examples. A test runs it with --check.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, exit } from 'node:process';

import { root } from './install.mjs';

const FOLDER = join(root, 'workflows');

/** @typedef {{ nodes: Array<{ name: string, type: string, parameters: { jsCode?: string } }> }} Workflow */

/**
 * The file with the code of a node: rules.js for "Rules", sampleRecipients.js for "Sample recipients".
 * @param {string} node
 */
const fileOf = (node) =>
	`${node.replace(/^./, (first) => first.toLowerCase()).replace(/ (.)/g, (_, next) => String(next).toUpperCase())}.js`;

/** The line of a file that stands for another one, whose functions several nodes need. */
const SHARED = /^\/\/ Here is (\w+\.js)\n/gm;

/**
 * The code of a node, in one piece: a Code node cannot import.
 * @param {string} file
 * @returns {string}
 */
const codeIn = (file) =>
	readFileSync(join(FOLDER, 'code', file), 'utf8').replace(SHARED, (_, shared) =>
		codeIn(String(shared)),
	);

let outdated = 0;
for (const name of readdirSync(FOLDER).filter((name) => name.endsWith('.json'))) {
	const path = join(FOLDER, name);
	const before = readFileSync(path, 'utf8');
	let after = before;
	/** @type {unknown} */
	const parsed = JSON.parse(before);
	const { nodes } = /** @type {Workflow} */ (parsed);
	for (const { name, type, parameters } of nodes) {
		if (type !== 'n8n-nodes-base.code') continue;
		const code = codeIn(fileOf(name));
		after = after.replace(JSON.stringify(parameters.jsCode), () => JSON.stringify(code));
	}
	if (after === before) continue;
	outdated += 1;
	if (argv.includes('--check'))
		console.log(`${name} has other code. Run node tools/workflowCode.mjs.`);
	else writeFileSync(path, after);
}
if (argv.includes('--check')) exit(Math.min(outdated, 1));
