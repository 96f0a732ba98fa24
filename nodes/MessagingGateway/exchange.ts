import type {
	DeclarativeRestApiSettings,
	FunctionsBase,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';

import { type Answer, readAnswer } from '../../gateway/answer';
import { type Redact, redactor } from '../../gateway/redaction';
import { refusedItem } from './refusals';

/** Answers come as bytes and with every status: what they say is read here, and a refused request is sent once. */
export const READ_HERE = { encoding: 'arraybuffer', ignoreHttpStatusErrors: true } as const;

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
	try {
		const { notSent } = request.options as Request;
		if (notSent !== undefined) throw notSent as Error;
		return await this.makeRoutingRequest(request);
	} catch (thrown) {
		return [refusedItem(this, this.getItemIndex(), thrown)];
	}
}
