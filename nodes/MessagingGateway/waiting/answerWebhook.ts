import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { readAnswer } from '../question/answer';
import {
	answeredPage,
	CLOSED_PAGE,
	EXPIRED_PAGE,
	INVALID_PAGE,
	PAGE_HEADERS,
	questionPage,
	TOO_LONG_PAGE,
	TOO_MANY_PAGE,
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

/** n8n also accepts the resume token of the execution, with the node after it, which every expression can read. */
const SIGNATURE = /^[0-9a-f]{64}$/;

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
	const { run, signature } = this.getQueryData() as { run?: string; signature?: unknown };
	if (typeof signature !== 'string' || !SIGNATURE.test(signature)) return show(403, INVALID_PAGE);
	const stored = storedQuestion(this);
	// In a loop, the link of an answered question would otherwise answer the next one.
	if (!stored || run !== String(stored.run)) return show(410, CLOSED_PAGE);
	// n8n checks the time only once a minute.
	if (stored.waitTill <= Date.now()) return show(410, EXPIRED_PAGE);
	const { question, result } = stored;
	if (method !== 'POST') return show(200, questionPage(question));
	const answer = readAnswer(question, this.getBodyData());
	if (answer === 'tooLong') return show(413, TOO_LONG_PAGE);
	if ('errors' in answer) {
		if (rejectedAnswers.isReached(signature)) return show(429, TOO_MANY_PAGE);
		return show(422, questionPage(question, answer));
	}
	if (answers.isReached(signature)) return show(410, CLOSED_PAGE);
	const data = { ...answer.data, respondedAt: new Date().toISOString() };
	return {
		// n8n sends it, so that a second answer at the same time does not see it too.
		webhookResponse: answeredPage(question, answer.data),
		workflowData: [[{ json: { answered: true, data, ...result }, pairedItem: { item: 0 } }]],
	};
}

/** How often a link can be used within a time, in this process. */
class LinkLimit {
	readonly #uses = new Map<string, number[]>();

	constructor(
		private readonly max: number,
		private readonly withinMs: number,
	) {}

	/** Otherwise counts this use. */
	isReached(link: string): boolean {
		const now = Date.now();
		for (const [used, times] of this.#uses) {
			if (now - times.at(-1)! > this.withinMs) this.#uses.delete(used);
		}
		const recent = (this.#uses.get(link) ?? []).filter((time) => now - time <= this.withinMs);
		if (recent.length >= this.max) return true;
		this.#uses.set(link, [...recent, now]);
		return false;
	}
}

/**
 * Two taps can send two answers. n8n 1 continues the execution with each of them, and n8n 2 responds to the second,
 * which is the one whose response a browser shows, with an error. The time is long enough for n8n to store that the
 * execution continues. Afterwards an answer that n8n lost can be repeated.
 */
const answers = new LinkLimit(1, 5_000);

/** The page of a rejected answer costs much more than the answer. */
const rejectedAnswers = new LinkLimit(10, 60_000);
