import { live } from './live';
import { type Json, callN8n } from './n8n';

interface Node extends Json {
	id: string;
	name: string;
	type: string;
}

export const manualTrigger: Node = {
	id: 'start',
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	parameters: {},
};

export function webhook(path: string, responseMode = 'onReceived'): Node {
	return {
		id: 'webhook',
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		webhookId: path,
		parameters: { httpMethod: 'POST', path, responseMode, options: {} },
	};
}

export function messagingGateway(parameters: Json): Node {
	return {
		id: 'ours',
		name: 'Messaging Gateway',
		type: 'n8n-nodes-messaging-gateway.messagingGateway',
		typeVersion: 1,
		parameters,
		credentials: { messagingGatewayApi: live.credential },
	};
}

export function messagingGatewayTrigger(parameters: Json): Node {
	return {
		...messagingGateway(parameters),
		name: 'Messaging Gateway Trigger',
		type: 'n8n-nodes-messaging-gateway.messagingGatewayTrigger',
	};
}

/** Creates a workflow in which each node is connected to the next. Returns its id. */
export async function createWorkflow(nodes: Node[], more: Json = {}): Promise<string> {
	const links = nodes
		.slice(1)
		.map(({ name }, index) => [
			nodes[index]!.name,
			{ main: [[{ node: name, type: 'main', index: 0 }]] },
		]);
	const { id } = await callN8n<{ id: string }>('POST', '/workflows', {
		name: 'Test',
		settings: { executionOrder: 'v1' },
		nodes: nodes.map((node, index) => ({ ...node, position: [index * 220, 0] })),
		connections: Object.fromEntries(links) as Json,
		...more,
	});
	return id;
}

/** Runs a workflow that begins with the manual trigger. Returns the id of the execution. */
export async function startWorkflow(id: string): Promise<string> {
	const { executionId } = await callN8n<{ executionId: string }>('POST', `/workflows/${id}/run`, {
		triggerToStartFrom: { name: manualTrigger.name },
	});
	return executionId;
}
