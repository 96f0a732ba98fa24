import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { INode, IRunExecutionData } from 'n8n-workflow';

import { installPackage } from '../live/n8n/communityPackage.mjs';
import { ownerOf } from '../live/n8n/owner.mjs';
import { startN8n } from '../live/n8n/startN8n.mjs';
import { freePort } from '../live/process/freePort.mjs';
import { installation } from '../live/workspace/paths.mjs';
import { watchCpu } from '../../test/harness/cpu.js';
import { type Account, storedAccount } from '../../test/harness/engine.js';
import { SEND, type Senders, settle, type Text } from './engine.js';
import type { Gateway } from './gateway.js';

const FIRST_PORT = 25_678;
const TIMEOUT_MS = 60_000;

const requireOfN8n = createRequire(join(installation, 'node_modules/n8n/package.json'));
/** n8n's REST API returns run data serialized with flatted. */
const { parse } = requireOfN8n('flatted') as { parse: (data: string) => IRunExecutionData };

export const { version } = requireOfN8n('./package.json') as { version: string };

/** A node as a user sets it up in the editor. Parameters that are not given keep their defaults. */
interface Step extends Pick<INode, 'type' | 'typeVersion' | 'parameters'> {
	credential?: { type: string; data: object };
}

/** Starts the n8n that `npm start` installed, with our node. Its data is apart from the user's own n8n. */
export async function startRealN8n({ account, telegramUrl }: Gateway) {
	const home = mkdtempSync(join(process.env.N8N_USER_FOLDER!, 'n8n-'));
	await installPackage(home);
	const port = await freePort(FIRST_PORT);
	const brokerPort = await freePort(port + 1);
	const { program, url, editor } = await startN8n({ home, port, brokerPort, owner: ownerOf(home) });
	const call = async <Result,>(...request: Parameters<typeof editor.call>) =>
		(await editor.call(...request)) as Result;

	return { stop: program.stop, senders };

	/** Publishes one workflow per sender. Each call of `send` executes it once. */
	async function senders(latencyMs: number): Promise<Senders> {
		const workflows: Record<string, Step[]> = {
			ours: [ours(account, {})],
			...(latencyMs === 50 && { 'ours, concurrency 50': [ours(account, { concurrency: 50 })] }),
			chain: chain(account),
			Telegram: [telegram(`${telegramUrl}/${latencyMs}`)],
		};
		const entries = Object.entries(workflows).map(async ([name, steps]) => {
			const path = `${name.replace(/\W+/g, '-')}-${latencyMs}`;
			const workflow = await publish(path, steps);
			const send = async (texts: Text[]) => {
				await settle();
				const cpu = watchCpu(home);
				await execute(path, texts);
				const cpuMs = cpu() ?? NaN;
				return { cpuMs, ms: await executionTime(workflow, steps.length) };
			};
			return [name, send] as const;
		});
		return Object.fromEntries(await Promise.all(entries));
	}

	async function publish(path: string, steps: Step[]): Promise<string> {
		const nodes = await Promise.all([...inputSteps(path), ...steps].map(nodeOf));
		const links = nodes.slice(1).map(({ name }, i) => {
			return [nodes[i]!.name, { main: [[{ node: name, type: 'main', index: 0 }]] }] as const;
		});
		const { id, versionId } = await call<{ id: string; versionId: string }>('POST', '/workflows', {
			name: path,
			// Without an id, n8n prefixes the path of a webhook with the ids of workflow and node.
			nodes: nodes.map((node) => ({ ...node, webhookId: path })),
			connections: Object.fromEntries(links),
			// The execution times of the nodes are read from saved executions. Saving them is also n8n's default.
			settings: { executionOrder: 'v1', saveDataSuccessExecution: 'all' },
		});
		await call('POST', `/workflows/${id}/activate`, { versionId });
		// n8n reports a workflow as active before its webhook exists.
		const deadline = Date.now() + TIMEOUT_MS;
		while ((await execute(path, [])) === 404) {
			if (Date.now() > deadline) throw new Error(`n8n does not activate the workflow ${path}.`);
			await delay(250);
		}
		return id;
	}

	async function nodeOf({ credential, ...step }: Step, i: number) {
		const node = { ...step, id: String(i), name: `Step ${i}`, position: [i * 200, 0] };
		if (!credential) return node;
		const { type, data } = credential;
		const { id } = await call<{ id: string }>('POST', '/credentials', { name: type, type, data });
		return { ...node, credentials: { [type]: { id, name: type } } };
	}

	/** Resolves when the execution has ended, whether it succeeded or failed. */
	async function execute(path: string, texts: Text[]): Promise<number> {
		const response = await fetch(`${url}/webhook/${path}`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify(texts),
		});
		await response.arrayBuffer();
		return response.status;
	}

	/** n8n's own execution time of the last nodes in the last execution: without those that provide the items. */
	async function executionTime(workflowId: string, count: number): Promise<number> {
		const query = new URLSearchParams({ filter: JSON.stringify({ workflowId }), limit: '1' });
		const list = await call<{ results: Array<{ id: string }> }>('GET', `/executions?${query}`);
		const path = `/executions/${list.results[0]?.id}`;
		const { status, data } = await call<{ status: string; data: string }>('GET', path);
		const { error, runData } = parse(data).resultData;
		if (status !== 'success') throw new Error(`It ended with status ${status}: ${error?.message}`);
		const times = Object.values(runData).slice(-count).flat();
		return times.reduce((sum, { executionTime }) => sum + executionTime, 0);
	}
}

/** A webhook that responds when the execution has ended, and a node that turns the texts into items. */
const inputSteps = (path: string): Step[] => [
	{
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', responseData: 'noData' },
	},
	{
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: { jsCode: 'return $input.first().json.body.map((json) => ({ json }));' },
	},
];

const ours = (account: Account, advancedOptions: { concurrency?: number }): Step => ({
	type: 'n8n-nodes-messaging-gateway.messagingGateway',
	typeVersion: 1,
	parameters: { ...SEND, advancedOptions },
	credential: { type: 'messagingGatewayApi', data: storedAccount(account) },
});

/** What users build without this package. */
const chain = ({ baseUrl, token, secret }: Account): Step[] => [
	{
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: {
			jsCode: `return $input.all().map(({ json: { chat, text } }) => ({
	json: { timestamp: Date.now(), body: JSON.stringify({ chatId: chat, type: 'text', text }) },
}));`,
		},
	},
	{
		type: 'n8n-nodes-base.crypto',
		typeVersion: 2,
		parameters: {
			action: 'hmac',
			type: 'SHA256',
			value: `={{ $json.timestamp }}${token}{{ $json.body }}`,
			dataPropertyName: 'signature',
			encoding: 'hex',
		},
		credential: { type: 'crypto', data: { hmacSecret: secret } },
	},
	{
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: {
			method: 'POST',
			url: `${baseUrl}/api/whatsapp/${token}/sendMessage`,
			sendHeaders: true,
			headerParameters: {
				parameters: [
					{ name: 'X-API-Timestamp', value: '={{ $json.timestamp }}' },
					{ name: 'X-API-Signature', value: '={{ $json.signature }}' },
				],
			},
			sendBody: true,
			contentType: 'raw',
			rawContentType: 'application/json',
			body: '={{ $json.body }}',
		},
	},
];

const telegram = (baseUrl: string): Step => ({
	type: 'n8n-nodes-base.telegram',
	typeVersion: 1.2,
	parameters: {
		resource: 'message',
		operation: 'sendMessage',
		chatId: SEND.chatId,
		text: SEND.text,
		// Otherwise n8n appends a line about itself to every text.
		additionalFields: { appendAttribution: false },
	},
	credential: { type: 'telegramApi', data: { accessToken: 'token', baseUrl } },
});
