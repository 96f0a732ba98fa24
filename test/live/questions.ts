import { type Execution, waitForExecution } from './executions';
import { callN8n, waitFor } from './n8n';

/** The link in a message. */
export function linkIn(text: string): string {
	const [link, ...others] = text.match(/https?:\S+/g)!;
	expect(others).toEqual([]);
	return link;
}

/** The message arrives before n8n has stored that the execution waits. */
export async function waitUntilWaiting(link: string): Promise<void> {
	await waitFor('the execution to wait', async () => {
		const { status } = await callN8n<{ status: string }>('GET', `/executions/${executionOf(link)}`);
		return status === 'waiting' || undefined;
	});
}

/** The id of the execution that asked. */
export const executionOf = (link: string) => /\/webhook-waiting\/(\d+)/.exec(link)![1]!;

/** Presses a button of the page. */
export async function answer(link: string, approved: string): Promise<Response> {
	return await fetch(link, { method: 'POST', body: new URLSearchParams({ approved }) });
}

/** The end of an execution that waits. n8n looks once a minute for those whose time is over. */
export async function endOf(id: string): Promise<Execution> {
	const end = async () => {
		const execution = await waitForExecution(id);
		return execution.status === 'waiting' ? undefined : execution;
	};
	return await waitFor(`the end of execution ${id}`, end, 150_000);
}
