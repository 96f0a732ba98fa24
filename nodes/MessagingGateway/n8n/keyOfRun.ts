/**
 * What identifies a run of the node, and is the same when n8n repeats the execution.
 * Versions: all. n8n 1 has neither an execution context nor a resume token in the link.
 * n8n's issue: none known. After a crash, n8n adds artificial runs from its event log, and nothing public tells them apart.
 * If n8n changes: run `npx jest sending/keys` and `npm run test:queue`. A part that is missing must never become the same for two runs.
 * Checked with n8n 2.41.1.
 */
import { randomUUID } from 'crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

/** By the context of the run. n8n evaluates expressions for them, which is slow. */
const ofRuns = new WeakMap<IExecuteFunctions, unknown[]>();

export function keyOfRun(context: IExecuteFunctions): unknown[] {
	const ofRun = ofRuns.get(context) ?? [
		// After an MCP Server Trigger there is neither: each call is a new message.
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
 * Random, stored before an execution starts, and reachable only as part of this URL. The rest of the URL is another one
 * in a Retry execution.
 */
function resumeToken(context: IExecuteFunctions): string | undefined {
	const url = context.evaluateExpression('{{ $execution.resumeUrl }}', 0);
	return /[?&]signature=([^&]+)/.exec(url as string)?.[1];
}

/**
 * The run index without recovered runs. After a crash n8n adds artificial runs from its event log, and a Retry
 * execution counts on after them, which would change the key.
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
		// The run has no items.
		return false;
	}
}
