import { setTimeout as delay } from 'node:timers/promises';

import type { IRunData } from 'n8n-workflow';

import { watchCpu } from '../../test/harness/cpu';
import type { Text } from '../messages';
import { settle } from '../timing';
import { publish, type Step } from './publish';
import type { RunningN8n } from './start.mjs' with { 'resolution-mode': 'import' };

export interface ExecutionCost {
	/** n8n's own execution times of the steps, without the nodes that provide the items. */
	wallMs: number;
	/** CPU time of the whole execution in all n8n processes. Undefined where the platform does not report it. */
	cpuMs?: number;
}

export interface RealN8n {
	version: string;
	/** Publishes a workflow with these steps. Each call of the returned function executes it once. */
	publish(name: string, steps: Step[]): Promise<(texts: Text[]) => Promise<ExecutionCost>>;
	stop(): Promise<void>;
}

export async function startRealN8n(home: string, environment: NodeJS.ProcessEnv): Promise<RealN8n> {
	const { start } = await import('./start.mjs');
	const n8n = await start(home, environment);
	return {
		version: n8n.version,
		async publish(name, steps) {
			const id = await publish(n8n, name, steps);
			await waitForWebhook(n8n, name);
			return async (texts) => {
				await settle();
				const cpu = watchCpu(home);
				await execute(n8n, name, texts);
				const cpuMs = cpu();
				return { wallMs: executionTime(await lastRunData(n8n, id), steps), cpuMs };
			};
		},
		stop: async () => await n8n.stop(),
	};
}

const TIMEOUT_MS = 60_000;

/** n8n reports a workflow as active before its webhook exists. */
async function waitForWebhook(n8n: RunningN8n, name: string): Promise<void> {
	const deadline = Date.now() + TIMEOUT_MS;
	while ((await execute(n8n, name, [])) === 404) {
		if (Date.now() > deadline) throw new Error(`n8n does not activate the workflow ${name}.`);
		await delay(250);
	}
}

/** Resolves when the execution has ended, whether it succeeded or failed. */
async function execute(n8n: RunningN8n, name: string, texts: Text[]): Promise<number> {
	const response = await fetch(`${n8n.url}/webhook/${name}`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify(texts),
	});
	await response.arrayBuffer();
	return response.status;
}

async function lastRunData(n8n: RunningN8n, workflowId: string): Promise<IRunData> {
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
	throw new Error(`The execution ended with status ${status}: ${error?.message}`);
}

function executionTime(runData: IRunData, steps: Step[]): number {
	return steps
		.flatMap(({ name }) => runData[name]!)
		.reduce((sum, { executionTime }) => sum + executionTime, 0);
}
