import type { Execution } from '../live/executions';
import { live, type Live } from '../live/live';
import { type Json, setActive, waitFor } from '../live/n8n';
import { createWorkflow, startWorkflow } from '../live/createWorkflow';
import { endOf } from '../live/questions';

export const { n8n } = live as Live & { n8n: { version: string; node: { version: string } } };

type Nodes = Parameters<typeof createWorkflow>[0];

/** Creates a workflow in which each node is connected to the next, runs it manually, and waits until it has ended. */
export const run = async (nodes: Nodes, more?: Json): Promise<Execution> =>
	await endOf(await startExecution(nodes, more));

/** Creates a workflow and starts it. Returns the id of the execution. */
export const startExecution = async (nodes: Nodes, more?: Json) =>
	await startWorkflow(await createWorkflow(nodes, more), nodes[0]!.name);

/** Returns the URL of the webhook. Waits until n8n responds there, because older versions report no publication status. */
export async function publishWebhook(id: string, path: string): Promise<string> {
	await setActive(id, true);
	const url = `${live.urls.n8n}${path}`;
	return await waitFor(url, async () => {
		const origin = { origin: live.urls.n8n, 'access-control-request-method': 'POST' };
		const { headers } = await fetch(url, { method: 'OPTIONS', headers: origin });
		return headers.get('access-control-allow-methods')?.includes(',') ? url : undefined;
	});
}
