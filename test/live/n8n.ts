import { setTimeout as after } from 'node:timers/promises';

import { live } from './live';

export type Json = Record<string, unknown>;

const PATIENCE_MS = 60_000;

/** Presses Publish, and waits until n8n answers at the workflow's address, which this returns. */
export async function publishWorkflow(id: string, address: string): Promise<string> {
	const { versionId } = await press<{ versionId: string }>('GET', `/workflows/${id}`);
	await press('POST', `/workflows/${id}/activate`, { versionId });
	const url = `${live.urls.n8n}${address}`;
	return await until(url, async () => {
		const origin = { origin: live.urls.n8n, 'access-control-request-method': 'POST' };
		const { headers } = await fetch(url, { method: 'OPTIONS', headers: origin });
		return headers.get('access-control-allow-methods')?.includes(',') ? url : undefined;
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
): Promise<Result> {
	const end = Date.now() + PATIENCE_MS;
	while (Date.now() < end) {
		const result = await look();
		if (result !== undefined) return result;
		await after(100);
	}
	throw new Error(`Waited too long for ${what}.`);
}
