/**
 * The values that identify a run of the node, and stay the same when n8n repeats the execution.
 * Versions: all. n8n 1 has no resume token in the link.
 * n8n's issue: none known. After a crash, n8n adds artificial runs from its event log, and no public API identifies them.
 * If n8n changes: run `npx jest sending/keys` and `node test/queue/main.mjs`. A missing value must never make two runs look the same.
 * Checked with n8n 2.41.1.
 */
import { randomUUID } from 'crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

/** The values are computed once per context, because n8n evaluates expressions for them, which is slow. */
const ofRuns = new WeakMap<IExecuteFunctions, unknown[]>();

export function runIdentity(context: IExecuteFunctions): unknown[] {
	const ofRun = ofRuns.get(context) ?? [
		// After an MCP Server Trigger both are missing. Each call is then a new run.
		context.getExecutionContext()?.establishedAt ?? context.getExecutionId() ?? randomUUID(),
		resumeToken(context),
		context.getWorkflow().id,
		context.getNode().id,
		ownRunIndex(context),
	];
	ofRuns.set(context, ofRun);
	return ofRun;
}

/**
 * Returns the random token that n8n stores before an execution starts. Nodes can read it only in this URL, whose other
 * parts change in a Retry execution.
 */
function resumeToken(context: IExecuteFunctions): string | undefined {
	const url = context.evaluateExpression('{{ $execution.resumeUrl }}', 0);
	return /[?&]signature=([^&]+)/.exec(url as string)?.[1];
}

/**
 * Returns the run index without recovered runs. After a crash n8n adds artificial runs from its event log, and a Retry
 * execution continues to count after them, which would change the key.
 */
function ownRunIndex(context: IExecuteFunctions): number {
	const runIndex = Number(context.evaluateExpression('{{ $runIndex }}', 0));
	let recovered = 0;
	while (recovered < runIndex && isRecovered(context, recovered)) recovered += 1;
	return runIndex - recovered;
}

function isRecovered(context: IExecuteFunctions, run: number): boolean {
	const item = `$items(${JSON.stringify(context.getNode().name)}, 0, ${run})[0]`;
	try {
		const expression = `{{ ${item}?.json.isArtificialRecoveredEventItem === true }}`;
		return context.evaluateExpression(expression, 0) === true;
	} catch {
		// n8n throws if the run has no items.
		return false;
	}
}
