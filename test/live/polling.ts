import { executionsOf } from './executions';
import { type Json, publishWorkflow, unpublishWorkflow, waitFor } from './n8n';

let published: string[] = [];

/** Unpublishes all workflows of the test. Otherwise their polls would appear among the requests of later tests. */
export async function stopPolling(): Promise<void> {
	await Promise.all(published.map(unpublishWorkflow));
	published = [];
}

/** Publishes a workflow whose trigger polls, until the end of the test. */
export async function startPolling(workflow: string): Promise<string> {
	published.push(workflow);
	await publishWorkflow(workflow);
	return workflow;
}

/** Publishes the workflow again, because n8n polls at once then. Otherwise it polls once a minute at most. */
export async function poll(workflow: string): Promise<void> {
	await unpublishWorkflow(workflow);
	await publishWorkflow(workflow);
}

/** All items that the trigger has emitted so far. Ignores runs without items, which only make n8n save static data. */
export async function emittedItems(workflow: string, trigger: string): Promise<Json[]> {
	const executions = await executionsOf(workflow);
	return executions.flatMap(({ outputs }) => outputs(trigger).flat());
}

/** Waits until the trigger has emitted at least one item, apart from test events. */
export async function waitForItems(workflow: string, trigger: string): Promise<Json[]> {
	const findItems = async () => {
		const emitted = await emittedItems(workflow, trigger);
		const items = emitted.filter(({ isSample }) => !isSample);
		return items.length > 0 ? items : undefined;
	};
	return await waitFor(`items of ${trigger}`, findItems);
}
