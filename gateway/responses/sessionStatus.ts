import type { Result } from './failure';
import { isObject, type JsonObject } from '../json';
import { NAMES, phaseOf, phaseOfCode, saysOffline } from './dialect';
import { NO_NAME, type NamedValue, find, gatewayError } from './find';
import { isSomething, scalarOf } from './values';
import { type GatewayResponse, isWebPage } from '../wire/response';

export { type Phase, phaseOf, phaseOfCode, saysOffline } from './dialect';

/** Words that envelopes and health checks use about themselves, not about the session. */
const NOT_A_STATUS = /^(OK|SUCCESS|TRUE|FALSE|ERROR|FAIL|UP|DOWN|HEALTHY)$/;
const WORD = /^[A-Z][\w-]{1,39}$/;
/** A number, a boolean or text with spaces counts as a status only if the user entered a status of the same form. */
const FORMS = [/^\d+$/, /^(TRUE|FALSE)$/, /\s/];

type Status = Pick<NamedValue, 'value' | 'holder'>;
const wordIn = ({ value }: Status) => scalarOf(value).toUpperCase();
const isKnown = (fact: Status) => WORD.test(wordIn(fact)) && phaseOf(wordIn(fact)) !== 'unknown';

/**
 * Returns the session's status. A word for not online wins, because a session whose response contradicts itself is not certainly online.
 * An error about it, or a field such as `connected`, counts as a status. `entered` has the user's statuses in upper case.
 */
function statusIn(data: unknown, entered: string[] = [], isOfMessage = false): Status | undefined {
	const facts = find(data, [...NAMES.statuses, NO_NAME, 'text'], { within: NAMES.sessions })
		.filter(({ name, within }) => name !== 'text' || within === 'status')
		.filter((fact) => !isOfMessage || wordIn(fact) !== 'FAILED');
	const forms = FORMS.filter((form) => entered.some((word) => form.test(word)));
	const isStatus = (word: string) =>
		(WORD.test(word) && !NOT_A_STATUS.test(word)) || forms.some((form) => form.test(word));
	const named = facts.filter((fact) => fact.name !== NO_NAME && isStatus(wordIn(fact)));
	const ofSession = ({ name, within }: NamedValue) =>
		name !== NO_NAME || /^(whatsapp|client)$/.test(within);
	const known = [
		...facts.filter((fact) => ofSession(fact) && isKnown(fact)),
		...(isOfMessage ? [] : conditionsIn(data)),
	];
	const found =
		known.findLast((fact) => phaseOf(wordIn(fact)) !== 'online') ??
		errorIn(data) ??
		facts.find((fact) => entered.includes(wordIn(fact))) ??
		known[0] ??
		named.at(-1) ??
		facts.find(isKnown);
	const isBelieved = !found || phaseOf(wordIn(found)) !== 'online' || !hasError(data);
	return isBelieved ? found : undefined;
}

/** Whether the response reports an error of the request itself, so that an online status in it may be outdated. */
const hasError = (data: unknown) =>
	find(data, ['success', 'ok', ...NAMES.errors]).some(({ name, value }) =>
		NAMES.errors.includes(name)
			? isSomething(value) && phaseOfCode(scalarOf(value)) !== 'online'
			: IS_FALSE.test(scalarOf(value)),
	);
const IS_TRUE = /^(true|yes|1)$/i;
const IS_FALSE = /^(false|no|0)$/i;

/** Converts `connected: false` to NOT_CONNECTED. Ignores `phoneConnected: true`, which only says that the phone has a network. */
const conditionsIn = (data: unknown): Status[] =>
	find(data, NAMES.sessionConditions, { within: NAMES.sessions }).flatMap(
		({ name, value, holder }) => {
			const word = name.replace(/^(is|(smart)?phone)/, '').replace(/^conn$/, 'connected');
			if (IS_FALSE.test(scalarOf(value))) return [{ value: `not_${word}`, holder }];
			return IS_TRUE.test(scalarOf(value)) && !/phone/.test(name) ? [{ value: word, holder }] : [];
		},
	);

function errorIn(data: unknown): Status | undefined {
	const { code, message } = gatewayError(data);
	const error = [code, message].find(saysOffline);
	return isObject(data) && error ? { value: error, holder: data } : undefined;
}

/** Returns the session's status with the fields next to it; undefined if there is none. */
export function sessionStatus(data: unknown): JsonObject | undefined {
	const found = statusIn(data);
	return found && { ...found.holder, status: scalarOf(found.value) };
}

/** Returns the session's status in upper case; undefined unless the response clearly has one. */
export function statusWord(response: GatewayResponse, entered?: string[], isOfMessage?: boolean) {
	if (response.isDeclaredOnline) return 'ONLINE';
	const found = isWebPage(response) ? undefined : statusIn(response.data, entered, isOfMessage);
	return found && wordIn(found);
}

/** Returns the phase of the session that a response reports. */
export const phaseOfSession = (response: GatewayResponse) => phaseOf(statusWord(response) ?? '');

/** Whether a message failed because the session is not online. FAILED and `connected: false` may be about the message or its recipient. */
export const isOffline = (response: GatewayResponse) =>
	/^(offline|loggedOut|pairing)$/.test(phaseOf(statusWord(response, [], true) ?? ''));

/** Whether a response may be about the session. These statuses are about the account, a proxy or a limit; web pages are from others. */
export const tellsState = (response: GatewayResponse) =>
	![401, 402, 403, 407, 429].includes(response.status) && !isWebPage(response);

/** Whether an error response reports a session that is not online, as some gateways do. Plain text does not count: it may be a proxy's. */
export const rejectionHasStatus = (response: GatewayResponse) =>
	tellsState(response) &&
	isObject(response.data) &&
	!/^(unknown|online)$/.test(phaseOfSession(response));

/** Turns an error response that reports the session's status into a successful result. */
export const statusResult = (result: Result<GatewayResponse>): Result<GatewayResponse> =>
	'failure' in result &&
	result.failure.kind === 'rejected' &&
	rejectionHasStatus(result.failure.response)
		? { value: result.failure.response }
		: result;
