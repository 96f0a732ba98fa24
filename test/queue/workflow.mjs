import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { credentialData } from '../../live/n8n/seed.mjs';

const TIMEOUT_MS = 60_000;

/**
 * When the webhook responds, and where the idempotency keys come from. `queued`: as soon as the call is in the database
 * and in the queue. `delivered`: when its messages are delivered. A caller that gets no 200 repeats the call, which starts
 * another execution, so the key has to come from the caller.
 */
const RESPONSES = {
	queued: {
		webhook: { responseMode: 'onReceived', options: {} },
		textKey: 'automatic',
		fileKey: 'automatic',
	},
	delivered: {
		webhook: { responseMode: 'lastNode', responseData: 'noData', options: {} },
		textKey: '=order {{ $json.text }}',
		fileKey: '=order {{ $json.query.caption }}',
	},
};

/** Publishes a workflow with two webhooks. Their URLs are the returned `url`, followed by `-texts` or `-file`. */
export async function publishWorkflow(
	queue,
	{ respondWhen = 'queued', waitAfterSend = false } = {},
) {
	const response = RESPONSES[respondWhen];
	const path = randomUUID();
	const credential = await createCredential(queue);
	const texts = [
		webhook(path, 'texts', response),
		splitOut('body.messages'),
		send(credential, 'send', {
			chatId: '={{ $json.chat }}',
			text: '={{ $json.text }}',
			options: { idempotencyKey: response.textKey },
		}),
	];
	const file = [
		webhook(path, 'file', response),
		send(credential, 'sendMedia', {
			chatId: '={{ $json.query.chat }}',
			mediaType: 'file',
			caption: '={{ $json.query.caption }}',
			options: {
				fileName: 'file.pdf',
				idempotencyKey: response.fileKey,
			},
		}),
	];
	if (waitAfterSend) {
		for (const branch of [texts, file]) branch.push(wait(`Wait after ${branch[0].name}`));
	}
	return await publish(queue, path, [texts, file]);
}

/**
 * Creates a workflow with a manual trigger: it reads the QR image, sends it when the session is online, asks for an
 * approval, and sends the decision. Returns its id.
 */
export async function createManualWorkflow(queue, { chatId, caption, message }) {
	const credential = await createCredential(queue);
	const whenOffline = { values: { offlineAction: 'wait' } };
	const nodes = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		send(credential, 'qrImage', { resource: 'session' }),
		send(credential, 'sendMedia', { chatId, caption, options: { whenOffline } }),
		send(credential, 'sendAndWait', {
			chatId,
			message,
			approvalOptions: { values: { approvalType: 'double' } },
		}),
		send(credential, 'send', {
			chatId,
			text: '={{ $json.data.approved ? "Approved" : "Declined" }}',
		}),
	];
	return (await create(queue, [nodes])).id;
}

async function createCredential({ main, gateway }) {
	const type = 'messagingGatewayApi';
	const data = credentialData(gateway.account);
	return await main.editor.call('POST', '/credentials', { name: type, type, data });
}

/** Publishes a workflow with these branches, each of which starts with a webhook. */
async function publish(queue, path, branches) {
	const { main, webhooks } = queue;
	const workflow = await create(queue, branches);
	await main.editor.call('POST', `/workflows/${workflow.id}/activate`, {
		versionId: workflow.versionId,
	});
	const url = `${webhooks.url}/webhook/${path}`;
	await waitForWebhook(`${webhooks.url}/webhook/${branches.at(-1)[0].parameters.path}`);
	return { id: workflow.id, url };
}

/** Creates a workflow with these branches. */
async function create({ main: { editor } }, branches) {
	return await editor.call('POST', '/workflows', {
		name: 'Queue mode',
		settings: { executionOrder: 'v1' },
		nodes: branches.flat().map((node, i) => ({ ...node, id: String(i), position: [i * 200, 0] })),
		connections: Object.assign({}, ...branches.map(connectInOrder)),
	});
}

function webhook(path, name, response) {
	return {
		name,
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		webhookId: `${path}-${name}`,
		parameters: { httpMethod: 'POST', path: `${path}-${name}`, ...response.webhook },
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

function send(credential, operation, parameters) {
	return {
		name: operation,
		type: 'n8n-nodes-messaging-gateway.messagingGateway',
		typeVersion: 1,
		parameters: { resource: 'message', operation, ...parameters },
		credentials: { messagingGatewayApi: { id: credential.id, name: credential.name } },
	};
}

function wait(name) {
	return {
		name,
		type: 'n8n-nodes-base.wait',
		typeVersion: 1.1,
		parameters: { amount: 1, unit: 'seconds' },
	};
}

function connectInOrder(nodes) {
	const links = nodes.slice(1).map(({ name }, i) => {
		return [nodes[i].name, { main: [[{ node: name, type: 'main', index: 0 }]] }];
	});
	return Object.fromEntries(links);
}

/** n8n reports a workflow as active before its webhook exists. */
export async function waitForWebhook(url) {
	const deadline = Date.now() + TIMEOUT_MS;
	const preflight = { origin: url, 'access-control-request-method': 'POST' };
	for (;;) {
		const { headers } = await fetch(url, { method: 'OPTIONS', headers: preflight });
		if (headers.get('access-control-allow-methods')?.includes('POST')) return;
		if (Date.now() > deadline) throw new Error(`n8n does not listen at ${url}.`);
		await delay(100);
	}
}
