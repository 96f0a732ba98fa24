import { live } from './live';
import { type Json, callN8n } from './n8n';

export interface Node extends Json {
	id: string;
	name: string;
	type: string;
}

/** Links of questions contain the ID. */
export function node(name: string, type: string, parameters: Json, more: Json = {}): Node {
	const id = name.toLowerCase().replaceAll(' ', '-');
	return { id, name, type, typeVersion: 1, parameters, ...more };
}

export const manualTrigger = node('Start', 'n8n-nodes-base.manualTrigger', {});

export const webhook = (path: string) =>
	node(
		'Webhook',
		'n8n-nodes-base.webhook',
		{ httpMethod: 'POST', path, options: {} },
		{ typeVersion: 2, webhookId: path },
	);

export const mcpServer = (path: string) =>
	node(
		'MCP server',
		'@n8n/n8n-nodes-langchain.mcpTrigger',
		{ path },
		{ typeVersion: 2, webhookId: path },
	);

/** Has the input from which the editor lists the output fields of the node before. */
export const editFields = node(
	'Edit Fields',
	'n8n-nodes-base.set',
	{ options: {} },
	{ typeVersion: 3.4 },
);

const ours = (type: string, name: string, parameters: Json) =>
	node(name, `n8n-nodes-messaging-gateway.${type}`, parameters, {
		credentials: { messagingGatewayApi: live.credential },
	});

export const messagingGateway = (parameters: Json, name = 'Messaging Gateway') =>
	ours('messagingGateway', name, parameters);

export const messagingGatewayTool = (name: string, parameters: Json) =>
	ours('messagingGatewayTool', name, { descriptionType: 'manual', ...parameters });

export const messagingGatewayReview = (parameters: Json) =>
	ours('messagingGatewayHitlTool', 'Review', parameters);

export const messagingGatewayTrigger = (parameters: Json) =>
	ours('messagingGatewayTrigger', 'Messaging Gateway Trigger', parameters);

/** Sends a text as whoever may use the credential but does not see its secret can. */
export const httpRequest = (chatId: string, text: string) =>
	node(
		'HTTP Request',
		'n8n-nodes-base.httpRequest',
		{
			method: 'POST',
			url: `${live.account.baseUrl}/api/whatsapp/{token}/sendMessage`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'messagingGatewayApi',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: JSON.stringify({ chatId, type: 'text', text }),
			options: {},
		},
		{ typeVersion: 4.2, credentials: { messagingGatewayApi: live.credential } },
	);

/** From a node to another one, in outputs of the given type. */
type Link = [from: string, to: string, type: string];

export function connections(links: Link[]): Json {
	const bySource: Record<string, Record<string, Json[][]>> = {};
	for (const [from, to, type] of links) {
		const ofType = ((bySource[from] ??= {})[type] ??= [[]]);
		ofType[0]!.push({ node: to, type, index: 0 });
	}
	return bySource;
}

/** Creates a workflow in which each node is connected to the next. Returns its id. */
export async function createWorkflow(nodes: Node[], more: Json = {}): Promise<string> {
	const links = nodes.slice(1).map(({ name }, index): Link => [nodes[index]!.name, name, 'main']);
	const { id } = await callN8n<{ id: string }>('POST', '/workflows', {
		name: 'Test',
		// n8n 1 requires it.
		active: false,
		settings: { executionOrder: 'v1' },
		nodes: nodes.map((each, index) => ({ ...each, position: [index * 220, 0] })),
		connections: connections(links),
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
