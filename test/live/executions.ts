import { type Json, callN8n, waitFor } from './n8n';

export interface Execution {
	status: string;
	/** Why it failed. */
	error?: string;
	/** The items of a node, one list per output. */
	outputs: (node: string) => Json[][];
	/** What a node adds to the trace of the execution. */
	tracing: (node: string) => Json | undefined;
}

/** Waits until an execution has ended. */
export async function waitForExecution(id: string): Promise<Execution> {
	return await waitFor(`the end of execution ${id}`, async () => {
		const execution = await readExecution(id);
		if (!execution || ['new', 'running'].includes(execution.status)) return undefined;
		const data = unflatten(execution.data) as RunData | undefined;
		// n8n 1 stores the final status before the run data.
		if (!data) return undefined;
		const { error, runData } = data.resultData;
		return {
			status: execution.status,
			error: error?.message,
			outputs: outputsIn(runData),
			tracing: (node) => runData[node]?.[0]?.metadata?.tracing,
		};
	});
}

/** n8n 2.20 responds with 500 until the execution has run data. */
const readExecution = async (id: string) =>
	await callN8n<{ status: string; data: string }>('GET', `/executions/${id}`).catch(
		() => undefined,
	);

export const statusOf = async (id: string) => (await readExecution(id))?.status;

/** All executions of a workflow, oldest first. */
export async function executionsOf(workflow: string): Promise<Execution[]> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow }));
	const { results } = await callN8n<{ results: Array<{ id: string }> }>(
		'GET',
		`/executions?filter=${filter}`,
	);
	return await Promise.all(results.reverse().map(async ({ id }) => await waitForExecution(id)));
}

interface RunData {
	resultData: {
		error?: { message: string };
		runData: Record<
			string,
			Array<{
				data?: { main: Array<Array<{ json: Json }> | null> };
				metadata?: { tracing?: Json };
			}>
		>;
	};
}

function outputsIn(runData: RunData['resultData']['runData']): Execution['outputs'] {
	return (node) =>
		(runData[node]?.[0]?.data?.main ?? []).map((items) => (items ?? []).map(({ json }) => json));
}

/** n8n serializes run data with flatted: a list of values in which objects refer to each other by index. */
function unflatten(stored: string): unknown {
	const list = JSON.parse(stored) as unknown[];
	const revived = new Map<string, unknown>();
	const revive = (index: unknown): unknown => {
		if (typeof index !== 'string') return index;
		const found = list[Number(index)];
		if (typeof found !== 'object' || found === null) return found;
		if (!revived.has(index)) {
			const copy = (Array.isArray(found) ? [] : {}) as Json;
			revived.set(index, copy);
			for (const [key, value] of Object.entries(found)) copy[key] = revive(value);
		}
		return revived.get(index);
	};
	return revive('0');
}
