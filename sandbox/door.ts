import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import { type Answer, Refusal } from './answer';
import { readBody } from './body';
import type { Endpoint } from './endpoints';
import type { Fault } from './fault';
import { faultAnswer } from './faultAnswer';
import type { Faults } from './faults';
import type { RecordedRequest, RequestLog } from './requestLog';
import type { Call, responses } from './responses';
import { findRoute } from './routing';
import { carriesSignature, verifySignature, verifyToken } from './verification';

const LARGEST_BODY = 128 * 1024 * 1024;

export interface House {
	basePath: string;
	token: string;
	secret: string;
	signDeferred: 'required' | 'optional';
	now: () => number;
	responses: ReturnType<typeof responses>;
	faults: Faults;
	log: RequestLog;
	/** Aborted when the sandbox closes, so that no latency keeps it open. */
	closing: AbortSignal;
}

/** The Date to answer with, too: a wrong clock has to be visible from outside. */
export interface Reply {
	answer: Answer | 'cut';
	clock: number;
}

/** One request, from the door inwards: place, token, signature, contents, and then the act. */
export async function receive(
	house: House,
	request: IncomingMessage,
	recorded: RecordedRequest,
): Promise<Reply> {
	let clockOffsetMs = 0;
	const reply = (answer: Answer | 'cut') => ({ answer, clock: house.now() + clockOffsetMs });
	try {
		const body = await readBody(request, LARGEST_BODY);
		house.log.addBody(recorded, body);
		const route = findRoute(request.method ?? '', request.url ?? '', house.basePath);
		recorded.endpoint = route.endpoint.name;

		const fault = house.faults.take(route.endpoint.name, () => chatNamedIn(body)) ?? {};
		clockOffsetMs = fault.clockOffsetMs ?? 0;

		verifyToken(route.token, house.token);
		if (signatureIsDue(house, route.endpoint, request)) {
			const clock = house.now() + clockOffsetMs;
			verifySignature({ headers: request.headers, body, clock }, house.token, house.secret);
		}
		const act = house.responses[route.endpoint.name]({
			body,
			contentType: request.headers['content-type'],
			deliveryKey: route.deliveryKey,
		} satisfies Call);
		return reply(await actUnder(fault, act, house.closing));
	} catch (error) {
		if (error instanceof Refusal) return reply(error.answer());
		throw error;
	}
}

function signatureIsDue(house: House, endpoint: Endpoint, request: IncomingMessage): boolean {
	if (endpoint.signed !== 'not stated') return endpoint.signed === 'yes';
	return house.signDeferred === 'required' || carriesSignature(request.headers);
}

async function actUnder(
	fault: Fault,
	act: () => Answer | Promise<Answer>,
	closing: AbortSignal,
): Promise<Answer | 'cut'> {
	const own = faultAnswer(fault);
	const instead = fault.cut === 'before' || (own && !fault.after && fault.cut !== 'after');
	if (instead) {
		await pauseFor(fault, closing);
		return fault.cut ? 'cut' : (own as Answer);
	}
	// The act comes before the pause: a client that loses patience has sent its message all the same.
	const answer = await answerOf(act);
	await pauseFor(fault, closing);
	if (answer.status >= 400) return answer;
	if (fault.cut) return 'cut';
	return own ?? { ...answer, headers: { ...answer.headers, ...fault.headers } };
}

async function answerOf(act: () => Answer | Promise<Answer>): Promise<Answer> {
	try {
		return await act();
	} catch (error) {
		if (error instanceof Refusal) return error.answer();
		throw error;
	}
}

async function pauseFor({ latencyMs = 0 }: Fault, signal: AbortSignal): Promise<void> {
	if (latencyMs > 0) await pause(latencyMs, undefined, { signal });
}

/** For picking a fault only, before anything is verified: so it takes what it finds. */
function chatNamedIn(body: Buffer): string | undefined {
	try {
		const fields = JSON.parse(body.toString()) as { chatId?: unknown; phone?: unknown } | null;
		const chatId = fields?.chatId ?? fields?.phone;
		return typeof chatId === 'string' ? chatId : undefined;
	} catch {
		return undefined;
	}
}
