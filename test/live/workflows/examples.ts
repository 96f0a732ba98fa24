import { live } from '../live';
import { type Json, press, publishWorkflow, until } from '../n8n';

interface Node {
	name: string;
	parameters: Json;
	credentials?: Json;
}

interface Workflow {
	versionId: string;
	nodes: Node[];
}

interface Run {
	status: string;
	/** The items that came out of a node, output by output. */
	outputs: (node: string) => Json[][];
}

/** Presses Execute Workflow, and waits for the end. */
export async function run(file: string, trigger = 'Start by hand'): Promise<Run> {
	const { executionId } = await press<{ executionId: string }>('POST', `${pathOf(file)}/run`, {
		triggerToStartFrom: { name: trigger },
	});
	return await until(`the end of ${file}`, async () => {
		const { status, data } = await press<{ status: string; data: string }>(
			'GET',
			`/executions/${executionId}`,
		);
		return ['new', 'running'].includes(status) ? undefined : { status, outputs: outputsIn(data) };
	});
}

/** Presses Publish, and waits until n8n answers at the workflow's address, which this returns. */
export async function publish(file: string, address: string): Promise<string> {
	return await publishWorkflow(idOf(file), address);
}

/** Opens the editor's chat, writes into it, and waits for the answer. */
export async function chat(file: string, trigger: string, chatInput: string): Promise<Json> {
	const sessionId = crypto.randomUUID();
	await press('POST', `${pathOf(file)}/run`, {
		triggerToStartFrom: { name: trigger },
		chatSessionId: sessionId,
	});
	const response = await fetch(`${live.urls.n8n}/webhook-test/${idOf(file)}/${sessionId}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ action: 'sendMessage', sessionId, chatInput }),
	});
	return (await response.json()) as Json;
}

/** Makes a credential and picks it in a node: what the note of the workflow asks for. */
export async function giveCredential(file: string, node: string, type: string, data: Json) {
	const { id, name } = await press<{ id: string; name: string }>('POST', '/credentials', {
		name: `${type} for ${file}`,
		type,
		data,
	});
	await change(file, node, (given) => ({ ...given, credentials: { [type]: { id, name } } }));
}

async function change(file: string, name: string, edit: (node: Node) => Node): Promise<void> {
	const { nodes, versionId } = await press<Workflow>('GET', pathOf(file));
	await press('PATCH', pathOf(file), {
		versionId,
		nodes: nodes.map((node) => (node.name === name ? edit(node) : node)),
	});
}

function idOf(file: string): string {
	const id = live.workflows[`${file}.json`];
	if (id === undefined) throw new Error(`n8n was given no workflow from ${file}.json.`);
	return id;
}

const pathOf = (file: string) => `/workflows/${idOf(file)}`;

interface RunData {
	resultData: {
		runData: Record<string, Array<{ data?: { main: Array<Array<{ json: Json }> | null> } }>>;
	};
}

function outputsIn(stored: string): Run['outputs'] {
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
