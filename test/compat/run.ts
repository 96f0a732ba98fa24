import { createRequire } from 'node:module';
import { join } from 'node:path';

import { live, type Live } from '../live/live';
import { type Json, press, until } from '../live/n8n';
import { newWorkflow } from '../live/newWorkflow';

export const { n8n } = live as Live & {
	n8n: { place: string; version: string; node: { version: string } };
};

export interface Item {
	json: Json;
	binary?: Record<string, { mimeType: string; fileName?: string }>;
}

export interface Run {
	status: string;
	error?: { message: string; description?: string };
	/** The items that came out of a node, output by output. */
	outputs: (node: string) => Item[][];
}

type Nodes = Parameters<typeof newWorkflow>[0];

/** Runs new nodes one after the other, the first by hand, and waits for the end. */
export async function run(nodes: Nodes, more?: Json): Promise<Run> {
	return await endOf(await begin(nodes, more));
}

/** n8n 1 wants to be told that it is not active. */
export async function saved(nodes: Nodes, more?: Json): Promise<string> {
	return await newWorkflow(nodes, { active: false, ...more });
}

/** Presses Publish, and waits until n8n answers at the workflow's address, which this returns: old ones say it in no other way. */
export async function published(id: string, address: string): Promise<string> {
	const { versionId } = await press<{ versionId: string }>('GET', `/workflows/${id}`);
	await press('POST', `/workflows/${id}/activate`, { versionId });
	const url = `${live.urls.n8n}${address}`;
	return await until(url, async () => {
		const origin = { origin: live.urls.n8n, 'access-control-request-method': 'POST' };
		const { headers } = await fetch(url, { method: 'OPTIONS', headers: origin });
		return headers.get('access-control-allow-methods')?.includes(',') ? url : undefined;
	});
}

/** Presses Execute Workflow. */
export async function begin(nodes: Nodes, more?: Json): Promise<string> {
	const id = await saved(nodes, more);
	const { executionId } = await press<{ executionId: string }>('POST', `/workflows/${id}/run`, {
		// From 2.0 on n8n takes the stored one.
		workflowData: await press('GET', `/workflows/${id}`),
		triggerToStartFrom: { name: nodes[0]!.name },
	});
	return executionId;
}

export async function endOf(executionId: string): Promise<Run> {
	return await until(`the end of execution ${executionId}`, async () => {
		const execution = await stored(executionId);
		if (!execution || ['new', 'running'].includes(execution.status)) return undefined;
		return whatIsIn(execution);
	});
}

interface Stored {
	status: string;
	data: string;
}

/** n8n 2.20 answers 500 as long as nothing has come of it. */
async function stored(executionId: string): Promise<Stored | undefined> {
	return await press<Stored>('GET', `/executions/${executionId}`).catch(() => undefined);
}

interface RunData {
	resultData: {
		error?: Run['error'];
		runData: Record<string, Array<{ data?: { main: Array<Item[] | null> } }>>;
	};
}

const { parse } = createRequire(join(n8n.place, 'node_modules/n8n/package.json'))('flatted') as {
	parse: (text: string) => unknown;
};

/** n8n 1 says how it ended before it has stored what came of it. */
function whatIsIn({ status, data }: Stored): Run | undefined {
	const execution = parse(data) as RunData | undefined;
	if (!execution) return undefined;
	const { error, runData } = execution.resultData;
	const outputs = (node: string) =>
		(runData[node]?.at(-1)?.data?.main ?? []).map((items) => items ?? []);
	return { status, error, outputs };
}
