import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { createDataTable, credentialData } from '../../dev/live/n8n/seed.mjs';
import { root } from '../../dev/tools/install.mjs';
import { readJson } from '../../dev/tools/jsonFile.mjs';

/** Polls until the condition holds. Returns what it has returned then. */
export async function waitFor(condition, failure, timeoutMs = 60_000) {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const result = await condition();
		if (result) return result;
		if (Date.now() > deadline) throw new Error(failure);
		await delay(100);
	}
}

/**
 * Publishes a workflow with two webhooks. Their URLs are the returned `url`, followed by `-texts` or `-file`. They respond as soon
 * as the call is in the database and in the queue, or, with `respondsLast`, when its messages are delivered. A caller that gets no
 * 200 then repeats the call, which starts another execution, so the key has to come from the caller.
 */
export async function publishWorkflow(
	queue,
	{ respondsLast = false, waitAfterSend = false, limits = {} } = {},
) {
	const path = randomUUID();
	const credential = await createGatewayCredential(queue, limits);
	const webhook = (name) => ({
		...node('webhook', 2.1, name, {
			...{ httpMethod: 'POST', path: `${path}-${name}`, options: {} },
			...(respondsLast
				? { responseMode: 'lastNode', responseData: 'noData' }
				: { responseMode: 'onReceived' }),
		}),
		webhookId: `${path}-${name}`,
	});
	const keyOf = (name) => (respondsLast ? `=order {{ ${name} }}` : 'automatic');
	const texts = [
		webhook('texts'),
		node('splitOut', 1, 'Split Out', { fieldToSplitOut: 'body.messages', options: {} }),
		send(credential, 'send', {
			chatId: '={{ $json.chat }}',
			text: '={{ $json.text }}',
			options: { idempotencyKey: keyOf('$json.text') },
		}),
	];
	const file = [
		webhook('file'),
		send(credential, 'sendMedia', {
			chatId: '={{ $json.query.chat }}',
			mediaType: 'file',
			caption: '={{ $json.query.caption }}',
			options: { fileName: 'file.pdf', idempotencyKey: keyOf('$json.query.caption') },
		}),
	];
	for (const branch of waitAfterSend ? [texts, file] : []) {
		branch.push(node('wait', 1.1, `Wait after ${branch[0].name}`, { amount: 1, unit: 'seconds' }));
	}
	const { id } = await publish(queue, withBranches([texts, file]), `${path}-file`);
	return { id, url: `${queue.webhooks.url}/webhook/${path}` };
}

/** Creates the data tables of an example. */
export async function createTablesOf({ main: { editor } }, file) {
	const { nodes } = readJson(join(root, 'examples', `${file}.json`));
	for (const each of nodes) await createDataTable(editor, each);
}

/**
 * Creates a workflow with a manual trigger: it reads the QR image, sends it when the session is online, asks for an
 * approval, and sends the decision. Returns its id.
 */
export async function createManualWorkflow(queue, { chatId, caption, message }) {
	const credential = await createGatewayCredential(queue);
	const whenOffline = { values: { offlineAction: 'wait' } };
	const nodes = [
		node('manualTrigger', 1, 'Start', {}),
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
	return (await queue.main.editor.call('POST', '/workflows', withBranches([nodes]))).id;
}

/**
 * Publishes an example with its data tables, its webhooks at this path, its credentials by their types, and other parameters by
 * the names of their nodes; `edit` changes a node before. Returns a function that deactivates it.
 */
export async function publishExample(
	queue,
	file,
	{ path, credentials, parameters, edit = (node) => node },
) {
	const { editor } = queue.main;
	const example = readJson(join(root, 'examples', `${file}.json`));
	const nodes = example.nodes.map(edit).map((each) => ({
		...each,
		...(each.webhookId && { webhookId: randomUUID() }),
		credentials: Object.fromEntries(
			Object.keys(each.credentials ?? {}).map((type) => [type, credentials[type]]),
		),
		parameters: {
			...each.parameters,
			...(each.webhookId && { path }),
			...parameters?.[each.name],
		},
	}));
	for (const each of nodes) await createDataTable(editor, each);
	const { name, connections, settings } = example;
	const { id } = await publish(queue, { name, nodes, connections, settings }, path);
	return async () => await editor.call('POST', `/workflows/${id}/deactivate`, {});
}

export async function createCredential({ main }, type, data) {
	const { id, name } = await main.editor.call('POST', '/credentials', { name: type, type, data });
	return { id, name };
}

export const createGatewayCredential = async (queue, limits = {}) =>
	await createCredential(queue, 'messagingGatewayApi', {
		...credentialData(queue.gateway.account),
		...limits,
	});

/** n8n reports a workflow as active before its webhook exists. */
export async function publish({ main: { editor }, webhooks }, details, webhookPath) {
	const { id, versionId } = await editor.call('POST', '/workflows', details);
	await editor.call('POST', `/workflows/${id}/activate`, { versionId });
	if (!webhookPath) return { id };
	const url = `${webhooks.url}/webhook/${webhookPath}`;
	const preflight = { origin: url, 'access-control-request-method': 'POST' };
	await waitFor(async () => {
		const { headers } = await fetch(url, { method: 'OPTIONS', headers: preflight });
		return headers.get('access-control-allow-methods')?.includes('POST');
	}, `n8n does not listen at ${url}.`);
	return { id };
}

export const withBranches = (branches) => ({
	name: 'Queue mode',
	settings: { executionOrder: 'v1' },
	nodes: branches.flat().map((each, i) => ({ ...each, id: String(i), position: [i * 200, 0] })),
	connections: Object.assign({}, ...branches.map(connectInOrder)),
});

export const node = (type, typeVersion, name, parameters) => ({
	...{ name, type: `n8n-nodes-base.${type}`, typeVersion, parameters },
});

function send(credential, operation, parameters) {
	return {
		name: operation,
		type: 'n8n-nodes-messaging-gateway.messagingGateway',
		typeVersion: 1,
		parameters: { resource: 'message', operation, ...parameters },
		credentials: { messagingGatewayApi: credential },
	};
}

function connectInOrder(nodes) {
	const links = nodes.slice(1).map(({ name }, i) => {
		return [nodes[i].name, { main: [[{ node: name, type: 'main', index: 0 }]] }];
	});
	return Object.fromEntries(links);
}
