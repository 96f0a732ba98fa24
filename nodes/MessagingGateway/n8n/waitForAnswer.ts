/**
 * Waiting for an answer: the link, the data that n8n stores during the wait, and the output without an answer.
 * Versions: the link since n8n 1.110. n8n 1 checks its signature only on request.
 * n8n's issues: pull requests 11985 and 22611. When a sub-workflow ends, its output replaces the input of its waiting parent.
 * If n8n changes: run `npm run test:live -- sendAndWait` and `node test/compat/main.mjs`. A missing answer must never look like an answer.
 * Checked with n8n 2.41.1.
 */
import type { IExecuteFunctions, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

/** n8n 1 checks the signature only after this call. Later versions always check it. */
interface SigningContext extends IExecuteFunctions {
	setSignatureValidationRequired?: () => void;
}

/** Returns the signed link to the page of a question. The index of the run distinguishes the questions of a loop. */
export function answerLink(context: SigningContext, runIndex: number): string {
	context.setSignatureValidationRequired?.();
	return context.getSignedResumeUrl({ run: String(runIndex) });
}

/** Matches signatures only. n8n also accepts the execution's resume token with the node, but every expression can read that token. */
const SIGNATURE = /^[0-9a-f]{64}$/;

/** Returns the signature in the query of the link, or undefined if there is none. */
export function signatureOf({ signature }: { signature?: unknown }): string | undefined {
	return typeof signature === 'string' && SIGNATURE.test(signature) ? signature : undefined;
}

/** Stores a text in the context of the node. It must be text, because expressions return objects of the context as proxies. */
export function keepInNode(context: IExecuteFunctions, name: string, text: string): void {
	context.getContext('node')[name] = text;
}

/** Returns what keepInNode stored. A webhook can read the context of its node only with an expression. */
export function keptInNode(context: IWebhookFunctions, name: string): unknown {
	// Braces in the name would end the expression.
	const quoted = JSON.stringify(context.getNode().name);
	const node = quoted.replaceAll('{', '\\u007b').replaceAll('}', '\\u007d');
	return context.evaluateExpression(`{{ $node[${node}].context.${name} }}`);
}

/**
 * Makes the execution wait. If the wait ends without an answer, n8n outputs the input, so nothing in it may look like an answer. A
 * review outputs no input fields: n8n reads several of them as the answer, and they contain the model's call and the agent's input.
 */
export async function waitForAnswer(
	context: IExecuteFunctions,
	isReview: boolean,
	until: Date,
	/** Marks the input of a question that its recipient did not get. */
	mark: { isTest?: true },
): Promise<void> {
	// When n8n stores an item, it turns an own `__proto__` into the prototype of the item.
	const isKept = ([name]: [string, unknown]) => name !== 'data' && name !== '__proto__';
	const unanswered = ({ json, ...item }: INodeExecutionData): INodeExecutionData => {
		const kept = isReview ? [] : Object.entries(json).filter(isKept);
		return { ...item, json: { ...Object.fromEntries(kept), answered: false, ...mark } };
	};
	const execution = context.getExecuteData();
	// The items are also the previous node's output, so they are copied and not changed.
	execution.data.main = execution.data.main!.map((items) => items?.map(unanswered) ?? null);
	// n8n disables the node of the waiting run. Other runs that are due share the object, and would pass on their input without a question.
	execution.node = { ...execution.node };
	// With this ID, which no sub-workflow has, n8n does not take the output of a sub-workflow that ends during the wait for the answer.
	context.setMetadata({ waitingChildExecutionIds: [context.getExecutionId()] });
	await context.putExecutionToWait(until);
}
