import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { readAnswer } from '../question/answer';
import {
	ANSWERED_PAGE,
	CLOSED_PAGE,
	EXPIRED_PAGE,
	PAGE_HEADERS,
	questionPage,
} from '../question/page';
import { storedQuestion } from './storedQuestion';

const webhook = (httpMethod: 'GET' | 'POST'): IWebhookDescription => ({
	name: 'default',
	httpMethod,
	responseMode: 'onReceived',
	responseData: '',
	path: '={{ $nodeId }}',
	restartWebhook: true,
	isFullPath: true,
});

export const webhooks = [webhook('GET'), webhook('POST')];

/** The types of Express are no dependency. */
interface PageRequest {
	method: string;
}
interface PageResponse {
	setHeader(name: string, value: string): void;
	status(code: number): PageResponse;
	send(page: string): void;
}

/**
 * The page of a question, and its answer. n8n has checked the signature of the link. Opening the link decides
 * nothing, because chats and mail scanners open links too.
 */
export async function answerWebhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { method } = this.getRequestObject() as PageRequest;
	const response = this.getResponseObject() as PageResponse;
	for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
	/** Without `workflowData`, the execution keeps waiting. */
	const show = (status: number, page: string): IWebhookResponseData => {
		response.status(status).send(page);
		return { noWebhookResponse: true };
	};
	const stored = storedQuestion(this);
	const { run, signature = '' } = this.getQueryData() as { run?: string; signature?: string };
	// In a loop, the link of an answered question would otherwise answer the next one.
	if (!stored || run !== String(stored.run)) return show(410, CLOSED_PAGE);
	// n8n checks the time only once a minute.
	if (stored.waitTill <= Date.now()) return show(410, EXPIRED_PAGE);
	const { question, result } = stored;
	if (method !== 'POST') return show(200, questionPage(question));
	const answer = readAnswer(question, this.getBodyData());
	if ('errors' in answer) return show(422, questionPage(question, answer));
	if (isRepeated(signature, Date.now())) return show(410, CLOSED_PAGE);
	const data = { ...answer.data, respondedAt: new Date().toISOString() };
	return {
		// n8n sends it, so that a second answer at the same time does not see it too.
		webhookResponse: ANSWERED_PAGE,
		workflowData: [[{ json: { answered: true, data, ...result }, pairedItem: { item: 0 } }]],
	};
}

/** Long enough for n8n to store that the execution continues. Afterwards an answer that n8n lost can be repeated. */
const REPEATED_MS = 5_000;

const lastAnswers = new Map<string, number>();

/**
 * Two taps can send two answers. n8n 1 continues the execution with each of them, and n8n 2 responds to the second,
 * which is the one whose response a browser shows, with an error.
 */
function isRepeated(signature: string, now: number): boolean {
	for (const [earlier, time] of lastAnswers) {
		if (now - time > REPEATED_MS) lastAnswers.delete(earlier);
	}
	if (lastAnswers.has(signature)) return true;
	lastAnswers.set(signature, now);
	return false;
}
