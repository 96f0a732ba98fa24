import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Workflow {
	nodes: Array<{ name: string; parameters: { jsCode?: string } }>;
}

/** The code of a Code node, with the functions that it shares with others. */
export function codeOf(file: string, node: string): string {
	const path = join(__dirname, `../../workflows/${file}.json`);
	const { nodes } = JSON.parse(readFileSync(path, 'utf8')) as Workflow;
	return nodes.find(({ name }) => name === node)!.parameters.jsCode!;
}
