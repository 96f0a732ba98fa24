import { setTimeout as pause } from 'node:timers/promises';

import type { INode, IRunData } from 'n8n-workflow';

import type { Text } from '../messages';
import { settled } from '../rounds';
import { cpuOfThoseIn } from './cpu';
import type { Started } from './start.mjs' with { 'resolution-mode': 'import' };

/** A node as somebody sets it up in the editor: what is not named keeps its default. */
export interface Step extends Pick<INode, 'name' | 'type' | 'typeVersion' | 'parameters'> {
	credential?: { type: string; data: object };
}

export interface CostInN8n {
	/** What the steps took by n8n's own clock, without those that only bring the items. */
	wallMs: number;
	/** Of the whole execution, in all of n8n's processes. */
	cpuMs?: number;
}

export interface RealN8n {
	version: string;
	/** Makes a workflow of these steps. Each call then is one execution of it. */
	workflow(name: string, steps: Step[]): Promise<(texts: Text[]) => Promise<CostInN8n>>;
	stop(): Promise<void>;
}

export async function startRealN8n(home: string): Promise<RealN8n> {
	const { start } = await import('./start.mjs');
	const n8n = await start(home);
	return {
		version: n8n.version,
		async workflow(name, steps) {
			const id = await publish(n8n, name, steps);
			return async (texts) => {
				await settled();
				const cpuBefore = cpuOfThoseIn(home);
				await execute(n8n, name, texts);
				const cpuAfter = cpuOfThoseIn(home);
				const runData = await lastRunOf(n8n, id);
				return {
					wallMs: timeOf(runData, steps),
					...(cpuBefore !== undefined && { cpuMs: cpuAfter! - cpuBefore }),
				};
			};
		},
		stop: async () => await n8n.stop(),
	};
}

const PATIENCE_MS = 60_000;

/** Saved when it is over, which is n8n's default: it is the way to the times of the nodes. */
const SETTINGS = { executionOrder: 'v1', saveDataSuccessExecution: 'all' };

async function publish(n8n: Started, name: string, steps: Step[]): Promise<string> {
	const nodes = [...broughtBy(name), ...(await Promise.all(steps.map(withCredential(n8n))))];
	const workflow = (await n8n.call('POST', '/workflows', {
		name,
		nodes: nodes.map((node, i) => ({ ...node, id: `${name} ${i}`, position: [i * 200, 0] })),
		connections: inARow(nodes),
		settings: SETTINGS,
	})) as { id: string; versionId: string };
	await n8n.call('POST', `/workflows/${workflow.id}/activate`, { versionId: workflow.versionId });
	await untilItStarts(n8n, name);
	return workflow.id;
}

/** n8n says that a workflow is active some seconds before its webhook is there. */
async function untilItStarts(n8n: Started, name: string): Promise<void> {
	const until = Date.now() + PATIENCE_MS;
	while ((await execute(n8n, name, [])) === 404) {
		if (Date.now() > until) throw new Error(`n8n does not make the workflow ${name} active.`);
		await pause(250);
	}
}

/** Ends when the execution does, whichever way. */
async function execute(n8n: Started, name: string, texts: Text[]): Promise<number> {
	const response = await fetch(`${n8n.url}/webhook/${name}`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify(texts),
	});
	await response.arrayBuffer();
	return response.status;
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

async function lastRunOf(n8n: Started, workflowId: string): Promise<IRunData> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const { results } = (await n8n.call('GET', `/executions?filter=${filter}&limit=1`)) as {
		results: { id: string }[];
	};
	const { status, data } = (await n8n.call('GET', `/executions/${results[0]?.id}`)) as {
		status: string;
		data: string;
	};
	const { error, runData } = n8n.parseRunData(data).resultData;
	if (status === 'success') return runData;
	throw new Error(`The execution ended with ${status}: ${error?.message}`);
}

function timeOf(runData: IRunData, steps: Step[]): number {
	return steps
		.flatMap(({ name }) => runData[name]!)
		.reduce((sum, { executionTime }) => sum + executionTime, 0);
}
