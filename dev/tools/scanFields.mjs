// The fields of the nodes are built by functions, which n8n's scanner cannot read. So it gets them written out.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inspect } from 'node:util';

import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

import { root } from './install.mjs';

const NODES = ['MessagingGateway', 'MessagingGatewayTrigger'];

/** What the scanner reports about the nodes as they are meant to be. */
const INTENDED = [
	// The webhook of a question belongs to an execution that waits.
	'missing the `webhookMethods` property',
	// The most used operations come first.
	"Alphabetize by 'name'. Order: Get ",
	"Alphabetize by 'name'. Order: Check | Get ",
];

/**
 * No country is preselected, and their names are those of Unicode, so the scanner must not see them.
 * @param {string} _key
 * @param {unknown} value
 */
const withoutCountries = (_key, value) =>
	Array.isArray(value)
		? value.filter((/** @type {{ name?: string }} */ { name } = {}) => name !== 'defaultCountry')
		: value;

/**
 * Returns what n8n's scanner finds in the fields of the built nodes.
 * @param {string} workplace an empty folder
 */
export async function scanFields(workplace) {
	const folder = join(workplace, 'nodes/MessagingGateway');
	mkdirSync(folder, { recursive: true });
	for (const path of ['package.json', 'tsconfig.json', 'credentials', 'nodes/MessagingGateway']) {
		cpSync(join(root, path), join(workplace, path), {
			recursive: true,
			filter: (source) => !source.includes('/nodes/') || !source.endsWith('.ts'),
		});
	}
	const load = createRequire(import.meta.url);
	for (const name of NODES) {
		const path = join(root, `dist/nodes/MessagingGateway/${name}.node.js`);
		/** @type {unknown} */
		const exported = load(path);
		const Node = /** @type {Record<string, new () => { description: object }>} */ (exported)[name];
		/** @type {unknown} */
		const fields = JSON.parse(JSON.stringify(Node && new Node().description, withoutCountries));
		const written = inspect(fields, {
			depth: null,
			maxArrayLength: null,
			maxStringLength: null,
		});
		writeFileSync(
			join(folder, `${name}.node.ts`),
			`export class ${name} implements INodeType {\n\tdescription: INodeTypeDescription = ${written.replaceAll("'main'", 'NodeConnectionTypes.Main')};\n}\n`,
		);
	}
	const { details = '' } = await analyzePackage(workplace, SOURCE_FILE_PATTERNS);
	return details
		.split('\n')
		.filter((line) => / error /.test(line) && !INTENDED.some((text) => line.includes(text)));
}
