import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'crypto';

import type {
	IExecuteFunctions,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { storedObject } from '../../../gateway/json';
import { keepInNode, keptInNode, signatureOf } from '../n8n/waitForAnswer';
import { answeredPage, type Notice, noticePage, PAGE_HEADERS, questionPage } from './page';
import { type Question, readAnswer } from './question';
import { preferredLanguage } from './texts';

const THIS_MACHINE = /^(localhost|.*\.localhost|127\..*|0\.0\.0\.0|\[::1?\])$/;
export function linkHint(link: string): string | undefined {
	const { origin, hostname } = new URL(link);
	if (!THIS_MACHINE.test(hostname)) return undefined;
	return `The link in the message starts with ${origin}, which only this machine can open. Set the environment variable N8N_WEBHOOK_URL (before n8n 2.35: WEBHOOK_URL) to an address of n8n that the phone can reach.`;
}

/** Contains what the page needs. n8n stores it with the execution, because another process may receive the answer. */
interface StoredQuestion {
	runIndex: number;
	question: Question;
	item: object;
	waitTill: number;
}

const STORED_AS = 'question';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const keyOf = (signature: string) => createHash('sha256').update(signature).digest();

/** Encrypts the question with the link's signature, because n8n shows a node's context even to users who may not see execution data. */
export function storeQuestion(
	context: IExecuteFunctions,
	link: string,
	question: StoredQuestion,
): void {
	const iv = randomBytes(IV_BYTES);
	const cipher = createCipheriv(CIPHER, keyOf(signatureIn(link)), iv);
	const sealed = [iv, cipher.update(JSON.stringify(question)), cipher.final(), cipher.getAuthTag()];
	keepInNode(context, STORED_AS, Buffer.concat(sealed).toString('base64'));
}

const signatureIn = (link: string) => new URL(link).searchParams.get('signature') ?? '';

/** Decrypts the question. Returns undefined if the signature is from the link of another question. */
function openedQuestion(sealed: unknown, signature: string): StoredQuestion | undefined {
	const bytes = Buffer.from(String(sealed), 'base64');
	try {
		const decipher = createDecipheriv(CIPHER, keyOf(signature), bytes.subarray(0, IV_BYTES));
		decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
		const text = [decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()];
		return storedObject(Buffer.concat(text).toString()) as StoredQuestion | undefined;
	} catch {
		return undefined;
	}
}

export const webhooks = (['GET', 'POST'] as const).map((httpMethod): IWebhookDescription => ({
	name: 'default',
	httpMethod,
	responseMode: 'onReceived',
	responseData: '',
	path: '={{ $nodeId }}',
	restartWebhook: true,
	isFullPath: true,
}));

/** Declares the part of Express that the page uses, because Express and its types are no dependency of the package. */
interface PageResponse {
	setHeader(name: string, value: string): void;
	status(code: number): PageResponse;
	send(page: string): void;
}

/**
 * Shows the page of a question, and receives its answer. n8n has checked the signature of the link. Opening the link
 * decides nothing, because chats and mail scanners open links, too.
 */
export async function answerWebhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { method } = this.getRequestObject() as { method: string };
	const response = this.getResponseObject() as PageResponse;
	for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
	/** Sends a page. The result has no `workflowData`, so the execution keeps waiting. */
	const show = (status: number, page: string): IWebhookResponseData => {
		response.status(status).send(page);
		return { noWebhookResponse: true };
	};
	const query = this.getQueryData() as { run?: string; signature?: unknown };
	const signature = signatureOf(query);
	const stored = signature && openedQuestion(keptInNode(this, STORED_AS), signature);
	const { language: chosen = 'automatic' } = stored ? stored.question : {};
	const preferred = this.getHeaderData()['accept-language'] ?? '';
	const language = chosen === 'automatic' ? preferredLanguage(preferred) : chosen;
	const notice = (status: number, name: Notice) => show(status, noticePage(name, language));
	if (!signature) return notice(403, 'invalid');
	// In a loop, the link of an answered question would otherwise answer the next one.
	if (!stored || query.run !== String(stored.runIndex)) return notice(410, 'closed');
	// n8n ends a wait up to a minute late, because it checks the time only once a minute.
	if (stored.waitTill <= Date.now()) return notice(410, 'expired');
	const { question, item } = stored;
	if (method !== 'POST') return show(200, questionPage(question, language));
	const answer = readAnswer(question, this.getBodyData());
	if (answer === 'tooLong') return notice(413, 'tooLong');
	if ('errors' in answer) return show(422, questionPage(question, language, answer));
	if (isSecondAnswer(signature)) return notice(410, 'closed');
	const { data } = answer;
	const respondedAt = new Date().toISOString();
	const items = data.map((values, index) => ({
		json: { answered: true, data: { ...values, respondedAt }, ...item },
		pairedItem: { item: index },
	}));
	return {
		// n8n sends this page, and only for the answer that it accepts. A second answer at the same time does not see it.
		webhookResponse: answeredPage(question, language, data),
		workflowData: [items],
	};
}

const SAME_ANSWER_MS = 5_000;
const answeredAt = new Map<string, number>();

/**
 * Two taps can send two answers. n8n 1 would continue the execution with each of them. n8n 2 would respond to the second
 * with an error, which is what the browser would show. Five seconds are enough for n8n to store that the execution
 * continues. After that, an answer that n8n lost can be sent again.
 */
function isSecondAnswer(link: string): boolean {
	const now = Date.now();
	for (const [answered, at] of answeredAt) {
		if (now - at > SAME_ANSWER_MS) answeredAt.delete(answered);
	}
	if (answeredAt.has(link)) return true;
	answeredAt.set(link, now);
	return false;
}
