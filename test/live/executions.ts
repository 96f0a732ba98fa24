import { type Json, callN8n, waitFor } from './n8n';

/** n8n serializes run data with it. TypeScript takes it for an ES module. */
const { parse } = jest.requireActual<{ parse: (text: string) => unknown }>('flatted');

export interface Execution {
	id: string;
	status: string;
	/** Why it failed. */
	error?: string;
	/** The items of a node, one list per output. */
	outputs: (node: string) => Json[][];
}

interface NodeRun {
	data?: { main: Array<Array<{ json: Json }> | null> };
}

interface RunData {
	resultData: { error?: { message: string }; runData: Record<string, NodeRun[]> };
}

/** Waits until an execution has ended. */
export async function waitForExecution(id: string): Promise<Execution> {
	return await waitFor(`the end of execution ${id}`, async () => {
		const execution = await readExecution(id);
		if (!execution || ['new', 'running'].includes(execution.status)) return undefined;
		const data = parse(execution.data) as RunData | undefined;
		// n8n 1 stores the final status before the run data.
		if (!data) return undefined;
		const { error, runData } = data.resultData;
		const outputs = (node: string) => runData[node]?.[0]?.data?.main ?? [];
		return {
			id,
			status: execution.status,
			error: error?.message,
			outputs: (node) => outputs(node).map((items) => (items ?? []).map(({ json }) => json)),
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
	const path = `/executions?filter=${filter}`;
	const { results } = await callN8n<{ results: Array<{ id: string }> }>('GET', path);
	return await Promise.all(results.reverse().map(async ({ id }) => await waitForExecution(id)));
}

/** All items that a trigger has emitted so far. Runs without items only make n8n save static data. */
export async function emittedItems(workflow: string, trigger: string): Promise<Json[]> {
	const executions = await executionsOf(workflow);
	return executions.flatMap(({ outputs }) => outputs(trigger).flat());
}

/** Waits until a trigger has emitted at least one item. */
export async function waitForItems(workflow: string, trigger: string): Promise<Json[]> {
	return await waitFor(`items of ${trigger}`, async () => {
		const items = await emittedItems(workflow, trigger);
		return items.length > 0 ? items : undefined;
	});
}
