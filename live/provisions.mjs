import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../tools/install.mjs';
import { keep, kept } from './kept.mjs';

const TYPE = 'messagingGatewayApi';
const NAME = 'Messaging Gateway sandbox';
const EXAMPLES = join(root, 'workflows');
const USUAL_SANDBOX = 'http://127.0.0.1:3021';

/**
 * The ready credential and the example workflows. Each is given once and remembered by its id: what the user has changed
 * stays changed, and a workflow that was deleted stays away.
 */
export async function provide(editor, home, account) {
	const file = join(home, 'provided.json');
	const before = kept(file) ?? { workflows: {} };
	const credential = await provideCredential(editor, account, before.credential);
	keep(file, { ...before, credential });

	const workflows = { ...before.workflows };
	for (const example of examples()) {
		if (workflows[example]) continue;
		workflows[example] = await provideWorkflow(editor, example, credential, account);
		keep(file, { credential, workflows });
	}
	return { credential, workflows };
}

async function provideCredential(editor, account, given) {
	const there = given && (await editor.call('GET', `/credentials/${given.id}?includeData=true`));
	if (!there) {
		const { id, name } = await editor.call('POST', '/credentials', {
			name: NAME,
			type: TYPE,
			data: { ...account, signDeferred: true },
		});
		return { id, name, ...account };
	}
	const untouched = there.data.baseUrl === given.baseUrl;
	const moved = Object.entries(account).some(([field, value]) => given[field] !== value);
	if (!untouched || !moved) return { ...given, name: there.name };
	await editor.call('PATCH', `/credentials/${given.id}`, {
		name: there.name,
		type: TYPE,
		data: { ...there.data, ...account },
	});
	return { id: given.id, name: there.name, ...account };
}

function examples() {
	if (!existsSync(EXAMPLES)) return [];
	return readdirSync(EXAMPLES)
		.filter((name) => name.endsWith('.json'))
		.sort();
}

async function provideWorkflow(editor, example, { id, name }, { baseUrl }) {
	const text = readFileSync(join(EXAMPLES, example), 'utf8');
	const { nodes, connections, settings, ...rest } = JSON.parse(
		// An HTTP Request node cannot read the address from the credential.
		text.replaceAll(USUAL_SANDBOX, baseUrl),
	);
	const workflow = await editor.call('POST', '/workflows', {
		name: rest.name,
		nodes: nodes.map((node) => (uses(node) ? withCredential(node, { id, name }) : node)),
		connections,
		settings: { executionOrder: 'v1', ...settings },
	});
	return workflow.id;
}

/** Our own nodes, also as a tool, and whatever else is set up to use our credential. */
function uses({ type, parameters, credentials }) {
	return (
		/\.messagingGateway(Tool|Trigger)?$/.test(type) ||
		parameters?.nodeCredentialType === TYPE ||
		credentials?.[TYPE] !== undefined
	);
}

function withCredential(node, credential) {
	return { ...node, credentials: { ...node.credentials, [TYPE]: credential } };
}
