import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';

const PATIENCE_MS = 60_000;

/**
 * When a call is answered, and what makes a repeated message the same one. `atOnce`: as soon as database and queue have it.
 * `delivered`: when its messages have gone out; who gets no 200 calls again, and that is another execution, so the key has
 * to come from the caller.
 */
const ANSWERS = {
	atOnce: {
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

/** A published workflow with two webhooks, and their address up to the name of one of them. It may go on after a message. */
export async function publishWorkflow(
	{ main, webhooks, gateway },
	{ whenAnswered = 'atOnce', goesOn = false } = {},
) {
	const { editor } = main;
	const answers = ANSWERS[whenAnswered];
	const path = randomUUID();
	const credential = await editor.call('POST', '/credentials', {
		name: 'Sandbox',
		type: 'messagingGatewayApi',
		data: gateway.account,
	});
	const texts = [
		webhook(path, 'texts', answers),
		splitOut('body.messages'),
		send(credential, 'send', {
			chatId: '={{ $json.chat }}',
			text: '={{ $json.text }}',
			options: { idempotencyKey: answers.textKey },
		}),
	];
	const file = [
		webhook(path, 'file', answers),
		send(credential, 'sendMedia', {
			chatId: '={{ $json.query.chat }}',
			mediaType: 'file',
			options: {
				caption: '={{ $json.query.caption }}',
				fileName: 'file.pdf',
				idempotencyKey: answers.fileKey,
			},
		}),
	];
	if (goesOn) for (const branch of [texts, file]) branch.push(pause(`After ${branch[0].name}`));
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
	const url = `${webhooks.url}/webhook/${path}`;
	await whenItListens(`${url}-file`);
	return { id: workflow.id, url };
}

function webhook(path, name, answers) {
	return {
		name,
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		webhookId: `${path}-${name}`,
		parameters: { httpMethod: 'POST', path: `${path}-${name}`, ...answers.webhook },
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

function pause(name) {
	return {
		name,
		type: 'n8n-nodes-base.wait',
		typeVersion: 1.1,
		parameters: { amount: 1, unit: 'seconds' },
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
