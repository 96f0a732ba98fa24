import {
	type FunctionsBase,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import type { Answer } from '../../gateway/answer';
import {
	type Explanation,
	explain,
	explainConnection,
	unknownOutcome,
} from '../../gateway/explanation';
import { InvalidInput } from '../../gateway/invalidInput';

const NOTHING = Buffer.alloc(0);

/** The gateway answered, and the answer is no. */
export class Refused extends Error {
	readonly answer: Answer;

	constructor(
		answer: Answer,
		/** What a 404 of a gateway means to this operation. */
		readonly notFound?: Explanation,
	) {
		super();
		// What is kept until the run ends holds no bytes.
		this.answer = { ...answer, bytes: NOTHING };
	}
}

/** No answer came. Of the original only the code is kept: it holds the request, and with it a whole file. */
export class Broken extends Error {
	constructor(readonly code: string) {
		super();
	}
}

export const isBroken = (thrown: unknown, code: string) =>
	thrown instanceof Broken && thrown.code === code;

/** The gateway answered well enough, but what it says is not what was waited for. */
export class NotReady extends Error {
	readonly description: string;

	constructor({ message, description }: Explanation) {
		super(message);
		this.description = description;
	}
}

/** What is known of a request that went wrong, beside the reason. */
export interface Fate {
	tries?: number;
	/** Whether the gateway may have done it all the same. */
	isUnknown?: boolean;
	/** Whether the gateway would notice a second one. */
	isRepeatable?: boolean;
	/** What became of the others. */
	others?: Explanation;
}

/** Down the chain of what n8n wraps: the reason why nothing was sent, or the code of the connection that broke. */
export function reason(thrown: unknown): InvalidInput | NodeOperationError | string | undefined {
	let error = thrown as { code?: unknown; cause?: unknown } | null | undefined;
	for (let depth = 0; typeof error === 'object' && error !== null && depth < 5; depth++) {
		if (error instanceof InvalidInput || error instanceof NodeOperationError) return error;
		if (typeof error.code === 'string') return error.code;
		error = error.cause as typeof error;
	}
	return thrown instanceof NodeApiError ? '' : undefined;
}

interface Words extends Explanation {
	isAnswer?: boolean;
	httpCode?: string;
}

const ENDLESS_VALUE: Explanation = {
	message: 'A value in the fields holds itself, or is nested too deeply',
	description: 'Let the expressions pick the parts that are needed, rather than a whole object.',
};

const NAMED_ITEM = / \[item \d+\]$/;

function wordsFor(thrown: unknown): Words {
	if (thrown instanceof Refused) {
		const { answer, notFound } = thrown;
		const words = explain(answer, Date.now(), notFound);
		return { ...words, isAnswer: true, httpCode: String(answer.status) };
	}
	if (thrown instanceof NotReady) {
		return { message: thrown.message, description: thrown.description, isAnswer: true };
	}
	const because = reason(thrown);
	// Without the code: n8n would put its own words for it in place of ours.
	if (typeof because === 'string') return { ...explainConnection(because), isAnswer: true };
	// n8n itself follows such a value without an end.
	if (thrown instanceof RangeError) return ENDLESS_VALUE;
	const { message, description } = (because ?? thrown) as Error & Partial<Explanation>;
	return { message: message.replace(NAMED_ITEM, ''), description: description ?? '' };
}

function withFate(words: Words, { tries = 1, isUnknown, others }: Fate): Words {
	const known = isUnknown ? { ...words, ...unknownOutcome(words) } : words;
	const parts = [
		known.description,
		tries > 1 && `It was tried ${tries} times.`,
		others?.description,
	];
	return {
		...known,
		message: others ? `${known.message}; ${others.message}` : known.message,
		description: parts.filter(Boolean).join(' '),
	};
}

/** Nothing of the original is carried over: it knows the URL, and with it the token. */
function inWords(node: INode, words: Words, itemIndex?: number) {
	const { isAnswer, httpCode, message, description } = words;
	return isAnswer
		? new NodeApiError(node, {}, { message, description, httpCode, itemIndex })
		: new NodeOperationError(node, message, { description, itemIndex });
}

/** For what belongs to no item. */
export const explained = (node: INode, thrown: unknown) => inWords(node, wordsFor(thrown));

/** The item that stands for one that went wrong; thrown where the user wants the workflow to stop. */
export function refusedItem(
	context: Pick<FunctionsBase, 'getNode'> & { continueOnFail(): boolean },
	item: number,
	thrown: unknown,
	fate: Fate = {},
): INodeExecutionData {
	const { message, ...words } = withFate(wordsFor(thrown), fate);
	// n8n's editor looks for this very form, so that it does not add it a second time.
	const named = { ...words, message: `${message} [item ${item}]` };
	const error = inWords(context.getNode(), named, item);
	if (!context.continueOnFail()) throw error;
	return { json: {}, error, pairedItem: { item } };
}
