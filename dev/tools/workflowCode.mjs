// `node dev/tools/workflowCode.mjs` writes examples/code/ into the Code nodes of the examples. A test runs it with --check.
// n8n's Code nodes cannot import files, so the code of examples/code/shared/ takes the place of its `require`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { argv, exit } from 'node:process';

import { root } from './install.mjs';

const FOLDER = join(root, 'examples');

/** @typedef {{ nodes: Array<{ name: string, type: string, parameters: { jsCode?: string } }> }} Workflow */

/**
 * The file with the code of a node: rules.js for "Rules", sampleRecipients.js for "Sample recipients".
 * @param {string} node
 */
const fileOf = (node) =>
	`${node.replace(/^./, (first) => first.toLowerCase()).replace(/ (.)/g, (_, next) => String(next).toUpperCase())}.js`;

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
		if (type !== 'n8n-nodes-base.code') continue;
		const code = JSON.stringify(codeOf(fileOf(name)));
		after = after.replace(JSON.stringify(parameters.jsCode), () => code);
	}
	if (after === before) continue;
	outdated += 1;
	if (argv.includes('--check'))
		console.log(`${name} has other code. Run node dev/tools/workflowCode.mjs.`);
	else writeFileSync(path, after);
}
if (argv.includes('--check')) exit(Math.min(outdated, 1));
