import { type Example, example } from '../harness/exampleCode';
import { type Behaviour, plainNodes, SimulatedWorkflow } from '../simulation/simulatedWorkflow';
import { dataTableNode } from './exampleNodes';
import type { Tables } from './tables';

export const OUTBOX = 'Messaging outbox';

/** An example in n8n's own engine, with these tables. `edit` is what a user changes in it. */
export function exampleWith(
	file: string,
	trigger: string,
	tables: Tables,
	behaviours: Record<string, Behaviour> = {},
	edit = (nodes: Example['nodes']) => nodes,
): SimulatedWorkflow {
	const { nodes, connections } = structuredClone(example(file));
	const edited = edit(nodes);
	const isLeft = ({ node }: { node: string }) => edited.some(({ name }) => name === node);
	for (const { main } of Object.values(connections)) {
		for (const [output, next] of main!.entries()) main![output] = next.filter(isLeft);
	}
	return new SimulatedWorkflow({ nodes: edited, connections }, trigger, {
		...plainNodes,
		scheduleTrigger: async (_, items) => await Promise.resolve([items]),
		dataTable: dataTableNode(tables),
		...behaviours,
	});
}
