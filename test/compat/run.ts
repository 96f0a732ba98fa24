import { createRequire } from 'node:module';

import { live, type Live } from '../live/live';
import { callN8n, type Json, setActive, waitFor } from '../live/n8n';
import { createWorkflow, startWorkflow } from '../live/createWorkflow';

export const { n8n } = live as Live & {
	n8n: { manifest: string; version: string; node: { version: string } };
};

export interface Item {
	json: Json;
	binary?: Record<string, { id?: string; mimeType: string; fileName?: string }>;
}

export interface Run {
	status: string;
	error?: { message: string; description?: string };
	/** The items of a node, one list per output. */
	outputs: (node: string) => Item[][];
}

type Nodes = Parameters<typeof createWorkflow>[0];

/** Creates a workflow in which each node is connected to the next, runs it manually, and waits until it has ended. */
export async function run(nodes: Nodes, more?: Json): Promise<Run> {
	return await waitForEnd(await startExecution(nodes, more));
}

/** Returns the URL of the webhook. Waits until n8n responds there, because older versions report no publication status. */
export async function publishWebhook(id: string, path: string): Promise<string> {
	await setActive(id, true);
	const url = `${live.urls.n8n}${path}`;
	return await waitFor(url, async () => {
		const origin = { origin: live.urls.n8n, 'access-control-request-method': 'POST' };
		const { headers } = await fetch(url, { method: 'OPTIONS', headers: origin });
		return headers.get('access-control-allow-methods')?.includes(',') ? url : undefined;
	});
}

/** Creates a workflow and starts it. Returns the id of the execution. */
export const startExecution = async (nodes: Nodes, more?: Json) =>
	await startWorkflow(await createWorkflow(nodes, more), nodes[0]!.name);

export async function waitForEnd(executionId: string): Promise<Run> {
	return await waitFor(`the end of execution ${executionId}`, async () => {
		const execution = await readExecution(executionId);
		if (!execution || ['new', 'running', 'waiting'].includes(execution.status)) return undefined;
		return parseExecution(execution);
	});
}

export async function waitUntilWaiting(executionId: string): Promise<void> {
	await waitFor(`execution ${executionId} to wait`, async () => {
		const execution = await readExecution(executionId);
		return execution?.status === 'waiting' || undefined;
	});
}

interface StoredExecution {
	status: string;
	data: string;
}

/** n8n 2.20 responds with 500 until the execution has run data. */
async function readExecution(executionId: string): Promise<StoredExecution | undefined> {
	return await callN8n<StoredExecution>('GET', `/executions/${executionId}`).catch(() => undefined);
}

interface RunData {
	resultData: {
		error?: Run['error'];
		runData: Record<string, Array<{ data?: { main: Array<Item[] | null> } }>>;
	};
}

const { parse } = createRequire(n8n.manifest)('flatted') as {
	parse: (text: string) => unknown;
};

/** Returns undefined if there is no run data yet: n8n 1 stores the final status before the run data. */
function parseExecution({ status, data }: StoredExecution): Run | undefined {
	const execution = parse(data) as RunData | undefined;
	if (!execution) return undefined;
	const { error, runData } = execution.resultData;
	const outputs = (node: string) =>
		(runData[node]?.at(-1)?.data?.main ?? []).map((items) => items ?? []);
	return { status, error, outputs };
}
