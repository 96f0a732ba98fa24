import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';

const PATIENCE_MS = 60_000;

/** A published workflow with two webhooks, and their address up to the name of one of them. */
export async function publishWorkflow({ editor, webhookUrl, sandbox }) {
	const path = randomUUID();
	const credential = await editor.call('POST', '/credentials', {
		name: 'Sandbox',
		type: 'messagingGatewayApi',
		data: sandbox.account,
	});
	const texts = [
		webhook(path, 'texts'),
		splitOut('body.messages'),
		send(credential, 'send', { chatId: '={{ $json.chat }}', text: '={{ $json.text }}' }),
	];
	const file = [
		webhook(path, 'file'),
		send(credential, 'sendMedia', {
			chatId: '={{ $json.query.chat }}',
			mediaType: 'file',
			options: { caption: '={{ $json.query.caption }}', fileName: 'file.pdf' },
		}),
	];
	const workflow = await editor.call('POST', '/workflows', {
		name: 'Queue mode',
		settings: { executionOrder: 'v1' },
		nodes: [...texts, ...file].map((node, i) => ({
			...node,
			id: String(i),
			position: [i * 200, 0],
		})),
		connections: { ...inARow(texts), ...inARow(file) },
	});
	await editor.call('POST', `/workflows/${workflow.id}/activate`, {
		versionId: workflow.versionId,
	});
	await whenItListens(`${webhookUrl}/${path}-file`);
	return { id: workflow.id, url: `${webhookUrl}/${path}` };
}

/** Answers 200 with the id of the execution, when database and queue have it. */
function webhook(path, name) {
	return {
		name,
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		webhookId: `${path}-${name}`,
		parameters: {
			httpMethod: 'POST',
			path: `${path}-${name}`,
			responseMode: 'onReceived',
			options: { responseData: '={{ $execution.id }}' },
		},
	};
}

function splitOut(field) {
	return {
		name: 'Split Out',
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: { fieldToSplitOut: field, options: {} },
	};
}

function send(credential, operation, { options, ...fields }) {
	return {
		name: operation,
		type: 'n8n-nodes-messaging-gateway.messagingGateway',
		typeVersion: 1,
		parameters: {
			resource: 'message',
			operation,
			...fields,
			options: { ...options, idempotencyKey: 'automatic' },
		},
		credentials: { messagingGatewayApi: { id: credential.id, name: credential.name } },
	};
}

function inARow(nodes) {
	const links = nodes.slice(1).map(({ name }, i) => {
		return [nodes[i].name, { main: [[{ node: name, type: 'main', index: 0 }]] }];
	});
	return Object.fromEntries(links);
}

/** n8n says that a workflow is active before its webhook is there. */
async function whenItListens(url) {
	const until = Date.now() + PATIENCE_MS;
	const preflight = { origin: url, 'access-control-request-method': 'POST' };
	for (;;) {
		const { headers } = await fetch(url, { method: 'OPTIONS', headers: preflight });
		if (headers.get('access-control-allow-methods')?.includes('POST')) return;
		if (Date.now() > until) throw new Error(`n8n does not listen at ${url}.`);
		await after(100);
	}
}
