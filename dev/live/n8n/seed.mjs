import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../tools/install.mjs';
import { readJson, writeJson } from '../../tools/jsonFile.mjs';

/** @typedef {{ type: string, name: string, address: string, options: object }} Kind `address` is the field with the URL. */

/** @type {Kind} */
const GATEWAY = {
	type: 'messagingGatewayApi',
	name: 'Messaging Gateway sandbox',
	address: 'baseUrl',
	// For example 8.
	options: { signDeferred: true, allowedHttpRequestDomains: 'all' },
};
/** @type {Kind} For example 14. */
const REHEARSAL = {
	type: 'messagingGatewayApi',
	name: 'Rehearsal (sandbox)',
	address: 'baseUrl',
	options: { signDeferred: true, sendTo: 'nobody' },
};
/** @type {Kind} */
const MODEL = { type: 'openAiApi', name: 'Scripted model (sandbox)', address: 'url', options: {} };
const EXAMPLES = join(root, 'examples');
/** Published, because the phone page links to its page. */
export const PAIRING_EXAMPLE = '3-pair-a-phone.json';
const DEFAULT_SANDBOX_URL = 'http://127.0.0.1:3021';
/** What the last pages of example 1 say, which link to the phone page of this sandbox. */
const PHONE_PAGE = 'the phone page (npm start prints its address)';
const WAS_SENT = "'was sent' }}.";
/** The place of the pictures of example 7a. n8n has the logo that the phone page names. */
const PICTURES_URL = 'https://example.com/';

/**
 * @typedef {import('./editorApi.mjs').EditorApi} EditorApi
 * @typedef {{ id: string, name: string }} Credential
 * @typedef {{ baseUrl: string, token: string, secret: string }} Account
 * @typedef {import('./entryKeys.mjs').EntryKeys} EntryKeys
 * @typedef {Record<string, Credential>} Credentials By type, or by name if the examples have several of a type.
 * @typedef {Record<string, string>} WorkflowIds From the file name of an example to its id in n8n.
 * @typedef {{ account: Account, modelUrl: string }} Sandbox
 * @typedef {Credential & Record<string, string>} StoredCredential With the data that it was given.
 * @typedef {{
 *   credential?: StoredCredential, rehearsal?: StoredCredential, model?: StoredCredential, entryCredentials?: Credentials,
 *   workflows: WorkflowIds,
 * }} Seeded
 *
 * @typedef {object} WorkflowNode
 * @property {string} type
 * @property {Record<string, { name: string }>} [credentials]
 * @property {{ tableName?: string, columns?: { column?: object[] } }} parameters
 *
 * @typedef {object} Example
 * @property {string} name
 * @property {WorkflowNode[]} nodes
 * @property {object} connections
 * @property {object} [settings]
 * @property {Array<{ name: string }>} [tags]
 */

/**
 * Creates the credentials for the sandbox and its model, the credentials that protect the examples, and the example workflows
 * with their data tables. Stores their ids and creates each only once: changes that the user makes stay, and workflows that
 * the user deletes do not come back.
 * @param {EditorApi} editor
 * @param {string} home
 * @param {Sandbox} sandbox
 * @param {EntryKeys} entryKeys
 * @param {string} n8nUrl
 */
export async function seed(editor, home, { account, modelUrl }, entryKeys, n8nUrl) {
	const file = join(home, 'provided.json');
	const before = /** @type {Seeded | undefined} */ (readJson(file)) ?? { workflows: {} };
	const data = credentialData(account);
	// Before the other one: the editor selects the newest credential in a new node.
	const rehearsal = await seedCredential(editor, REHEARSAL, data, before.rehearsal);
	const credential = await seedCredential(editor, GATEWAY, data, before.credential);
	writeJson(file, { ...before, rehearsal, credential });

	const modelData = { apiKey: 'not required', url: modelUrl };
	const model = await seedCredential(editor, MODEL, modelData, before.model);
	const entryCredentials =
		before.entryCredentials ?? (await createEntryCredentials(editor, entryKeys));
	const provided = { ...before, rehearsal, credential, model, entryCredentials };
	writeJson(file, provided);

	const credentials = {
		...entryCredentials,
		[GATEWAY.type]: pick(credential),
		[REHEARSAL.name]: pick(rehearsal),
		[MODEL.type]: pick(model),
	};
	const workflows = { ...before.workflows };
	// n8n lists the workflow that was changed last first.
	for (const example of examples().reverse()) {
		if (workflows[example]) continue;
		const text = withLinks(readFileSync(join(EXAMPLES, example), 'utf8'), workflows);
		workflows[example] = await createWorkflow(
			editor,
			withAddresses(text, account, n8nUrl),
			credentials,
		);
		writeJson(file, { ...provided, workflows });
		if (example === PAIRING_EXAMPLE) await publish(editor, workflows[example]);
	}
	return { credential, workflows };
}

/**
 * The fields of the credential, which no other type of credential has (gateway/wire/perAccount.ts).
 * @template {{ token: string, secret: string }} Own
 * @param {Own} account
 */
export const credentialData = ({ token, secret, ...others }) => ({
	...others,
	gatewayToken: token,
	gatewaySecret: secret,
});

/**
 * Creates the credential, or updates it when the sandbox has another address and the user has not changed the address in it.
 * @param {EditorApi} editor
 * @param {Kind} kind
 * @param {Record<string, string>} data
 * @param {StoredCredential | undefined} before
 * @returns {Promise<StoredCredential>}
 */
async function seedCredential(editor, { type, name, address, options }, data, before) {
	const stored =
		before &&
		/** @type {(Credential & { data: Record<string, unknown> }) | undefined} */ (
			await editor.call('GET', `/credentials/${before.id}?includeData=true`)
		);
	if (!stored) {
		return { ...data, ...(await createCredential(editor, name, type, { ...data, ...options })) };
	}
	const { id } = before;
	const isUnchanged = stored.data[address] === before[address];
	const isOutdated = Object.keys(data).some((field) => before[field] !== data[field]);
	if (!isUnchanged || !isOutdated) return { ...before, name: stored.name };
	await editor.call('PATCH', `/credentials/${id}`, {
		name: stored.name,
		type,
		data: { ...stored.data, ...data },
	});
	return { ...data, id, name: stored.name };
}

/**
 * @param {EditorApi} editor
 * @param {EntryKeys} keys
 * @returns {Promise<Credentials>}
 */
async function createEntryCredentials(editor, { user, password, token, secret }) {
	/** @param {[string, string, object]} credential */
	const create = async (...credential) => await createCredential(editor, ...credential);
	return {
		httpBasicAuth: await create('Example pages and forms', 'httpBasicAuth', { user, password }),
		httpBearerAuth: await create('Example MCP server', 'httpBearerAuth', { token }),
		crypto: await create('Example signatures', 'crypto', { hmacSecret: secret }),
	};
}

/**
 * @param {EditorApi} editor
 * @param {string} name
 * @param {string} type
 * @param {object} data
 */
async function createCredential(editor, name, type, data) {
	return pick(
		/** @type {Credential} */ (await editor.call('POST', '/credentials', { name, type, data })),
	);
}

/**
 * @param {Credential} credential
 * @returns {Credential}
 */
function pick({ id, name }) {
	return { id, name };
}

function examples() {
	if (!existsSync(EXAMPLES)) return [];
	return readdirSync(EXAMPLES)
		.filter((name) => name.endsWith('.json'))
		.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}

/**
 * The text of an example whose nodes call the examples that n8n has already by their ids in n8n.
 * @param {string} text
 * @param {WorkflowIds} workflows
 */
function withLinks(text, workflows) {
	return Object.entries(workflows).reduce((linked, [file, id]) => {
		const example = /** @type {{ id: string } | undefined} */ (readJson(join(EXAMPLES, file)));
		return example ? linked.replaceAll(`"${example.id}"`, `"${id}"`) : linked;
	}, text);
}

/**
 * The text of an example with the addresses of this sandbox and this n8n.
 * @param {string} text
 * @param {Account} account
 * @param {string} n8nUrl
 */
function withAddresses(text, { baseUrl }, n8nUrl) {
	const phone = (/** @type {string} */ words) =>
		`<a href=\\"${baseUrl}/_sandbox/phone\\" target=\\"_blank\\">${words}</a>`;
	// HTTP Request nodes cannot read the Base URL from the credential.
	return text
		.replaceAll(DEFAULT_SANDBOX_URL, baseUrl)
		.replaceAll(PHONE_PAGE, phone('the phone page'))
		.replace(WAS_SENT, `${WAS_SENT} ${phone('Look at the phone')}.`)
		.replaceAll(PICTURES_URL, `${n8nUrl}/static/`);
}

/**
 * Resolves to the id of the workflow.
 * @param {EditorApi} editor
 * @param {string} text
 * @param {Credentials} credentials
 */
async function createWorkflow(editor, text, credentials) {
	/** @type {unknown} */
	const parsed = JSON.parse(text);
	const { nodes, connections, settings, ...rest } = /** @type {Example} */ (parsed);
	const tags = [];
	for (const { name } of rest.tags ?? []) tags.push(await tagId(editor, name));
	for (const node of nodes) await createDataTable(editor, node);
	const workflow = /** @type {{ id: string }} */ (
		await editor.call('POST', '/workflows', {
			name: rest.name,
			nodes: nodes.map((node) => withCredentials(node, credentials)),
			connections,
			settings: { executionOrder: 'v1', ...settings },
			tags,
		})
	);
	return workflow.id;
}

/**
 * @param {EditorApi} editor
 * @param {string} id
 */
async function publish(editor, id) {
	const path = `/workflows/${id}`;
	const { versionId } = /** @type {{ versionId: string }} */ (await editor.call('GET', path));
	await editor.call('POST', `${path}/activate`, { versionId });
}

/**
 * The id of a tag, created if n8n has none of this name.
 * @param {EditorApi} editor
 * @param {string} name
 */
async function tagId(editor, name) {
	const existing = /** @type {Array<{ id: string, name: string }>} */ (
		await editor.call('GET', '/tags')
	);
	const tag = existing.find((tag) => tag.name === name);
	if (tag) return tag.id;
	return /** @type {{ id: string }} */ (await editor.call('POST', '/tags', { name })).id;
}

/**
 * Creates the data table that a node of the example creates, because other examples use it before that node has run.
 * @param {EditorApi} editor
 * @param {WorkflowNode} node
 */
export async function createDataTable(editor, { type, parameters: { tableName: name, columns } }) {
	if (type !== 'n8n-nodes-base.dataTable' || !name) return;
	const project = /** @type {{ id: string }} */ (await editor.call('GET', '/projects/personal'));
	const path = `/projects/${project.id}/data-tables`;
	const { data: existing } = /** @type {{ data: Array<{ name: string }> }} */ (
		await editor.call('GET', `${path}?${new URLSearchParams({ filter: JSON.stringify({ name }) })}`)
	);
	if (existing.some((table) => table.name === name)) return;
	await editor.call('POST', path, { name, columns: columns?.column });
}

/**
 * Replaces the credentials that the example names with those of the same name or type in this n8n.
 * @param {WorkflowNode} node
 * @param {Credentials} credentials
 */
function withCredentials(node, credentials) {
	if (!node.credentials) return node;
	/** @param {[string, { name: string }]} named */
	const own = ([type, { name }]) =>
		/** @type {const} */ ([type, credentials[name] ?? credentials[type]]);
	return { ...node, credentials: Object.fromEntries(Object.entries(node.credentials).map(own)) };
}
