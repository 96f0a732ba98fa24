import type {
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';

import { type Answer, readAnswer } from '../../gateway/answer';
import { ANSWER_TOO_LARGE } from '../../gateway/explanation';
import type { Redact } from '../../gateway/redaction';
import { Broken } from './refusals';
import { timeoutMs } from './requestOptions';

/**
 * Answers come with every status: what they say is read here, and a refused request is sent once. And they
 * come as streams, for n8n itself reads on for as long and as much as somebody sends.
 */
const READ_HERE = {
	encoding: 'stream',
	ignoreHttpStatusErrors: true,
	returnFullResponse: true,
} as const;

/** Far more than a gateway has to say. */
const MOST_BYTES = 16 * 1024 * 1024;

type Context = IExecuteFunctions | IExecuteSingleFunctions | IPollFunctions;

/** Sends a request and reads the whole answer, within bounds of size and time. */
export async function call(
	context: Context,
	request: IHttpRequestOptions,
	redact: Redact,
): Promise<Answer> {
	const late = AbortSignal.timeout(timeoutMs(request));
	const cancelled = cancelSignalOf(context);
	const stop = new AbortController();
	const giveUp = () => stop.abort();
	for (const signal of [late, cancelled]) signal?.addEventListener('abort', giveUp);
	// An execution that was stopped before does not say so again.
	if (cancelled?.aborted) giveUp();
	const answer = await exchanged(context, request, stop.signal)
		.catch((thrown: unknown) => {
			throw late.aborted && !cancelled?.aborted ? new Broken('ETIMEDOUT') : thrown;
		})
		.finally(() => {
			// What is listened to stays in memory until its time has come.
			for (const signal of [late, cancelled]) signal?.removeEventListener('abort', giveUp);
		});
	return readAnswer(answer, redact);
}

async function exchanged(context: Context, request: IHttpRequestOptions, stop: AbortSignal) {
	const { body, headers, statusCode } = (await context.helpers.httpRequestWithAuthentication.call(
		stoppedBy(stop, context),
		'messagingGatewayApi',
		{ ...request, ...READ_HERE },
	)) as IN8nHttpFullResponse;
	return { status: statusCode, headers, bytes: await allOf(body as AsyncIterable<Buffer>) };
}

const cancelSignalOf = (context: Context) =>
	'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

/** n8n stops a request by the signal that its context names, whatever the request says. */
const stoppedBy = (signal: AbortSignal, context: Context): Context =>
	Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as Context;

async function allOf(body: AsyncIterable<Buffer>): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of body) {
		length += chunk.length;
		// Leaving the loop hangs up.
		if (length > MOST_BYTES) throw new Broken(ANSWER_TOO_LARGE);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}
