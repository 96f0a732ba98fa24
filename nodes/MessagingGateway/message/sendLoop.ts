import {
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	type INodeExecutionData,
	sleep,
} from 'n8n-workflow';

import { type Answer, contents } from '../../../gateway/answer';
import type { Endpoint } from '../../../gateway/endpoints';
import { asAnswer, redactorOf } from '../exchange';
import { isRefused, plainJson } from '../items';
import { notAnswered, refusedByGateway } from '../refusals';
import { connectionOptions, pauseBefore } from '../requestOptions';
import { type BodyBuilder, itemOf, JSON_HEADERS } from './itemBody';

/** Sends item by item, in order: each message after the previous one was answered. */
export function sendLoop({ method, path }: Endpoint, build: BodyBuilder) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const redact = await redactorOf(this);
		const connection = connectionOptions(this);
		const send = async (itemIndex: number): Promise<Answer> => {
			const body = await build(itemOf(this, itemIndex));
			const request: IHttpRequestOptions = {
				...connection,
				method,
				url: path,
				headers: { ...JSON_HEADERS },
				body,
				encoding: 'arraybuffer',
				ignoreHttpStatusErrors: true,
				returnFullResponse: true,
			};
			return asAnswer(
				(await this.helpers.httpRequestWithAuthentication.call(
					this,
					'messagingGatewayApi',
					request,
				)) as IN8nHttpFullResponse,
			);
		};

		const output: INodeExecutionData[] = [];
		for (let item = 0; item < this.getInputData().length; item++) {
			const pause = pauseBefore(this, item);
			if (pause > 0) await sleep(pause);
			try {
				const answer = await send(item);
				if (isRefused(answer)) throw refusedByGateway(this.getNode(), item, { answer, redact });
				for (const json of plainJson({ answer, data: redact(contents(answer)) })) {
					output.push({ json, pairedItem: { item } });
				}
			} catch (thrown) {
				const error = notAnswered(this.getNode(), item, thrown);
				if (!this.continueOnFail()) throw error;
				output.push({ json: {}, error, pairedItem: { item } });
			}
		}
		return [output];
	};
}
