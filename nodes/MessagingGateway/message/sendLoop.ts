import {
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	type INodeExecutionData,
	sleep,
} from 'n8n-workflow';

import { type Answer, isRefused } from '../../../gateway/answer';
import type { Endpoint } from '../../../gateway/endpoints';
import type { Redact } from '../../../gateway/redaction';
import { answerFrom, READ_HERE, redactorOf } from '../exchange';
import { plainItems } from '../items';
import { refusedByGateway, refusedItem } from '../refusals';
import { connectionOptions, pauseBefore } from '../requestOptions';
import { type BodyBuilder, itemOf, JSON_HEADERS } from './itemBody';

/** Sends item by item, in order: each message after the previous one was answered. */
export function sendLoop(endpoint: Endpoint, build: BodyBuilder) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const redact = await redactorOf(this);
		const output: INodeExecutionData[] = [];
		for (let item = 0; item < this.getInputData().length; item++) {
			await pause(pauseBefore(this, item), this.getExecutionCancelSignal());
			try {
				const body = await build(itemOf(this, item));
				const answer = await send(this, endpoint, body, redact);
				if (isRefused(answer)) throw refusedByGateway(this.getNode(), item, answer);
				output.push(...plainItems(answer).map((sent) => ({ ...sent, pairedItem: { item } })));
			} catch (thrown) {
				output.push(refusedItem(this, item, thrown));
			}
		}
		return [output];
	};
}

const SLICE_MS = 250;

/** In slices, for n8n-workflow has no sleep that can be cut short, and a cancelled execution is not to linger. */
async function pause(duration: number, cancelled: AbortSignal | undefined): Promise<void> {
	for (let left = duration; left > 0 && !cancelled?.aborted; left -= SLICE_MS) {
		await sleep(Math.min(left, SLICE_MS));
	}
}

async function send(
	context: IExecuteFunctions,
	{ method, path }: Endpoint,
	body: Buffer,
	redact: Redact,
): Promise<Answer> {
	const request: IHttpRequestOptions = {
		...connectionOptions(context),
		method,
		url: path,
		headers: { ...JSON_HEADERS },
		body,
		...READ_HERE,
		returnFullResponse: true,
	};
	const response = (await context.helpers.httpRequestWithAuthentication.call(
		context,
		'messagingGatewayApi',
		request,
	)) as IN8nHttpFullResponse;
	return answerFrom(response, redact);
}
