import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../tools/install.mjs';
import { readJson, writeJson } from '../../tools/jsonFile.mjs';

const TYPE = 'messagingGatewayApi';
const NAME = 'Messaging Gateway sandbox';
const EXAMPLES = join(root, 'workflows');
const DEFAULT_SANDBOX_URL = 'http://127.0.0.1:3021';

/**
 * @typedef {import('./editorApi.mjs').EditorApi} EditorApi
 * @typedef {{ id: string, name: string }} Credential
 * @typedef {{ baseUrl: string, token: string, secret: string }} Account
 * @typedef {Record<string, string>} WorkflowIds From the file name of an example to its id in n8n.
 * @typedef {{ credential?: Credential & Account, workflows: WorkflowIds }} Seeded
 *
 * @typedef {object} WorkflowNode
 * @property {string} type
 * @property {{ nodeCredentialType?: string }} [parameters]
 * @property {Record<string, object>} [credentials]
 *
 * @typedef {object} Example
 * @property {string} name
 * @property {WorkflowNode[]} nodes
 * @property {object} connections
 * @property {object} [settings]
 */

/**
 * Creates a credential for the sandbox and the example workflows. Stores their ids and creates each only once: changes that
 * the user makes stay, and workflows that the user deletes do not come back.
 * @param {EditorApi} editor
 * @param {string} home
 * @param {Account} account
 */
export async function seed(editor, home, account) {
	const file = join(home, 'provided.json');
	const before = /** @type {Seeded | undefined} */ (readJson(file)) ?? { workflows: {} };
	const credential = await seedCredential(editor, account, before.credential);
	writeJson(file, { ...before, credential });

	const workflows = { ...before.workflows };
	for (const example of examples()) {
		if (workflows[example]) continue;
		workflows[example] = await createWorkflow(editor, example, credential, account);
		writeJson(file, { credential, workflows });
	}
	return { credential, workflows };
}

/**
 * Creates the credential, or updates it when the sandbox has another address and the user has not changed the Base URL.
 * @param {EditorApi} editor
 * @param {Account} account
 * @param {(Credential & Account) | undefined} before
 * @returns {Promise<Credential & Account>}
 */
async function seedCredential(editor, account, before) {
	const stored =
		before &&
		/** @type {(Credential & { data: Account }) | undefined} */ (
			await editor.call('GET', `/credentials/${before.id}?includeData=true`)
		);
	if (!stored) {
		const { id, name } = /** @type {Credential} */ (
			await editor.call('POST', '/credentials', {
				name: NAME,
				type: TYPE,
				data: { ...account, signDeferred: true },
			})
		);
		return { id, name, ...account };
	}
	const { id } = before;
	const isUnchanged = stored.data.baseUrl === before.baseUrl;
	const isOutdated = /** @type {const} */ (['baseUrl', 'token', 'secret']).some(
		(field) => before[field] !== account[field],
	);
	if (!isUnchanged || !isOutdated) return { ...before, name: stored.name };
	await editor.call('PATCH', `/credentials/${id}`, {
		name: stored.name,
		type: TYPE,
		data: { ...stored.data, ...account },
	});
	return { id, name: stored.name, ...account };
}

function examples() {
	if (!existsSync(EXAMPLES)) return [];
	return readdirSync(EXAMPLES)
		.filter((name) => name.endsWith('.json'))
		.sort();
}

/**
 * Resolves to the id of the workflow.
 * @param {EditorApi} editor
 * @param {string} example
 * @param {Credential} credential
 * @param {Account} account
 */
async function createWorkflow(editor, example, { id, name }, { baseUrl }) {
	const text = readFileSync(join(EXAMPLES, example), 'utf8');
	// HTTP Request nodes cannot read the Base URL from the credential.
	/** @type {unknown} */
	const parsed = JSON.parse(text.replaceAll(DEFAULT_SANDBOX_URL, baseUrl));
	const { nodes, connections, settings, ...rest } = /** @type {Example} */ (parsed);
	const workflow = /** @type {{ id: string }} */ (
		await editor.call('POST', '/workflows', {
			name: rest.name,
			nodes: nodes.map((node) =>
				usesCredential(node) ? withCredential(node, { id, name }) : node,
			),
			connections,
			settings: { executionOrder: 'v1', ...settings },
		})
	);
	return workflow.id;
}

/**
 * This package's nodes, also as a tool, and HTTP Request nodes that use the credential.
 * @param {WorkflowNode} node
 */
function usesCredential({ type, parameters, credentials }) {
	return (
		/\.messagingGateway(Tool|Trigger)?$/.test(type) ||
		parameters?.nodeCredentialType === TYPE ||
		credentials?.[TYPE] !== undefined
	);
}

/**
 * @param {WorkflowNode} node
 * @param {Credential} credential
 */
function withCredential(node, credential) {
	return { ...node, credentials: { ...node.credentials, [TYPE]: credential } };
}
