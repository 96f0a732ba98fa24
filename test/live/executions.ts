import { type Json, press, until } from './n8n';

export interface Execution {
	status: string;
	/** The items that came out of a node, output by output. */
	outputs: (node: string) => Json[][];
}

/** What became of an execution, once it has ended. */
export async function ended(id: string): Promise<Execution> {
	return await until(`the end of execution ${id}`, async () => {
		const { status, data } = await press<{ status: string; data: string }>(
			'GET',
			`/executions/${id}`,
		);
		return ['new', 'running'].includes(status) ? undefined : { status, outputs: outputsIn(data) };
	});
}

/** All that a workflow has run for by itself, the oldest first. */
export async function executionsOf(workflow: string): Promise<Execution[]> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow }));
	const { results } = await press<{ results: Array<{ id: string }> }>(
		'GET',
		`/executions?filter=${filter}`,
	);
	return await Promise.all(results.reverse().map(async ({ id }) => await ended(id)));
}

interface RunData {
	resultData: {
		runData: Record<string, Array<{ data?: { main: Array<Array<{ json: Json }> | null> } }>>;
	};
}

function outputsIn(stored: string): Execution['outputs'] {
	const { runData } = (unflattened(stored) as RunData).resultData;
	return (node) =>
		(runData[node]?.[0]?.data?.main ?? []).map((items) => (items ?? []).map(({ json }) => json));
}

/** n8n stores a run as a list in which every text stands once; objects hold places in it. */
function unflattened(stored: string): unknown {
	const list = JSON.parse(stored) as unknown[];
	const revived = new Map<string, unknown>();
	const revive = (place: unknown): unknown => {
		if (typeof place !== 'string') return place;
		const found = list[Number(place)];
		if (typeof found !== 'object' || found === null) return found;
		if (!revived.has(place)) {
			const copy = (Array.isArray(found) ? [] : {}) as Json;
			revived.set(place, copy);
			for (const [key, part] of Object.entries(found)) copy[key] = revive(part);
		}
		return revived.get(place);
	};
	return revive('0');
}
