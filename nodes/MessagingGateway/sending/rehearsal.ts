import type { InvalidInput } from '../../../gateway/inputValues';
import { connectionFailure, type Result, TIMEOUT } from '../../../gateway/responses/failure';
import { failureInResponse } from '../../../gateway/responses/responseFailure';
import { identityIn } from '../../../gateway/wire/messageBody';
import type { Clock } from './clock';
import { LATE, type Message, type Sender } from './retry';

/** Returns whether the request hook did not send a request because the credential says Nobody. */
export const isStoppedByRehearsal = (result: Result<unknown> | undefined) =>
	result &&
	'failure' in result &&
	result.failure.kind === 'invalidInput' &&
	(result.failure.error as Partial<InvalidInput>).causeName === 'rehearsal';

const rejected = (status: number, error: string) => ({
	failure: failureInResponse({ status, data: { error }, headers: {}, bytes: Buffer.alloc(0) }),
});

type Texts = Record<string, string>;

/** Users can test failures and a deferred message with these numbers, which are reserved for fiction: docs/guardrails.md. */
const SIMULATED: Record<string, (sent: Texts) => Result<Texts>> = {
	447700900001: () => rejected(409, 'session_offline'),
	447700900002: () => rejected(429, 'rate_limit_exceeded'),
	447700900003: () => ({ failure: connectionFailure(TIMEOUT) }),
	447700900004: (sent) => ({ value: { deliveryKey: 'rehearsal', ...sent, outcome: 'deferred' } }),
};

function simulated(body: Buffer, isLate: boolean): Result<Texts> {
	const { chatId, phone, text, message, caption } = JSON.parse(body.toString()) as Texts;
	const to = (chatId ?? phone)!;
	const shown = text ?? message ?? caption;
	const sent = { chatId: to, ...(shown === undefined ? {} : { text: shown }) };
	const result = SIMULATED[identityIn(to) ?? '']?.(sent);
	return result ?? (isLate ? { failure: LATE } : { value: { ...sent, outcome: 'rehearsed' } });
}

type RehearsedMessage = Message & { account: { isRehearsal: boolean } };

/** Simulates the result of each message of a rehearsal. It passes the request hook first, so that its checks apply. */
export const withRehearsal = <M extends RehearsedMessage, Value>(
	sender: Sender<M, Value>,
	{ clock, sendWithinMs }: { clock: Clock; sendWithinMs: number },
): Sender<M, Value | Texts> => ({
	...sender,
	async attempt(message, part, body) {
		const result = await sender.attempt(message, part, body);
		const { account, parts } = message;
		if (!account.isRehearsal || !isStoppedByRehearsal(result)) return result;
		// Only the first part can be late, because a message that has begun is completed.
		const waitedMs = simulatedMs(account.scheduler, clock);
		return simulated(body, part === parts[0] && waitedMs > sendWithinMs);
	},
});

/** Returns how long a live run would have waited so far. The clock of a rehearsal skips all waits. */
const simulatedMs = (scheduler: { clock: Clock }, clock: Clock) =>
	scheduler.clock.now() - clock.now();

const REHEARSAL =
	"Rehearsal: nothing was sent, because 'Send Messages To' of the credential is Nobody (Rehearsal).";

export const rehearsalHint = (results: number) =>
	results > 0 && `${REHEARSAL} Simulated results: ${results}.`;

/** Also says how long a live run of messages would take. */
export function messageRehearsalHint(results: number, scheduler: { clock: Clock }, clock: Clock) {
	const minutes = Math.round(simulatedMs(scheduler, clock) / 60_000);
	const time = minutes === 1 ? 'a minute' : `${minutes} minutes`;
	const live = ` With its rates, delays and waits at rate limits, the run would take about ${time}.`;
	const hint = rehearsalHint(results);
	return hint && minutes > 0 ? hint + live : hint;
}
