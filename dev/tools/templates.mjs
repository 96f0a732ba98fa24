// `node dev/tools/templates.mjs` writes the examples as n8n's template library takes them. examples/README.md describes how to submit one.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';

import { root } from './install.mjs';
import { readJson } from './jsonFile.mjs';

/**
 * @typedef {{ name: string, credentials?: object, parameters: { content?: string } }} Node
 * @typedef {{ id?: string, active?: boolean, name: string, nodes: Node[] }} Workflow
 */

const FOLDER = join(root, 'examples');
const { repository } = /** @type {{ repository: { url: string } }} */ (
	readJson(join(root, 'package.json'))
);
const [, REPOSITORY] = /github\.com\/(.*)\.git$/.exec(repository.url) ?? [];
const FILES = `https://github.com/${REPOSITORY}/blob/main/workflows`;
const PICTURES = `https://raw.githubusercontent.com/${REPOSITORY}/main/docs/pictures`;

const README = readFileSync(join(FOLDER, 'README.md'), 'utf8');
const DISCLAIMER =
	'This template needs the community node `n8n-nodes-messaging-gateway`, so it runs on a self-hosted n8n only.';

/** @param {string} file */
function sectionOf(file) {
	const section = README.split(/^## /m).find((text) => text.includes(`](${file})`));
	if (!section) throw new Error(`examples/README.md has no section about ${file}`);
	return /** @type {string} */ (section.split(/^### /m)[0]);
}

/**
 * The first group of a match.
 * @param {RegExp} pattern
 * @param {string} text
 */
function find(pattern, text) {
	const found = pattern.exec(text)?.[1];
	if (found === undefined) throw new Error(`${pattern} is missing in:\n${text}`);
	return found.trim();
}

/**
 * The title and description, in the order of the guidelines: from the section of the README, and from the note.
 * @param {string} section
 * @param {string} note
 */
function descriptionOf(section, note) {
	const [, picture, alt] = /<img src=".*\/([^"]*)" width="\d+" alt="([^"]*)">/.exec(section) ?? [];
	const customization = /^### Customization\n(.*)/ms.exec(note)?.[1];
	const parts = [
		`![${alt}](${PICTURES}/${picture})`,
		DISCLAIMER,
		find(/^\[Example [^\]]*\]\([^)]*\)\. (.*?)\n\n/ms, section),
		"## Who's it for",
		sentence(find(/^- \*\*Who needs it:\*\* (.*?)$(?=\n- )/ms, section)),
		'## How it works',
		find(/^### How it works\n(.*?)\n\n###/ms, note),
		'## How to set up',
		find(/^### Setup\n(.*?)(?=\n\n### |$(?![^]))/ms, note),
		'## Requirements',
		sentence(find(/^- \*\*What it needs:\*\* (.*?)\n\n/ms, section)),
		...(customization ? ['## How to customize', customization] : []),
	];
	return `${parts.map(withAddresses).join('\n\n')}\n`;
}

/** @param {string} text */
const sentence = (text) => `${text.replace(/^./, (first) => first.toUpperCase())}.`;

/** @param {string} text */
function withAddresses(text) {
	return text
		.replace(/\]\((#[^)]*)\)/g, `](${FILES}/README.md$1)`)
		.replace(/\]\((?!https:)([^)]*)\)/g, `](${FILES}/$1)`);
}

const target = argv[2] ?? join(root, 'templates');
mkdirSync(target, { recursive: true });
const examples = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
for (const file of examples) {
	const section = sectionOf(file);
	const { id: _, active: __, ...example } = /** @type {Workflow} */ (readJson(join(FOLDER, file)));
	const name = find(/^(.*)/, section);
	const nodes = example.nodes.map(({ credentials: _, ...node }) => node);
	const note = nodes.find((node) => node.name === 'About')?.parameters.content ?? '';
	const workflow = { ...example, name, nodes };
	writeFileSync(join(target, file), `${JSON.stringify(workflow, null, '\t')}\n`);
	const description = `# ${name}\n\n${descriptionOf(section, note)}`;
	writeFileSync(join(target, file.replace(/json$/, 'md')), description);
}
console.log(`Wrote ${examples.length} templates to ${target}`);
