import type { Result } from './failure';
import { isObject, type JsonObject } from '../json';
import { isSomething, NAMES, phaseOf, phaseOfCode, saysOffline, scalarOf } from './dialect';
import { ABOUT_ITSELF, ANY, find, gatewayError, type NamedValue, NO_NAME } from './find';
import { type GatewayResponse, isWebPage } from '../wire/response';

/** Words that envelopes and health checks use about themselves, not about the session. */
const NOT_A_STATUS = /^(OK|SUCCESS|TRUE|FALSE|ERROR|FAIL|UP|DOWN|HEALTHY)$/;
const WORD = /^[A-Z][\w-]{1,39}$/;
const IS_TRUE = /^(TRUE|YES|1)$/;
const IS_FALSE = /^(FALSE|NO|0)$/;

type Status = Pick<NamedValue, 'value' | 'holder'>;
const wordIn = ({ value }: Status) => scalarOf(value).toUpperCase();
const phaseIn = (fact: Status) => (WORD.test(wordIn(fact)) ? phaseOf(wordIn(fact)) : 'unknown');
const isKnown = (fact: Status) => phaseIn(fact) !== 'unknown';
const isOff = (fact: Status) => isKnown(fact) && phaseIn(fact) !== 'online';

const statusesIn = (data: unknown) =>
	find(data, [...NAMES.sessionStatuses, NO_NAME, 'text'], { within: NAMES.sessions }).filter(
		({ name, within }) => name !== 'text' || within === 'status',
	);
/**
 * Finds the session's status. The worse of two words wins, because a session whose response contradicts itself is not certainly online.
 * An error about it, or a field such as `connected`, counts as a status.
 */
function statusIn(data: unknown): Status | undefined {
	const facts = statusesIn(data);
	const isStatus = (word: string) => WORD.test(word) && !NOT_A_STATUS.test(word);
	// The content of an envelope may be about anything.
	const named = facts.filter(({ name, within }) => name || /^(whatsapp|client)$/.test(within));
	const known = named.filter(isKnown);
	const others = otherStatusesIn(data);
	const found =
		known.findLast(isOff) ??
		others.find(isOff) ??
		errorIn(data) ??
		[...known, ...others][0] ??
		facts.findLast((fact) => fact.name !== NO_NAME && isStatus(wordIn(fact))) ??
		facts.find(isKnown);
	const isBelieved = !found || phaseIn(found) !== 'online' || !hasError(data);
	return isBelieved ? found : undefined;
}

/** Whether the response reports an error of the request itself, so that an online status in it may be outdated. */
const hasError = (data: unknown) =>
	find(data, ['success', 'ok', ...NAMES.errors]).some((fact) =>
		NAMES.errors.includes(fact.name)
			? isSomething(fact.value) && phaseOfCode(scalarOf(fact.value)) !== 'online'
			: IS_FALSE.test(wordIn(fact)),
	);

/** Examples: connected, isConn, bot_connected, disconnected. */
const CONDITION =
	/((dis|not|un)?(connected|conn|loggedin|online|authenticated|(?<!al)ready|paired|linked)|offline|loggedout)$/;
/** Examples: substatus, engineState. The others are about a request. */
const OTHER_STATUS = /(?<!^(is|api|webhook)|message)(status|state)$/;

/**
 * Converts `connected: false` to NOT_CONNECTED. Whatever is before such a word, it can deny that the session is online, but only the word
 * itself proves it: `phoneConnected: true` only says that the phone has a network.
 */
const otherStatusesIn = (data: unknown): Status[] =>
	find(data, ANY, { within: NAMES.sessions, through: ABOUT_ITSELF.through }).flatMap(
		(fact): Status[] => {
			const { name, holder } = fact;
			const [word] = CONDITION.exec(name) ?? [];
			if (!word) return OTHER_STATUS.test(name) && isOff(fact) ? [fact] : [];
			const isOnlineWord = phaseOf(word) === 'online';
			if (IS_FALSE.test(wordIn(fact)))
				return isOnlineWord ? [{ value: `not_${word}`, holder }] : [];
			const isProof = !isOnlineWord || name.replace(/^is/, '') === word;
			return isProof && IS_TRUE.test(wordIn(fact)) ? [{ value: word, holder }] : [];
		},
	);

function errorIn(data: unknown): Status | undefined {
	const { code, message } = gatewayError(data);
	const error = [code, message].find(saysOffline);
	return isObject(data) && error ? { value: error, holder: data } : undefined;
}

/** Returns the session's status in upper case, with its phase and the fields next to it; no status unless the response clearly has one. */
export function sessionIn(response: GatewayResponse) {
	const found = isWebPage(response) ? undefined : statusIn(response.data);
	const fields: JsonObject | undefined = found && {
		...found.holder,
		status: scalarOf(found.value),
	};
	const own = found ? wordIn(found) : response.declaredStatus?.toUpperCase() || undefined;
	const status = response.isDeclaredOnline ? 'ONLINE' : own;
	return { status, phase: phaseOf(status ?? ''), fields };
}

/** Whether a message failed because the session is not online. FAILED and `connected: false` may be about the message or its recipient. */
export const isOffline = ({ data }: GatewayResponse) =>
	errorIn(data) !== undefined ||
	statusesIn(data).some(
		(fact) => wordIn(fact) !== 'FAILED' && /^(offline|loggedOut|pairing)$/.test(phaseIn(fact)),
	);

/** Whether a response may be about the session. These statuses are about the account, a proxy or a limit; web pages are from others. */
export const tellsState = (response: GatewayResponse) =>
	![401, 402, 403, 407, 429].includes(response.status) && !isWebPage(response);

/** Whether an error response reports a session that is not online, as some gateways do. Plain text does not count: it may be a proxy's. */
export const rejectionHasStatus = (response: GatewayResponse) =>
	tellsState(response) &&
	isObject(response.data) &&
	!/^(unknown|online)$/.test(sessionIn(response).phase);

/** Turns an error response that reports the session's status into a successful result. */
export const statusResult = (result: Result<GatewayResponse>): Result<GatewayResponse> =>
	'failure' in result &&
	result.failure.kind === 'rejected' &&
	rejectionHasStatus(result.failure.response)
		? { value: result.failure.response }
		: result;
