import type {
	DeclarativeRestApiSettings,
	FunctionsBase,
	IExecutePaginationFunctions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';

import type { Answer } from '../../gateway/answer';
import { redactor } from '../../gateway/redaction';
import { notAnswered, type Redact } from './refusals';

/** Keeps the credential's token and secret out of all that the node says. */
export async function redactorOf(context: Pick<FunctionsBase, 'getCredentials'>): Promise<Redact> {
	const { token, secret } = await context.getCredentials<{ token: string; secret: string }>(
		'messagingGatewayApi',
	);
	return redactor([token, secret]);
}

export function asAnswer(response: IN8nHttpFullResponse): Answer {
	const { body, headers, statusCode } = response;
	const bytes = Buffer.isBuffer(body)
		? body
		: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? ''));
	return { status: statusCode, headers, bytes };
}

/** One item's request in the declarative engine; declared as its pagination, for that is what n8n hands over whole. */
export async function exchange(
	this: IExecutePaginationFunctions,
	request: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	try {
		return await this.makeRoutingRequest(request);
	} catch (error) {
		throw notAnswered(this.getNode(), this.getItemIndex(), error);
	}
}
