import type {
	DeclarativeRestApiSettings,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import { accountOf } from './account';
import { attempts } from './attempt';
import { call } from './call';
import { duplicateItems, type Reading } from './items';
import { refusedItem } from './refusals';
import { brakeOf } from './sending/brake';
import { untilDone } from './sending/tries';

/** How often a message may be tried. */
export interface Tries {
	maxTries: number;
	maxWaitMs: number;
	isRepeatable: boolean;
}

/** What is no message is tried once; a refusal of the pace still holds the next ones. */
const ONCE: Tries = { maxTries: 1, maxWaitMs: 60_000, isRepeatable: false };

/** What a hook before sending leaves on a request for `exchange`. */
type Request = DeclarativeRestApiSettings.HttpRequestOptions & {
	/** Why it is not to be sent, because of what somebody entered. */
	notSent?: unknown;
	tries?: Tries;
	read: Reading;
};

export function notToBeSent(request: IHttpRequestOptions, because: unknown): IHttpRequestOptions {
	return { ...request, notSent: because } as IHttpRequestOptions;
}

export function readBy(request: IHttpRequestOptions, read: Reading): IHttpRequestOptions {
	return { ...request, read } as IHttpRequestOptions;
}

export function withTries(request: IHttpRequestOptions, tries: Tries): IHttpRequestOptions {
	return { ...request, tries } as IHttpRequestOptions;
}

/**
 * One item's request in the declarative engine; declared as its pagination, for that is what n8n hands
 * over whole. Items that went wrong are paired here, because n8n does not pair them itself.
 */
export async function exchange(
	this: IExecutePaginationFunctions,
	request: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	const item = this.getItemIndex();
	const { notSent, tries, read, ...options } = request.options as Request;
	if (notSent !== undefined) return [refusedItem(this, item, notSent)];

	const { key: account, redact } = await accountOf(this);
	const { isRepeatable, ...limits } = tries ?? ONCE;
	const isOver = () => this.getExecutionCancelSignal()?.aborted ?? false;
	const go = async () =>
		await read.call(this, await call(this, options as IHttpRequestOptions, redact));
	const about = { account, duplicate: isRepeatable ? duplicateItems : undefined };
	const end = await untilDone(
		{ isRepeatable, attempt: attempts(go, about) },
		{ ...limits, brake: brakeOf(account), isOver, isStopping: isOver },
	);
	if (end && 'result' in end) {
		return end.result.map((output) => ({ ...output, pairedItem: { item } }));
	}
	// Who has cancelled the execution is not to be told that it went wrong.
	if (!end || isOver()) return [];
	return [refusedItem(this, item, end.thrown, tries ? end : {})];
}
