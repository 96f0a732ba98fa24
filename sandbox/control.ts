import type { IncomingMessage } from 'node:http';

import type { Account } from './account';
import { type Answer, answerJson, Refusal } from './answer';
import { readBody } from './body';
import type { Faults } from './faults';
import { invalidField } from './fields';
import { sessionStatuses } from './ledger';
import { mustBeFromHere } from './loopback';
import type { RequestLog } from './requestLog';
import { pathOf } from './routing';

export const CONTROL_PATH = '/_sandbox';

const LARGEST_BODY = 1024 * 1024;

export interface Controls {
	account: Account;
	faults: Faults;
	log: RequestLog;
	reset: () => void;
}

export function isControl(url: string): boolean {
	return `${pathOf(url)}/`.startsWith(`${CONTROL_PATH}/`);
}

type Act = (body: unknown) => unknown;

/** Playing the phone, and looking behind the scenes: nothing a gateway's customer could do. */
export async function control(controls: Controls, request: IncomingMessage): Promise<Answer> {
	const body = await readBody(request, LARGEST_BODY);
	mustBeFromHere(request);

	const acts = table(controls)[pathOf(request.url ?? '').slice(CONTROL_PATH.length)];
	if (!acts) throw new Refusal(404, 'not_found', 'The sandbox has no such control.');
	const act = acts[request.method ?? ''];
	if (!act) {
		const allowed = Object.keys(acts).join(', ');
		throw new Refusal(405, 'method_not_allowed', `This control takes ${allowed}.`, {
			Allow: allowed,
		});
	}
	if (request.method === 'POST') mustBeJson(request);
	return answerJson(200, act(parsed(body)));
}

function table({ account, faults, log, reset }: Controls): Record<string, Record<string, Act>> {
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
				const wanted = (body as { status?: unknown } | undefined)?.status;
				const known = sessionStatuses.find((candidate) => candidate === wanted);
				if (!known) throw invalidField('status', `must be one of ${sessionStatuses.join(', ')}`);
				account.setStatus(known);
				return status();
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

/** Forms of other web pages can POST, but not with this type: for that, browsers ask first. */
function mustBeJson({ headers }: IncomingMessage): void {
	if (/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return;
	throw new Refusal(415, 'json_only', 'POST to a control with Content-Type: application/json.');
}

function parsed(body: Buffer): unknown {
	if (body.length === 0) return undefined;
	try {
		return JSON.parse(body.toString());
	} catch {
		throw new Refusal(422, 'invalid_json', 'The body is not valid JSON.');
	}
}
