/**
 * Waiting for an answer: the link, what n8n keeps meanwhile, and what goes on without an answer.
 * Versions: the link since n8n 1.110; n8n 1 checks its signature only if asked to.
 * n8n's issues: pull requests 11985 and 22611. A sub-workflow that ends puts its output in place of the input of its waiting parent.
 * If n8n changes: run `npm run test:live -- sendAndWait` and `npm run test:compat`. Nothing here may make silence look like an answer.
 * Checked with n8n 2.41.1.
 */
import type { IExecuteFunctions, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

/** n8n 1 checks the signature only after this call. Later versions always do. */
interface SigningContext extends IExecuteFunctions {
	setSignatureValidationRequired?: () => void;
}

/** The signed link to the page of a question. The index of the run tells apart the questions of a loop. */
export function answerLink(context: SigningContext, runIndex: number): string {
	context.setSignatureValidationRequired?.();
	return context.getSignedResumeUrl({ run: String(runIndex) });
}

/** n8n also accepts the resume token of the execution, with the node after it, which every expression can read. */
const SIGNATURE = /^[0-9a-f]{64}$/;

/** The signature in the query of the link; undefined if there is none. */
export function signatureOf({ signature }: { signature?: unknown }): string | undefined {
	return typeof signature === 'string' && SIGNATURE.test(signature) ? signature : undefined;
}

/** As text, because expressions see objects of the context as proxies. */
export function keepInNode(context: IExecuteFunctions, name: string, text: string): void {
	context.getContext('node')[name] = text;
}

/** A webhook reaches the context of its node only by an expression. */
export function keptInNode(context: IWebhookFunctions, name: string): unknown {
	// Braces would end the expression.
	const quoted = JSON.stringify(context.getNode().name);
	const node = quoted.replaceAll('{', '\\u007b').replaceAll('}', '\\u007d');
	return context.evaluateExpression(`{{ $node[${node}].context.${name} }}`);
}

/**
 * n8n passes the input on if the wait ends without an answer, so nothing in it may look like one. In a review, n8n
 * takes several fields for the answer, and the input contains the model's call and the agent's input.
 */
export async function waitForAnswer(
	context: IExecuteFunctions,
	isReview: boolean,
	until: Date,
): Promise<void> {
	// n8n stores the item and turns its own `__proto__` into its prototype.
	const isKept = ([name]: [string, unknown]) => name !== 'data' && name !== '__proto__';
	const unanswered = ({ json, ...item }: INodeExecutionData): INodeExecutionData => {
		const kept = isReview ? [] : Object.entries(json).filter(isKept);
		return { ...item, json: { ...Object.fromEntries(kept), answered: false } };
	};
	const execution = context.getExecuteData();
	// The items belong to the previous node as well.
	execution.data.main = execution.data.main!.map((items) => items?.map(unanswered) ?? null);
	// n8n disables the node of the run that waits. Other runs that are due share it, and would pass on their input unasked.
	execution.node = { ...execution.node };
	// Otherwise, the output of any sub-workflow that ends meanwhile is the answer. This execution is not its own sub-workflow.
	context.setMetadata({ waitingChildExecutionIds: [context.getExecutionId()] });
	await context.putExecutionToWait(until);
}
