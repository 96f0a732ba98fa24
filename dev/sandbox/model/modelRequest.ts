import type { IncomingMessage } from 'node:http';

import { invalidField } from '../http/fields';
import { requireLoopback } from '../http/loopback';
import { isAtOrBelow, pathOf } from '../http/path';
import { type BodiesInFlight, parseJsonObject } from '../http/requestBody';
import { HttpError, type HttpResponse, jsonResponse } from '../http/response';
import { completion } from './completion';
import { type Conversation, type Message, nextTurn, type Tool } from './scriptedModel';

/** Clients of OpenAI's API use this path as their base URL. */
export const MODEL_PATH = '/_sandbox/model/v1';

const MAX_BODY_BYTES = 1024 * 1024;
const METHODS: Record<string, string> = { '/models': 'GET', '/chat/completions': 'POST' };

export function isModelRequest({ url = '' }: IncomingMessage): boolean {
	return isAtOrBelow(url, MODEL_PATH);
}

/** Serves the model of the examples with an AI agent: the part of OpenAI's API that n8n uses. It needs no key because it costs nothing. */
export async function handleModelRequest(
	bodies: BodiesInFlight,
	request: IncomingMessage,
): Promise<HttpResponse> {
	requireLoopback(request);
	const path = pathOf(request.url ?? '').slice(MODEL_PATH.length);
	const method = METHODS[path];
	if (!method) throw new HttpError(404, 'not_found', 'The scripted model has no such endpoint.');
	if (request.method !== method) {
		throw new HttpError(405, 'method_not_allowed', `Use ${method}.`, { Allow: method });
	}
	if (path === '/models') {
		return jsonResponse(200, { object: 'list', data: [{ id: 'scripted', object: 'model' }] });
	}
	const { bytes, release } = await bodies.read(request, MAX_BODY_BYTES);
	try {
		const body = parseJsonObject(bytes, request.headers['content-type']);
		return jsonResponse(200, completion(nextTurn(readConversation(body))));
	} finally {
		release();
	}
}

function readConversation({ messages, stream, ...body }: Record<string, unknown>): Conversation {
	const tools = body.tools ?? [];
	if (!isList(messages, isMessage)) throw invalidField('messages', 'must be a list of messages');
	if (!isList(tools, isTool)) throw invalidField('tools', 'must be a list of functions');
	if (stream) throw invalidField('stream', 'is not supported: turn off streaming');
	return { messages, tools };
}

function isList<T>(value: unknown, isItem: (item: T) => boolean): value is T[] {
	return Array.isArray(value) && value.every((item: T | null) => item !== null && isItem(item));
}

const isMessage = ({ role, content }: Message) =>
	typeof role === 'string' &&
	(typeof (content ?? '') === 'string' || isList(content, (part) => typeof part === 'object'));

const isTool = ({ function: definition }: Tool) => typeof definition?.name === 'string';
