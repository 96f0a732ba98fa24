import type { INode } from 'n8n-workflow';

import type { RunningN8n } from './start.mjs' with { 'resolution-mode': 'import' };

/** A node as a user sets it up in the editor. Parameters that are not given keep their defaults. */
export interface Step extends Pick<INode, 'name' | 'type' | 'typeVersion' | 'parameters'> {
	credential?: { type: string; data: object };
}

/** The execution times of the nodes are read from saved executions. Saving them is also n8n's default. */
const SETTINGS = { executionOrder: 'v1', saveDataSuccessExecution: 'all' };

/** Publishes a workflow whose webhook takes a list of texts and runs the steps with one item per text. */
export async function publish(n8n: RunningN8n, name: string, steps: Step[]): Promise<string> {
	const nodes = [...inputNodes(name), ...(await Promise.all(steps.map(withCredential(n8n))))];
	const workflow = (await n8n.call('POST', '/workflows', {
		name,
		nodes: nodes.map((node, i) => ({ ...node, id: `${name} ${i}`, position: [i * 200, 0] })),
		connections: connectInOrder(nodes),
		settings: SETTINGS,
	})) as { id: string; versionId: string };
	await n8n.call('POST', `/workflows/${workflow.id}/activate`, { versionId: workflow.versionId });
	return workflow.id;
}

/** A webhook that responds when the execution has ended, and a node that turns the texts into items. */
function inputNodes(name: string) {
	return [
		{
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2.1,
			// Without it, n8n prefixes the path with the ids of workflow and node.
			webhookId: name,
			parameters: {
				httpMethod: 'POST',
				path: name,
				responseMode: 'lastNode',
				responseData: 'noData',
			},
		},
		{
			name: 'Items',
			type: 'n8n-nodes-base.code',
			typeVersion: 2,
			parameters: { jsCode: 'return $input.first().json.body.map((json) => ({ json }));' },
		},
	];
}

function withCredential(n8n: RunningN8n) {
	return async ({ credential, ...node }: Step) => {
		if (!credential) return node;
		const { type, data } = credential;
		const { id, name } = (await n8n.call('POST', '/credentials', {
			name: type,
			type,
			data,
		})) as { id: string; name: string };
		return { ...node, credentials: { [type]: { id, name } } };
	};
}

function connectInOrder(nodes: { name: string }[]) {
	const pairs = nodes.slice(1).map(({ name }, i) => {
		const main = [[{ node: name, type: 'main', index: 0 }]];
		return [nodes[i]!.name, { main }] as const;
	});
	return Object.fromEntries(pairs);
}
