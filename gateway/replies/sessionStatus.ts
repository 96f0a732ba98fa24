import type { Result } from './failure';
import { isObject, type JsonObject } from '../json';
import { BARE, type Fact, find, NAMES, scalarOf } from './dialect';
import { type GatewayResponse, isWebPage } from '../wire/response';

const DOCUMENTED = /^(ONLINE|AWAITING_QR|DISCONNECTED|AUTH_FAILURE)$/;
/** Envelopes and health checks use these words about themselves. */
const NOT_A_STATUS = /^(OK|SUCCESS|TRUE|FALSE|ERROR|FAIL|UP|DOWN|HEALTHY)$/;
const WORD = /^[A-Z][\w-]{1,39}$/;
/** Statuses in these forms count only if the user entered one. */
const FORMS = [/^\d+$/, /^(TRUE|FALSE)$/, /\s/];

const wordIn = ({ value }: Fact) => scalarOf(value).toUpperCase();
const isKnown = (fact: Fact) => WORD.test(wordIn(fact)) && phaseOf(wordIn(fact)) !== 'unknown';

/** A documented status wins, wherever it is. `entered` are the statuses that the user entered, in upper case. */
function statusIn(data: unknown, entered: string[] = []): Fact | undefined {
	const facts = find(data, NAMES.statuses, { within: NAMES.sessions });
	const forms = FORMS.filter((form) => entered.some((word) => form.test(word)));
	const isStatus = (word: string) =>
		(WORD.test(word) && !NOT_A_STATUS.test(word)) || forms.some((form) => form.test(word));
	const named = facts.filter((fact) => fact.name !== BARE && isStatus(wordIn(fact)));
	return (
		facts.find((fact) => DOCUMENTED.test(wordIn(fact))) ??
		facts.find((fact) => entered.includes(wordIn(fact))) ??
		named.findLast(isKnown) ??
		named.at(-1) ??
		facts.find(isKnown)
	);
}

/** The session's status, with the fields next to it. */
export function sessionStatus(data: unknown): JsonObject | undefined {
	const found = statusIn(data);
	return found && { ...found.holder, status: scalarOf(found.value) };
}

/** The session's status in upper case; undefined unless the response clearly has one. */
export function statusWord(response: GatewayResponse, entered?: string[]): string | undefined {
	const found = isWebPage(response) ? undefined : statusIn(response.data, entered);
	return found && wordIn(found);
}

/** Gateways may report the status of an offline session in an error response. Bare text may be from a proxy. */
export function rejectionHasStatus({ status, data }: GatewayResponse): boolean {
	const found = statusIn(data);
	return [200, 404, 409, 422].includes(status) && isObject(data) && !!found && isKnown(found);
}

/** Accepts an error response that reports the session's status. */
export const statusResult = (result: Result<GatewayResponse>): Result<GatewayResponse> =>
	'failure' in result &&
	result.failure.kind === 'rejected' &&
	rejectionHasStatus(result.failure.response)
		? { value: result.failure.response }
		: result;

/** What a status means for pairing and for waiting. */
export type Phase =
	'online' | 'pairing' | 'expired' | 'offline' | 'loggedOut' | 'banned' | 'unknown';

/** The four documented statuses, and the words of other gateways for the same. */
const PHASES: Array<[Exclude<Phase, 'unknown'>, RegExp]> = [
	['online', /^(ONLINE|CONNECTED|PAIRED|LINKED|AUTHENTICATED|READY|WORKING|OPEN)$/],
	['loggedOut', /^(AUTH(ENTICATION)?_?(FAILURE|FAILED|ERROR)|LOGGED_?OUT)$/],
	['banned', /^(BANNED|BLOCKED|SUSPENDED)$/],
	['expired', /(^|_)(EXPIRED|TIMED_?OUT|TIMEOUT)$/],
	['offline', /^(DISCONNECT(ED|ING)|OFFLINE|STOPPED|CLOSED|NOT_STARTED|TERMINATED|INACTIVE)$/],
	['pairing', /QR|SCAN|PAIRING|STARTING|CONNECTING|INITIALI[SZ]ING|LOADING|OPENING/],
];

export const phaseOf = (status: string): Phase =>
	PHASES.find(([, words]) => words.test(status))?.[0] ?? 'unknown';
