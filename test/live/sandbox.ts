import type { AccountState, RecordedRequest, SessionStatus } from '../../sandbox/sandbox';
import { live } from './live';

/** The sandbox that runs beside n8n, looked at and played with through its controls. */
export const sandbox = {
	state: async () => (await control('GET', '/state')) as AccountState,
	requests: async () =>
		((await control('GET', '/requests')) as { requests: RecordedRequest[] }).requests,
	reset: async () => await control('POST', '/reset'),
	setStatus: async (status: SessionStatus) => await control('POST', '/status', { status }),
};

async function control(method: string, path: string, body?: unknown): Promise<unknown> {
	const response = await fetch(`${live.urls.sandbox}${path}`, {
		method,
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
	return await response.json();
}
