import { ended, type Execution } from '../executions';
import { live } from '../live';
import { type Json, press, publishWorkflow } from '../n8n';

interface Node {
	name: string;
	parameters: Json;
	credentials?: Json;
	disabled?: boolean;
}

interface Workflow {
	versionId: string;
	nodes: Node[];
}

/** Presses Execute Workflow, and waits for the end. */
export async function run(file: string, trigger = 'Start by hand'): Promise<Execution> {
	const { executionId } = await press<{ executionId: string }>('POST', `${pathOf(file)}/run`, {
		triggerToStartFrom: { name: trigger },
	});
	return await ended(executionId);
}

/** Presses Publish, and gives the address at which the workflow answers. */
export async function publish(file: string, path: string): Promise<string> {
	await publishWorkflow(idOf(file));
	return `${live.urls.n8n}${path}`;
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

/** Fills in fields of a node, and activates it: what notes of workflows ask for, too. */
export async function fillIn(file: string, node: string, fields: Json): Promise<void> {
	await change(file, node, ({ parameters, ...given }) => ({
		...given,
		disabled: false,
		parameters: { ...parameters, ...fields },
	}));
}

async function change(file: string, name: string, edit: (node: Node) => Node): Promise<void> {
	const { nodes, versionId } = await press<Workflow>('GET', pathOf(file));
	await press('PATCH', pathOf(file), {
		versionId,
		nodes: nodes.map((node) => (node.name === name ? edit(node) : node)),
	});
}

export function idOf(file: string): string {
	const id = live.workflows[`${file}.json`];
	if (id === undefined) throw new Error(`n8n was given no workflow from ${file}.json.`);
	return id;
}

const pathOf = (file: string) => `/workflows/${idOf(file)}`;
