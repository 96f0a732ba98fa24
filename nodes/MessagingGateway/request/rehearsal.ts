import { isObject } from '../../../gateway/json';
import { errorMessage } from '../../../gateway/errors/errorMessage';
import {
	connectionFailure,
	type RequestFailure,
	rejection,
	type Result,
	TIMEOUT,
} from '../../../gateway/replies/failure';
import { type GatewayResponse, parsed } from '../../../gateway/wire/response';
import { identityIn } from '../../../gateway/wire/messageBody';
import type { Account } from './account';
import { steadyClock } from './steadyClock';

/** Whether the request hook kept back a request because this is a rehearsal. */
export const isRehearsed = (result: Result<unknown> | undefined) =>
	result && 'failure' in result && errorMessage(result.failure).cause === 'rehearsal';

const response = (status: number, data: unknown): GatewayResponse => ({
	...{ status, data, headers: {}, bytes: Buffer.alloc(0) },
});

/** Of a request that is not a message. */
export const NO_RESPONSE = response(200, undefined);

const OFFLINE = { error: 'session_offline' };
/** Messages to these numbers, which are reserved for fiction, fail on purpose: docs/guardrails.md. */
const SIMULATED: Record<string, RequestFailure> = {
	447700900001: rejection(response(409, OFFLINE)),
	447700900002: rejection(response(429, { error: 'rate_limit_exceeded' })),
	447700900003: connectionFailure(TIMEOUT),
	447700900004: rejection(response(409, { ...OFFLINE, deliveryKey: 'rehearsal' })),
};

/** What the gateway might say to a message: its recipient and its text, as they would be sent. */
export function simulated(body: Buffer): Result<GatewayResponse> {
	const fields = parsed(body.toString());
	const { chatId, phone, text, message, caption } = isObject(fields) ? fields : {};
	const to = chatId ?? phone;
	const failure = SIMULATED[identityIn(to) ?? ''];
	if (failure) return { failure };
	const shown = text ?? message ?? caption;
	return { value: response(200, { chatId: to, ...(shown === undefined ? {} : { text: shown }) }) };
}

/** `account`: of a run of messages, whose waits took no time. */
export function rehearsalHint(account?: Account): string {
	const waitedMs = account ? account.schedule.clock.now() - steadyClock.now() : 0;
	const minutes = Math.round(waitedMs / 60_000);
	const live = ` With its rates and delays, the run would take about ${minutes} minutes.`;
	return `Rehearsal: nothing was sent, because 'Send Messages To' of the credential is Nobody (Rehearsal).${minutes > 0 ? live : ''}`;
}
