import type { INode } from 'n8n-workflow';

import type { Started } from './start.mjs' with { 'resolution-mode': 'import' };

/** A node as somebody sets it up in the editor: what is not named keeps its default. */
export interface Step extends Pick<INode, 'name' | 'type' | 'typeVersion' | 'parameters'> {
	credential?: { type: string; data: object };
}

/** Saved when it is over, which is n8n's default: it is the way to the times of the nodes. */
const SETTINGS = { executionOrder: 'v1', saveDataSuccessExecution: 'all' };

/** A workflow that a call of its webhook runs, with the call's texts as items for the steps. */
export async function publish(n8n: Started, name: string, steps: Step[]): Promise<string> {
	const nodes = [...broughtBy(name), ...(await Promise.all(steps.map(withCredential(n8n))))];
	const workflow = (await n8n.call('POST', '/workflows', {
		name,
		nodes: nodes.map((node, i) => ({ ...node, id: `${name} ${i}`, position: [i * 200, 0] })),
		connections: inARow(nodes),
		settings: SETTINGS,
	})) as { id: string; versionId: string };
	await n8n.call('POST', `/workflows/${workflow.id}/activate`, { versionId: workflow.versionId });
	return workflow.id;
}

/** What starts the execution, waits for its end, and makes items of the texts. */
function broughtBy(name: string) {
	return [
		{
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2.1,
			// Without an id n8n makes a path of its own.
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

function withCredential(n8n: Started) {
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

function inARow(nodes: { name: string }[]) {
	const pairs = nodes.slice(1).map(({ name }, i) => {
		const main = [[{ node: name, type: 'main', index: 0 }]];
		return [nodes[i]!.name, { main }] as const;
	});
	return Object.fromEntries(pairs);
}
