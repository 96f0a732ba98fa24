import { setTimeout as delay } from 'node:timers/promises';

import { live } from './live';

export type Json = Record<string, unknown>;

/** Only a hang takes this long, also on a busy machine. */
const TIMEOUT_MS = 180_000;

/** When this returns, a polling trigger has polled once, and n8n has saved its static data. */
export async function publishWorkflow(id: string): Promise<void> {
	await setActive(id, true);
	await waitForPublicationStatus(id, 'published');
}

export async function unpublishWorkflow(id: string): Promise<void> {
	await setActive(id, false);
	await waitForPublicationStatus(id, 'not_published');
}

/** Does what Publish and Unpublish do in the editor. */
export async function setActive(id: string, isActive: boolean): Promise<void> {
	const { versionId } = await callN8n<{ versionId: string }>('GET', `/workflows/${id}`);
	await callN8n('POST', `/workflows/${id}/${isActive ? 'activate' : 'deactivate'}`, { versionId });
}

/** n8n responds before it has activated or deactivated the workflow. */
async function waitForPublicationStatus(id: string, wanted: string): Promise<void> {
	const path = `/workflows/${id}/publication-status`;
	await waitFor(`the publication status '${wanted}'`, async () => {
		const { status } = await callN8n<{ status: string }>('GET', path);
		return status === wanted || undefined;
	});
}

/** Calls n8n's REST API as the editor does. */
export async function callN8n<Data>(method: string, path: string, body?: Json): Promise<Data> {
	const response = await fetch(`${live.urls.n8n}/rest${path}`, {
		method,
		headers: { 'content-type': 'application/json', cookie: live.cookie },
		body: body && JSON.stringify(body),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
	return (JSON.parse(text) as { data: Data }).data;
}

/** Calls `check` until it returns something. */
export async function waitFor<Result>(
	what: string,
	check: () => Promise<Result | undefined>,
	timeoutMs = TIMEOUT_MS,
): Promise<Result> {
	const deadline = Date.now() + timeoutMs;
	while (Date.now() < deadline) {
		const result = await check();
		if (result !== undefined) return result;
		await delay(100);
	}
	throw new Error(`Timed out waiting for ${what}.`);
}

/** A new credential, as a node refers to it. By default one for the account of the sandbox, with these other fields. */
export async function createCredential(data: Json = {}, type = 'messagingGatewayApi') {
	const { baseUrl, token, secret } = live.account;
	const account = { baseUrl, gatewayToken: token, gatewaySecret: secret };
	const { id, name } = await callN8n<{ id: string; name: string }>('POST', '/credentials', {
		name: 'Account of a test',
		type,
		data: type === 'messagingGatewayApi' ? { ...account, ...data } : data,
	});
	return { id, name };
}
