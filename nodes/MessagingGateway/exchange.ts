import type {
	DeclarativeRestApiSettings,
	FunctionsBase,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';

import { type Answer, readAnswer } from '../../gateway/answer';
import { redactor } from '../../gateway/redaction';
import { notAnswered } from './refusals';

export type Redact = <T>(value: T) => T;

/** Keeps the credential's token and secret out of all that the node says. */
export async function redactorOf(context: Pick<FunctionsBase, 'getCredentials'>): Promise<Redact> {
	const { token, secret } = await context.getCredentials<{ token: string; secret: string }>(
		'messagingGatewayApi',
	);
	return redactor([token, secret]);
}

export function answerFrom(response: IN8nHttpFullResponse, redact: Redact): Answer {
	const { body, headers, statusCode: status } = response;
	const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body ?? ''));
	return readAnswer({ status, headers, bytes }, redact);
}

export async function answerOf(
	context: Pick<FunctionsBase, 'getCredentials'>,
	response: IN8nHttpFullResponse,
): Promise<Answer> {
	return answerFrom(response, await redactorOf(context));
}

/** A request that is not to be sent, because of what somebody entered; `exchange` says so in its place. */
type Request = DeclarativeRestApiSettings.HttpRequestOptions & { notSent?: unknown };

export function notToBeSent(request: IHttpRequestOptions, because: unknown): IHttpRequestOptions {
	return { ...request, notSent: because } as IHttpRequestOptions;
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
	try {
		const { notSent } = request.options as Request;
		if (notSent !== undefined) throw notSent as Error;
		return await this.makeRoutingRequest(request);
	} catch (thrown) {
		const error = notAnswered(this.getNode(), item, thrown);
		if (!this.continueOnFail()) throw error;
		return [{ json: {}, error, pairedItem: { item } }];
	}
}
