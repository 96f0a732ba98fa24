import { createHash, randomUUID } from 'crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { jsonText } from '../../../gateway/json';
import type { Item } from '../request/item';

export interface MessageContent {
	fields: object;
	file?: Uint8Array;
}

/** Also the beginning of the keys of its parts. */
export const AUTOMATIC_KEY = /^n8n-[0-9a-f]{40}/;

/**
 * A key that stays the same when n8n repeats an execution, which keeps the time at which the first one was set up, and its
 * resume token. n8n 1 has no such token, and two executions can share that millisecond, so the key also depends on
 * input and content: losing a message is worse than sending it twice.
 */
export function automaticKey({ context, index, input }: Item, content: MessageContent): string {
	const { fields, file } = content;
	const text = jsonText(
		[...partsOfRun(context), index, input.json, fields],
		'Idempotency Key',
		'The item contains a value that JSON does not allow. Use an expression that returns the key.',
	);
	const digest = createHash('sha256').update(String(text));
	if (file) digest.update(file);
	return `n8n-${digest.digest('hex').slice(0, 40)}`;
}

/** By the context of the run. n8n evaluates expressions for them, which is slow. */
const ofRuns = new WeakMap<IExecuteFunctions, unknown[]>();

function partsOfRun(context: IExecuteFunctions): unknown[] {
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
