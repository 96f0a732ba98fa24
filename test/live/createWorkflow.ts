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

/** Sends a text as whoever may use the credential but does not see its secret can. */
export function httpRequest(chatId: string, text: string): Node {
	return {
		id: 'httpRequest',
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url: `${live.account.baseUrl}/api/whatsapp/{token}/sendMessage`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'messagingGatewayApi',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: JSON.stringify({ chatId, type: 'text', text }),
			options: {},
		},
		credentials: { messagingGatewayApi: live.credential },
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
		// n8n 1 requires it.
		active: false,
		settings: { executionOrder: 'v1' },
		nodes: nodes.map((node, index) => ({ ...node, position: [index * 220, 0] })),
		connections: Object.fromEntries(links) as Json,
		...more,
	});
	return id;
}

/** Does what Execute Workflow does in the editor. Returns the id of the execution. */
export async function startWorkflow(id: string, trigger = manualTrigger.name): Promise<string> {
	const { executionId } = await callN8n<{ executionId: string }>('POST', `/workflows/${id}/run`, {
		// Since 2.0 n8n ignores this and runs the stored workflow.
		workflowData: await callN8n('GET', `/workflows/${id}`),
		triggerToStartFrom: { name: trigger },
	});
	return executionId;
}
