import { createHash, randomUUID } from 'crypto';
import type { FunctionsBase, INodeExecutionData } from 'n8n-workflow';

import { jsonText } from '../../../gateway/json';

type Context = Pick<
	FunctionsBase,
	'getExecutionContext' | 'getExecutionId' | 'getNode' | 'getWorkflow'
> & { evaluateExpression(expression: string, itemIndex: number): unknown };

/** What is sent: its fields, and the file where there is one. */
export interface Content {
	fields: object;
	file?: Uint8Array;
}

/** Makes the key of one message. */
export type AutomaticKey = (
	itemIndex: number,
	input: INodeExecutionData,
	content: Content,
) => string;

/**
 * Keys that stay the same when n8n repeats an execution. The moment at which it was first set up is all that n8n
 * carries over to a Retry execution. Two executions can share it, so input and content belong to the key, too:
 * a message that is swallowed is worse than one that comes twice.
 */
export function automaticKeys(context: Context): AutomaticKey {
	const ofRun = [
		// Behind an MCP Server Trigger there is neither: each call is a message of its own.
		context.getExecutionContext()?.establishedAt ?? context.getExecutionId() ?? randomUUID(),
		context.getWorkflow().id,
		context.getNode().id,
		ownRunIndex(context),
	];
	return (itemIndex, input, { fields, file }) => {
		const text = jsonText(
			[...ofRun, itemIndex, input.json, fields],
			'Idempotency Key',
			'The item holds what JSON cannot: give the key yourself, by an expression.',
		);
		const digest = createHash('sha256').update(String(text));
		if (file) digest.update(file);
		return `n8n-${digest.digest('hex').slice(0, 40)}`;
	};
}

/**
 * After a crash n8n makes up runs from its event log, in the place of those that had ended, and a Retry execution
 * counts on after them: they are none, or the message would get another key.
 */
function ownRunIndex(context: Context): number {
	const runIndex = Number(context.evaluateExpression('{{ $runIndex }}', 0));
	let madeUp = 0;
	while (madeUp < runIndex && isMadeUp(context, madeUp)) madeUp += 1;
	return runIndex - madeUp;
}

function isMadeUp(context: Context, run: number): boolean {
	const item = `$items(${JSON.stringify(context.getNode().name)}, 0, ${run})[0]`;
	try {
		const marked = `{{ ${item}?.json.isArtificialRecoveredEventItem === true }}`;
		return context.evaluateExpression(marked, 0) === true;
	} catch {
		// A run that left no items.
		return false;
	}
}
