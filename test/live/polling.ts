import { executionsOf } from './executions';
import { type Json, publishWorkflow, unpublishWorkflow, until } from './n8n';

let published: string[] = [];

/** What goes on polling would be seen among the requests of other tests. */
export async function stopPolling(): Promise<void> {
	await Promise.all(published.map(unpublishWorkflow));
	published = [];
}

/** Publishes a workflow with a trigger that polls, until the end of the test. */
export async function startPolling(workflow: string): Promise<string> {
	published.push(workflow);
	await publishWorkflow(workflow);
	return workflow;
}

/** n8n polls once a minute at the most, but also whenever a workflow is published. */
export async function poll(workflow: string): Promise<void> {
	await unpublishWorkflow(workflow);
	await publishWorkflow(workflow);
}

/** What the trigger has put out so far. Runs without an item are only there to have n8n remember something. */
export async function told(workflow: string, trigger: string): Promise<Json[]> {
	const executions = await executionsOf(workflow);
	return executions.flatMap(({ outputs }) => outputs(trigger).flat());
}

/** The same, once there is something. */
export async function news(
	workflow: string,
	trigger: string,
	patienceMs?: number,
): Promise<Json[]> {
	const look = async () => {
		const items = await told(workflow, trigger);
		return items.length > 0 ? items : undefined;
	};
	return await until('something to be told', look, patienceMs);
}
