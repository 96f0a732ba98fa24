import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

const FOLDER = join(__dirname, '../../workflows');

const NODES = readdirSync(FOLDER)
	.filter((name) => name.endsWith('.json'))
	.flatMap((name) => (JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Example).nodes);

interface Example {
	nodes: INode[];
}

/** The code of a Code node of the examples, as n8n runs it. `node tools/workflowCode.mjs` puts it together. */
export function codeOf(name: string): string {
	const node = NODES.find((each) => each.type === 'n8n-nodes-base.code' && each.name === name)!;
	return node.parameters.jsCode as string;
}
