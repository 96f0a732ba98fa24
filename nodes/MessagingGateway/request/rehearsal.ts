import { sleep } from 'n8n-workflow';

import type { JsonObject } from '../../../gateway/json';
import { errorMessage } from '../../../gateway/failures/errorMessage';
import { connectionFailure, type Result, TIMEOUT } from '../../../gateway/responses/failure';
import { judged } from '../../../gateway/responses/outcome';
import type { GatewayResponse } from '../../../gateway/wire/response';
import { identityIn } from '../../../gateway/wire/messageBody';
import type { Clock } from '../sending/clock';
import { LATE } from '../sending/retry';
import type { Scheduler } from '../sending/scheduler';
import { steadyClock } from './steadyClock';

/** Returns whether the request hook did not send a request because the credential says Nobody. */
export const isStoppedByRehearsal = (result: Result<unknown> | undefined) =>
	result && 'failure' in result && errorMessage(result.failure).cause === 'rehearsal';

const response = (status: number, data: unknown): GatewayResponse => ({
	...{ status, data, headers: {}, bytes: Buffer.alloc(0) },
});

/** The simulated result of a request that is not a message. */
export const REHEARSED = { outcome: 'rehearsed', isTest: true };

const SESSION_OFFLINE = { error: 'session_offline' };
/** Users can test failures and a deferred message with these numbers, which are reserved for fiction: docs/guardrails.md. */
const SIMULATED: Record<string, (sent: JsonObject) => Result<GatewayResponse>> = {
	447700900001: () => rejected(409, SESSION_OFFLINE),
	447700900002: () => rejected(429, { error: 'rate_limit_exceeded' }),
	447700900003: () => ({ failure: connectionFailure(TIMEOUT) }),
	447700900004: (sent) => rejected(409, { ...SESSION_OFFLINE, deliveryKey: 'rehearsal', ...sent }),
};
const rejected = (status: number, data: unknown) =>
	judged(response(status, data), { confirmation: 'sent' });

/** Returns the simulated result of a message, with recipient and text as they would be sent. `isLate`: Send Within has passed. */
export function simulated(body: Buffer, isLate: boolean): Result<GatewayResponse> {
	const { chatId, phone, text, message, caption } = JSON.parse(body.toString()) as JsonObject;
	const to = chatId ?? phone;
	const shown = text ?? message ?? caption;
	const sent = { chatId: to, ...(shown === undefined ? {} : { text: shown }) };
	const result = SIMULATED[identityIn(to) ?? '']?.(sent);
	return result ?? (isLate ? { failure: LATE } : { value: response(200, sent) });
}

/** Returns how long a live run would have waited so far. */
export const rehearsedWaitMs = ({ scheduler }: { scheduler: Scheduler }) =>
	scheduler.clock.now() - steadyClock.now();

/** Returns the hint that nothing was sent. With the `account` of a run of messages, adds how long a live run would take. */
export function rehearsalHint(results: number, account?: { scheduler: Scheduler }): string {
	if (results === 0) return '';
	const minutes = account ? Math.round(rehearsedWaitMs(account) / 60_000) : 0;
	const time = minutes === 1 ? 'a minute' : `${minutes} minutes`;
	const live = ` With its rates, delays and waits at rate limits, the run would take about ${time}.`;
	return `Rehearsal: nothing was sent, because 'Send Messages To' of the credential is Nobody (Rehearsal). Simulated results: ${results}.${minutes > 0 ? live : ''}`;
}

export const redirectionHint = (messages: number) =>
	messages > 0 &&
	`Messages redirected to the test number: ${messages}. Their recipients got nothing, because 'Send Messages To' of the credential is One Test Number.`;

/** Returns the clock of a rehearsal: a sleep takes no time, but moves the clock forward by its length. */
export function rehearsalClock(): Clock {
	let skipped = 0;
	const now = () => steadyClock.now() + skipped;
	const sleepUntil: Clock['sleepUntil'] = async (time, ...signals) => {
		// Pending work ends first, as it would during a real sleep.
		await sleep(0);
		if (!signals.some(({ aborted }) => aborted)) skipped += Math.max(0, time - now());
	};
	return { ...steadyClock, now, sleepUntil };
}
