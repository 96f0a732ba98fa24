import { setTimeout as pause } from 'node:timers/promises';

import type { IRunData } from 'n8n-workflow';

import type { Text } from '../messages';
import { settled } from '../rounds';
import { watchCpuOfThoseIn } from './cpu';
import { publish, type Step } from './publish';
import type { Started } from './start.mjs' with { 'resolution-mode': 'import' };

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
			await untilItStarts(n8n, name);
			return async (texts) => {
				await settled();
				const cpu = watchCpuOfThoseIn(home);
				await execute(n8n, name, texts);
				const cpuMs = cpu();
				return { wallMs: timeOf(await lastRunOf(n8n, id), steps), cpuMs };
			};
		},
		stop: async () => await n8n.stop(),
	};
}

const PATIENCE_MS = 60_000;

/** n8n says that a workflow is active before its webhook is there. */
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
