import type { IncomingMessage } from 'node:http';

import type { Account } from './account/account';
import { sessionStatuses } from './account/accountStore';
import { isSameText } from './api/authentication';
import type { RequestLog } from './api/requestLog';
import type { ActiveFaults } from './faults/activeFaults';
import { sendExampleRequest } from './guide/exampleRequest';
import type { StoredGuide } from './guide/guide';
import { invalidField, requireText } from './http/fields';
import { requireLoopback } from './http/loopback';
import { isAtOrBelow, pathOf } from './http/path';
import { type BodiesInFlight, isJson, parseJson } from './http/requestBody';
import { HttpError, type HttpResponse, jsonResponse } from './http/response';

export const CONTROL_PATH = '/_sandbox';

const MAX_BODY_BYTES = 1024 * 1024;

export interface ControlContext {
	account: Account;
	faults: ActiveFaults;
	log: RequestLog;
	bodies: BodiesInFlight;
	guide: StoredGuide;
	controlKey: string;
	reset: () => void;
}

export function isControlRequest(url: string): boolean {
	return isAtOrBelow(url, CONTROL_PATH);
}

type ControlHandler = (body: unknown) => unknown;

/** Handles requests that inspect or control the sandbox itself. A real gateway has no such endpoints. */
export async function handleControlRequest(
	context: ControlContext,
	request: IncomingMessage,
): Promise<HttpResponse> {
	requireLoopback(request);
	const path = pathOf(request.url ?? '').slice(CONTROL_PATH.length);
	const handlers = controlHandlers(context)[path];
	if (!handlers) throw new HttpError(404, 'not_found', 'The sandbox has no such control.');
	const handler = handlers[request.method ?? ''];
	if (!handler) {
		const allowed = Object.keys(handlers).join(', ');
		throw new HttpError(
			405,
			'method_not_allowed',
			`This control does not support ${request.method}. Use ${allowed}.`,
			{ Allow: allowed },
		);
	}
	if (request.method === 'POST') requireJson(request);
	if (request.method !== 'GET') requireControlKey(context, request);
	const { bytes, release } = await context.bodies.read(request, MAX_BODY_BYTES);
	try {
		return jsonResponse(200, await handler(bytes.length === 0 ? undefined : parseJson(bytes)));
	} finally {
		release();
	}
}

function controlHandlers({
	account,
	faults,
	log,
	guide,
	reset,
}: ControlContext): Record<string, Record<string, ControlHandler>> {
	const status = () => ({ status: account.status });
	return {
		'/state': { GET: () => account.state() },
		'/scan': {
			POST: () => {
				account.scan();
				return status();
			},
		},
		'/status': {
			POST: (body) => {
				const given = (body as { status?: unknown } | undefined)?.status;
				const valid = sessionStatuses.find((candidate) => candidate === given);
				if (!valid) throw invalidField('status', `must be one of ${sessionStatuses.join(', ')}`);
				account.setStatus(valid);
				return status();
			},
		},
		'/guide': {
			POST: (body) => {
				guide.set(body);
				return { examples: guide.examples.length };
			},
		},
		'/guide/request': {
			POST: async (body) => {
				const { example, id } = (body ?? {}) as { example?: unknown; id?: unknown };
				return await sendExampleRequest(guide.requestOf(example), requireText('id', id));
			},
		},
		'/reset': {
			POST: () => {
				reset();
				return status();
			},
		},
		'/faults': {
			GET: () => ({ faults: faults.list() }),
			POST: (body) => {
				faults.set(body);
				return { faults: faults.list() };
			},
			DELETE: () => {
				faults.clear();
				return { faults: faults.list() };
			},
		},
		'/requests': {
			GET: () => ({ requests: log.list() }),
			DELETE: () => {
				log.clear();
				return { requests: [] };
			},
		},
	};
}

/** Prevents CSRF: another web page can POST a form, but a JSON content type needs a CORS preflight, which fails. */
function requireJson({ headers }: IncomingMessage): void {
	if (isJson(headers['content-type'])) return;
	throw new HttpError(415, 'json_only', 'Send the request with Content-Type: application/json.');
}

function requireControlKey({ controlKey }: ControlContext, { headers }: IncomingMessage): void {
	if (isSameText(String(headers['x-sandbox-key'] ?? ''), controlKey)) return;
	throw new HttpError(
		403,
		'invalid_control_key',
		'Send the control key in the header X-Sandbox-Key. The sandbox prints it when it starts.',
	);
}
