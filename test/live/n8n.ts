import { setTimeout as after } from 'node:timers/promises';

import { live } from './live';

export type Json = Record<string, unknown>;

const PATIENCE_MS = 60_000;

/** Presses Publish. A trigger that polls has done so once when this returns, and n8n has saved what it remembers. */
export async function publishWorkflow(id: string): Promise<void> {
	const { versionId } = await press<{ versionId: string }>('GET', `/workflows/${id}`);
	await press('POST', `/workflows/${id}/activate`, { versionId });
	await comesToBe(id, 'published');
}

export async function unpublishWorkflow(id: string): Promise<void> {
	await press('POST', `/workflows/${id}/deactivate`, {});
	await comesToBe(id, 'not_published');
}

/** n8n answers when it has taken note, and gets to work after that. */
async function comesToBe(id: string, wanted: string): Promise<void> {
	await until(`a workflow that is ${wanted}`, async () => {
		const { status } = await press<{ status: string }>(
			'GET',
			`/workflows/${id}/publication-status`,
		);
		return status === wanted || undefined;
	});
}

let cookie: string | undefined;

/** What the editor asks n8n for. */
export async function press<Answer>(method: string, path: string, body?: Json): Promise<Answer> {
	cookie ??= await signIn();
	const response = await fetch(`${live.urls.n8n}/rest${path}`, {
		method,
		headers: { 'content-type': 'application/json', cookie },
		body: body && JSON.stringify(body),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
	return (JSON.parse(text) as { data: Answer }).data;
}

async function signIn(): Promise<string> {
	const { email, password } = live.owner;
	const response = await fetch(`${live.urls.n8n}/rest/login`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ emailOrLdapLoginId: email, password }),
	});
	const set = response.headers.getSetCookie();
	return set.map((line) => line.split(';')[0]).join('; ');
}

export async function until<Result>(
	what: string,
	look: () => Promise<Result | undefined>,
	patienceMs = PATIENCE_MS,
): Promise<Result> {
	const end = Date.now() + patienceMs;
	while (Date.now() < end) {
		const result = await look();
		if (result !== undefined) return result;
		await after(100);
	}
	throw new Error(`Waited too long for ${what}.`);
}
