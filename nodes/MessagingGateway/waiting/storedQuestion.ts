import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { isObject } from '../../../gateway/json';
import type { Question } from '../question/question';

/** What the page needs to know. n8n stores it with the execution, because another process may receive the answer. */
interface StoredQuestion {
	/** The run of the node that asked. */
	run: number;
	question: Question;
	/** The fields of the output item besides the answer. */
	result: { chatId: string; messageId?: string; outcome: string };
	waitTill: number;
}

const NAME = 'question';

/** As text, because expressions see objects of the context as proxies. */
export function storeQuestion(context: IExecuteFunctions, question: StoredQuestion): void {
	context.getContext('node')[NAME] = JSON.stringify(question);
}

/** A webhook reaches the context of its node only by an expression. */
export function storedQuestion(context: IWebhookFunctions): StoredQuestion | undefined {
	// Braces would end the expression.
	const name = JSON.stringify(context.getNode().name).replace(/[{}]/g, (brace) =>
		brace === '{' ? '\\u007b' : '\\u007d',
	);
	const stored: unknown = context.evaluateExpression(`{{ $node[${name}].context.${NAME} }}`);
	if (typeof stored !== 'string') return undefined;
	const parsed: unknown = JSON.parse(stored);
	return isObject(parsed) ? (parsed as unknown as StoredQuestion) : undefined;
}
