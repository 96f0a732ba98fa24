import { isObject } from '../../../gateway/json';
import { InvalidInput } from '../../../gateway/invalidInput';
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
import type { RunContext } from './item';
import { addHint } from './outputItems';
import { steadyClock } from './steadyClock';

/** Whether the request hook kept back a request because this is a rehearsal. */
export const isRehearsed = (result: Result<unknown> | undefined): boolean =>
	result !== undefined &&
	'failure' in result &&
	result.failure.kind === 'invalidInput' &&
	result.failure.error instanceof InvalidInput &&
	result.failure.error.named === 'rehearsal';

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

const WHY = "because 'Send Messages To' of the credential is Nobody (Rehearsal)";

/** `account`: of a run of messages, whose waits took no time. */
export function addRehearsalHint(context: RunContext, account?: Account): void {
	const clock = account?.schedule.clock ?? steadyClock;
	const seconds = Math.round((clock.now() - steadyClock.now()) / 1000);
	const minutes = Math.round(seconds / 60);
	const time = minutes > 1 ? `${minutes} minutes` : `${seconds} seconds`;
	const live = seconds > 0 ? ` With its rates and delays, the run would take about ${time}.` : '';
	addHint(context, `Rehearsal: nothing was sent, ${WHY}.${live}`);
}
