import type {
	AccountState,
	Fault,
	RecordedRequest,
	SessionStatus,
} from '../../dev/sandbox/sandbox';
import { sendRequest } from './client';

/** The control endpoints of a sandbox that runs in another process. */
export function sandboxControl(sandbox: { controlUrl: string; controlKey: string }) {
	const headers = { 'Content-Type': 'application/json', 'X-Sandbox-Key': sandbox.controlKey };
	/** Opens a new connection each time: a busy process can otherwise reuse one that the server has just closed. */
	const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
		const given = { method, headers, body: JSON.stringify(body) };
		const reply = await sendRequest(`${sandbox.controlUrl}${path}`, given);
		if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.body.toString()}`);
		return reply.json;
	};
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
