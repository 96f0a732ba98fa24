import { createHash } from 'crypto';
import type { FunctionsBase, INodeExecutionData } from 'n8n-workflow';

import { jsonText } from '../../../gateway/json';

type Context = Pick<
	FunctionsBase,
	'getExecutionContext' | 'getExecutionId' | 'getNode' | 'getWorkflow'
> & { evaluateExpression(expression: string, itemIndex: number): unknown };

/** Makes the key of one message. */
export type AutomaticKey = (itemIndex: number, input: INodeExecutionData, chat: string) => string;

/**
 * Keys that stay the same when n8n repeats an execution. The moment at which it was first set up is all that n8n
 * carries over to a Retry execution; two executions can share it, so what was to be sent belongs to the key, too.
 */
export function automaticKeys(context: Context): AutomaticKey {
	const ofRun = [
		context.getExecutionContext()?.establishedAt ?? context.getExecutionId(),
		context.getWorkflow().id,
		context.getNode().id,
		context.evaluateExpression('{{ $runIndex }}', 0),
	];
	return (itemIndex, input, chat) => {
		const parts = [...ofRun, itemIndex, chat, input.json, files(input)];
		const text = jsonText(
			parts,
			'Idempotency Key',
			'The input item holds what JSON cannot: give the key yourself, by an expression.',
		);
		return `n8n-${createHash('sha256').update(String(text)).digest('hex').slice(0, 40)}`;
	};
}

/** What is known of files before they are loaded; where n8n keeps them differs from run to run. */
const files = ({ binary = {} }: INodeExecutionData) =>
	Object.entries(binary).map(([field, { fileName, mimeType, fileSize, bytes }]) => [
		field,
		fileName,
		mimeType,
		bytes ?? fileSize,
	]);
