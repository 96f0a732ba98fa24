import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { startWorkflow } from '../createWorkflow';
import { waitForExecution, type Execution } from '../executions';
import { live } from '../live';
import { type Json, callN8n, createCredential, publishWorkflow, waitFor } from '../n8n';

const ROOT = join(__dirname, '../../..');

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

/** Imports an example without the credentials of `npm start`. */
export async function importExample(file: string): Promise<void> {
	const json = JSON.parse(readFileSync(join(ROOT, `examples/${file}.json`), 'utf8')) as {
		nodes: Json[];
	};
	const nodes = json.nodes.map(({ credentials: _, ...node }) => node);
	const { id } = await callN8n<{ id: string }>('POST', '/workflows', { ...json, nodes, tags: [] });
	live.workflows[`${file}.json`] = id;
}

/** Does what Execute Workflow does in the editor, and waits until the execution has ended. */
export async function run(file: string, trigger?: string): Promise<Execution> {
	return await waitForExecution(await start(file, trigger));
}

/** Does what Execute Workflow does in the editor. Returns the id of the execution. */
export async function start(file: string, trigger = 'Manual trigger'): Promise<string> {
	return await startWorkflow(idOf(file), trigger);
}

/** Publishes the workflow and returns the URL of its webhook. */
export async function publish(file: string, path: string): Promise<string> {
	await publishWorkflow(idOf(file));
	return `${live.urls.n8n}${path}`;
}

/** The headers with which a browser sends user and password of the example pages and forms. */
export function basicAuth(): { authorization: string } {
	const { user, password } = live.entryKeys;
	return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

/** An address that makes the browser send user and password, as if the user had entered them. */
export function withPassword(url: string): string {
	const { user, password } = live.entryKeys;
	return url.replace('://', `://${user}:${password}@`);
}

/** Opens a form with user and password, and submits these fields as the form does. Returns the address of its next page. */
export async function submitForm(url: string, values: Array<string | Blob>): Promise<string> {
	const form = await (await fetch(url, { headers: basicAuth() })).text();
	const token = /const authToken = '(\w+)'/.exec(form)![1]!;
	const response = await postForm(url, values, { 'x-auth-token': token });
	return ((await response.json()) as { formWaitingUrl: string }).formWaitingUrl;
}

/** Submits a form and returns the page with which it ends. */
export const submitted = async (...form: Parameters<typeof submitForm>) =>
	await finalPage(await submitForm(...form));

/** Waits for the page with which a form ends. */
export async function finalPage(formWaitingUrl: string): Promise<string> {
	await waitFor('the final page', async () => {
		const url = new URL(formWaitingUrl);
		url.pathname += '/n8n-execution-status';
		return (await (await fetch(url)).text()) === 'form-waiting' || undefined;
	});
	return await (await fetch(formWaitingUrl)).text();
}

async function postForm(
	url: string,
	values: Array<string | Blob>,
	headers: Record<string, string>,
): Promise<Response> {
	const fields = new FormData();
	for (const [index, value] of values.entries()) fields.set(`field-${index}`, value);
	return await fetch(url, { method: 'POST', headers, body: fields });
}

/** Sends a message in the editor's chat and returns the response. */
export async function chat(file: string, trigger: string, chatInput: string): Promise<Json> {
	const sessionId = crypto.randomUUID();
	await callN8n('POST', `${pathOf(file)}/run`, {
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

/** Creates a credential and selects it in a node, as the workflow's note asks the user to do. */
export async function setCredential(file: string, node: string, type: string, data: Json = {}) {
	const credentials = { [type]: await createCredential(data, type) };
	await updateNode(file, node, (current) => ({ ...current, credentials }));
}

/** Sets fields of a node and enables it, as a workflow's note asks the user to do. */
export async function setFields(file: string, node: string, fields: Json): Promise<void> {
	await updateNode(file, node, ({ parameters, ...current }) => ({
		...current,
		disabled: false,
		parameters: { ...parameters, ...fields },
	}));
}

/** Sets these values in a node that has a list of them, and keeps the others. */
export async function setValues(file: string, node: string, values: Json): Promise<void> {
	await updateNode(file, node, ({ parameters, ...current }) => {
		const { assignments } = parameters.assignments as { assignments: Json[] };
		const all = assignments.map((one) => ({
			...one,
			value: values[String(one.name)] ?? one.value,
		}));
		return { ...current, parameters: { ...parameters, assignments: { assignments: all } } };
	});
}

/** What a campaign cannot be prepared without. */
export async function setSender(file: string): Promise<void> {
	await setValues(file, 'Settings', { sender: 'Example Ltd', contact: 'hello@example.com' });
}

async function updateNode(file: string, name: string, edit: (node: Node) => Node): Promise<void> {
	await updateNodes(file, (node) => (node.name === name ? edit(node) : node));
}

async function updateNodes(file: string, edit: (node: Node) => Node): Promise<void> {
	const { nodes, versionId } = await callN8n<Workflow>('GET', pathOf(file));
	await callN8n('PATCH', pathOf(file), { versionId, nodes: nodes.map(edit) });
}

export function idOf(file: string): string {
	const id = live.workflows[`${file}.json`];
	if (id === undefined) throw new Error(`The workflow ${file}.json was not imported into n8n.`);
	return id;
}

const pathOf = (file: string) => `/workflows/${idOf(file)}`;
