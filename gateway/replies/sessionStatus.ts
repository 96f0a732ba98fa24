import type { Result } from './failure';
import { isObject, type JsonObject } from '../json';
import { BARE, type Fact, find, gatewayError, NAMES, scalarOf } from './dialect';
import { type GatewayResponse, isWebPage } from '../wire/response';

/** What a status means for sending, pairing and waiting. */
export type Phase =
	'online' | 'pairing' | 'expired' | 'offline' | 'loggedOut' | 'banned' | 'unknown';

/** The four documented statuses, and the words of other gateways for the same. */
const PHASES: Array<[Exclude<Phase, 'unknown'>, RegExp]> = [
	['online', /^(ONLINE|CONNECTED|PAIRED|LINKED|AUTHENTICATED|READY|WORKING|OPEN)$/],
	['loggedOut', /^(AUTH(ENTICATION)?_?(FAILURE|FAILED|ERROR)|LOGGED_?OUT)$/],
	['banned', /^(BANNED|BLOCKED|SUSPENDED)$/],
	['expired', /(^|_)(EXPIRED|TIMED_?OUT|TIMEOUT)$/],
	['offline', /^(DISCONNECT(ED|ING)|OFFLINE|STOPPED|CLOSED?|TERMINATED|INACTIVE|UNLAUNCHED)$/],
	[
		'offline',
		/^(UNPAIRED(_IDLE)?|NO(_ACTIVE)?_SESSION)$|(SESSION|INSTANCE)_(IS_)?NOT_FOUND$|^STATUS_IS_NOT_AS_EXPECTED$/,
	],
	['offline', /^NOT_(STARTED|RUNNING|ACTIVE|READY|OPEN|ONLINE|CONNECTED|PAIRED|LINKED|LOGGED_IN)$/],
	['pairing', /QR|^SCAN|_SCAN$|^(RE)?(PAIR|START|CONNECT|INITIALI[SZ]|LOAD|OPEN)ING/],
];

/** SESSION_NOT_CONNECTED means NOT_CONNECTED. */
const PARTS =
	/^(?:THE_|YOUR_)?(?:WHATSAPP_)?(?:(SESSION|INSTANCE|CLIENT|CONNECTION)_|(?:PHONE|DEVICE)_)?(?:(?:IS|ALREADY|CURRENTLY)_)*(.*)$/s;

/** Of a status in upper case. */
export function phaseOf(status: string): Phase {
	const [, , word = ''] = PARTS.exec(status) ?? [];
	return PHASES.find(([, words]) => words.test(word) || words.test(status))?.[0] ?? 'unknown';
}

/** Without the session as subject, an error may be about something else, such as the phone of the recipient. */
const CLEAR =
	/^((NOT_)?(ONLINE|CONNECTED|PAIRED|LINKED)|AUTHENTICATED|OFFLINE|DISCONNECTED|NO(_ACTIVE)?_SESSION)$/;
const CLEAR_CODE = /OFFLINE|NOT_ONLINE|NOT_CONNECTED|DISCONNECTED|AUTH_FAILURE/;

/** "Session 'a' is not connected. Scan …" → SESSION_IS_NOT_CONNECTED */
const statusFrom = (error: string) =>
	error
		.replace(/whatsapp/i, 'whatsapp')
		.replace(/n't\b/i, ' not')
		.replace(/^error: |(["'])[\w-]+\1/gi, '')
		.split(/[.,;:!(]/, 1)[0]!
		.trim()
		.replace(/([a-z])([A-Z])|[\s-]+/g, '$1_$2')
		.replace(/_does_not_exist$/i, '_not_found')
		.replace(/__+/g, '_')
		.toUpperCase();

/** What the code or the message of an error says about the session. */
export function phaseInError(error = ''): Phase {
	const status = statusFrom(error);
	const [, subject, word = ''] = PARTS.exec(status) ?? [];
	if (subject || CLEAR.test(word)) return phaseOf(status);
	return /^[\w-]+$/.test(error.trim()) && CLEAR_CODE.test(status) ? 'offline' : 'unknown';
}

export const saysOffline = (error?: string) => /^(offline|loggedOut)$/.test(phaseInError(error));

const DOCUMENTED = /^(ONLINE|AWAITING_QR|DISCONNECTED|AUTH_FAILURE)$/;
/** Envelopes and health checks use these words about themselves. */
const NOT_A_STATUS = /^(OK|SUCCESS|TRUE|FALSE|ERROR|FAIL|UP|DOWN|HEALTHY)$/;
const WORD = /^[A-Z][\w-]{1,39}$/;
/** Statuses in these forms count only if the user entered one. */
const FORMS = [/^\d+$/, /^(TRUE|FALSE)$/, /\s/];

const wordIn = ({ value }: Fact) => scalarOf(value).toUpperCase();
const isKnown = (fact: Fact) => WORD.test(wordIn(fact)) && phaseOf(wordIn(fact)) !== 'unknown';

/**
 * A documented status wins, wherever it is. An error that says that the session is not online stands for a status.
 * `entered` are the statuses that the user entered, in upper case.
 */
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
		errorIn(data) ??
		named.at(-1) ??
		facts.find(isKnown)
	);
}

function errorIn(data: unknown): Fact | undefined {
	if (!isObject(data)) return undefined;
	const { code, message } = gatewayError(data);
	const error = [code, message].find(saysOffline);
	return error === undefined
		? undefined
		: { name: BARE, value: statusFrom(error), holder: data, within: BARE };
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

/** What a response says about the session. */
export const phaseOfSession = (response: GatewayResponse) => phaseOf(statusWord(response) ?? '');

/** Whether a request was rejected because the session is not online. */
export const isOffline = (response: GatewayResponse) =>
	/^(offline|loggedOut|pairing)$/.test(phaseOfSession(response));

/** With these statuses, gateways say in which state the session is. */
export const tellsState = (response: GatewayResponse) =>
	[200, 400, 404, 409, 410, 422, 425].includes(response.status) && !isWebPage(response);

/** Gateways may report the status of an offline session in an error response. Bare text may be from a proxy. */
export const rejectionHasStatus = (response: GatewayResponse) =>
	tellsState(response) && isObject(response.data) && phaseOfSession(response) !== 'unknown';

/** Accepts an error response that reports the session's status. */
export const statusResult = (result: Result<GatewayResponse>): Result<GatewayResponse> =>
	'failure' in result &&
	result.failure.kind === 'rejected' &&
	rejectionHasStatus(result.failure.response)
		? { value: result.failure.response }
		: result;
