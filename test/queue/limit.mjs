import { createBulkCalls } from './calls.mjs';
import { executionsOf } from './executions.mjs';
import { startLoad } from './load.mjs';
import { sandboxControl } from './sandboxControl.mjs';
import { publishWorkflow } from './workflow.mjs';

const LATENCY_MS = 50;
const PER_SECOND = 10;
const BURST = 20;
const TEXTS_PER_CALL = 25;
const CALLS_PER_WORKER = 8;
/** n8n takes some time to start and store the executions. */
const OVERHEAD_MS = 20_000;

/** Bulk runs on all workers, which share the limit of one account without knowing of each other. */
export async function runLimitScenario(queue) {
	const gateway = sandboxControl(queue.gateway);
	await gateway.reset(LATENCY_MS, {
		status: 429,
		perMinute: 60 * PER_SECOND,
		burst: BURST,
		retryAfter: 1,
	});
	const calls = createBulkCalls(queue.workers.length * CALLS_PER_WORKER, TEXTS_PER_CALL);
	const workflow = await publishWorkflow(queue);
	const executions = executionsOf(queue, workflow.id);

	const startedAt = Date.now();
	const load = startLoad({ url: workflow.url, calls, connections: calls.length });
	await load.finished;
	await executions.waitUntilFinished();

	const messages = calls.flatMap((call) => call.messages);
	const requests = (await gateway.requests()).filter(({ endpoint }) => endpoint === 'sendMessage');
	const delivered = (await gateway.state()).delivered.map(({ text }) => text);
	const lastAt = Math.max(...requests.map(({ answeredAt }) => Date.parse(answeredAt)));
	const outcome = {
		failed: executions.list().filter(({ status }) => status !== 'success'),
		missing: messages.filter((text) => !delivered.includes(text)),
		deliveredTwice: delivered.length - new Set(delivered).size,
		refused: requests.filter(({ status }) => status === 429).length / requests.length,
		ms: lastAt - startedAt,
		maxMs: 1.5 * ((messages.length - BURST) / PER_SECOND) * 1_000 + OVERHEAD_MS,
	};
	const share = (100 * outcome.refused).toFixed(0);
	const report = `  ${messages.length} messages by ${queue.workers.length} workers at ${PER_SECOND} per second: ${Math.round(outcome.ms / 1_000)} s, ${share} % of ${requests.length} requests got a 429`;
	return { ...outcome, report };
}
