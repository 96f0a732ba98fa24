import { live } from './live';
import { type Json, press } from './n8n';

interface Node extends Json {
	id: string;
	name: string;
	type: string;
}

export const startByHand: Node = {
	id: 'start',
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	parameters: {},
};

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

/** A workflow in which each node leads to the next, and its id. */
export async function newWorkflow(nodes: Node[], more: Json = {}): Promise<string> {
	const links = nodes
		.slice(1)
		.map(({ name }, index) => [
			nodes[index]!.name,
			{ main: [[{ node: name, type: 'main', index: 0 }]] },
		]);
	const { id } = await press<{ id: string }>('POST', '/workflows', {
		name: 'Test',
		settings: { executionOrder: 'v1' },
		nodes: nodes.map((node, index) => ({ ...node, position: [index * 220, 0] })),
		connections: Object.fromEntries(links) as Json,
		...more,
	});
	return id;
}
