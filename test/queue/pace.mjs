import { createTextCalls } from './calls.mjs';
import { executionsOf } from './executions.mjs';
import { startLoad } from './load.mjs';
import { sandboxControl } from './sandboxControl.mjs';
import { reported } from './scenario.mjs';
import { publishWorkflow } from './workflow.mjs';

const LATENCY_MS = 100;
const MINUTE_MS = 60_000;

/** Posts all calls at once, with a credential that declares a pace for all workers. Returns how the messages arrived. */
export async function runPaceScenario(queue, { calls: count, perMinute }) {
	const gateway = sandboxControl(queue.gateway);
	await gateway.reset(LATENCY_MS);
	const pace = { messagesPerMinute: perMinute, processes: queue.workers.length };
	const workflow = await publishWorkflow(queue, { limits: pace });
	const executions = executionsOf(queue, workflow.id);
	const load = startLoad({ url: workflow.url, calls: createTextCalls(count), connections: 10 });
	await load.finished;
	await executions.waitUntilFinished();
	const times = (await gateway.requests()).map(({ receivedAt }) => Date.parse(receivedAt));
	times.sort((one, other) => one - other);
	const minutes = times.map((from) => times.filter((at) => at >= from && at < from + MINUTE_MS));
	return reported({
		delivered: (await gateway.state()).delivered.length,
		seconds: Math.round((times.at(-1) - times[0]) / 1000),
		largestMinute: Math.max(...minutes.map(({ length }) => length)),
	});
}
