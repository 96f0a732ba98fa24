import { type Answer, answerJson } from './answer';
import type { Fault } from './fault';

const usualCodes: Record<number, string> = {
	401: 'unauthorized',
	402: 'insufficient_balance',
	403: 'ip_not_allowed',
	404: 'not_found',
	409: 'payg_confirm_required',
	422: 'validation_error',
	429: 'rate_limit_exceeded',
	500: 'internal_error',
	502: 'bad_gateway',
	503: 'service_unavailable',
	504: 'gateway_timeout',
};

/** What a fault answers by itself, if it does: latency, a clock or headers alone do not. */
export function faultAnswer(fault: Fault): Answer | undefined {
	if (fault.status === undefined && fault.body === undefined) return undefined;
	const answer = fault.body ? bodyAnswer(fault.body, fault.status) : statusAnswer(fault);
	if (fault.retryAfter !== undefined) answer.headers['Retry-After'] = String(fault.retryAfter);
	Object.assign(answer.headers, fault.headers);
	return answer;
}

function bodyAnswer(body: NonNullable<Fault['body']>, status = 200): Answer {
	return {
		status,
		headers: { 'Content-Type': body.contentType },
		body: 'text' in body ? Buffer.from(body.text) : Buffer.from(body.base64, 'base64'),
	};
}

function statusAnswer({ status = 500, code, message }: Fault): Answer {
	if (status < 300) return answerJson(status, { success: true });
	return answerJson(status, {
		error: code ?? usualCodes[status] ?? `status_${status}`,
		message: message ?? 'This is a fault the sandbox was asked for.',
	});
}
