import type { AccountState, Fault, RecordedRequest, SessionStatus } from '../../sandbox/sandbox';
import { sendRequest } from './client';

/** The control endpoints of a sandbox that runs in another process. */
export function sandboxControl({
	controlUrl,
	controlKey,
}: {
	controlUrl: string;
	controlKey: string;
}) {
	const call = async (method: string, path: string, body?: unknown) =>
		await callControl(method, `${controlUrl}${path}`, body, { 'X-Sandbox-Key': controlKey });
	return {
		state: async () => (await call('GET', '/state')) as AccountState,
		requests: async () =>
			((await call('GET', '/requests')) as { requests: RecordedRequest[] }).requests,
		reset: async () => await call('POST', '/reset'),
		scan: async () => await call('POST', '/scan'),
		faults: async (list: Fault[]) => await call('POST', '/faults', list),
		setStatus: async (status: SessionStatus) => await call('POST', '/status', { status }),
	};
}

/** Opens a new connection each time: a busy process can otherwise reuse one that the server has just closed. */
export async function callControl(
	method: string,
	url: string,
	body?: unknown,
	headers: Record<string, string> = {},
): Promise<unknown> {
	const reply = await sendRequest(url, {
		method,
		headers: { 'Content-Type': 'application/json', ...headers },
		body: JSON.stringify(body),
	});
	if (reply.status !== 200) throw new Error(`${method} ${url}: ${reply.body.toString()}`);
	return reply.json;
}
