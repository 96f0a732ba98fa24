import { rejection, type RequestFailure, unclear } from './failure';
import {
	ABOUT_ITSELF,
	ANY,
	NO_NAME,
	errorCode,
	type NamedValue,
	find,
	gatewayError,
	isDocumentedCode,
	isKey,
	isSomething,
	NAMES,
	RATE_LIMIT,
	type Scope,
	scalarOf,
	wordOf,
} from './dialect';
import { isObject } from '../json';
import { isOffline, phaseOf } from './sessionStatus';
import {
	hasClaim,
	isError,
	isNoError,
	isNothing,
	kindOf,
	saysOffline,
	type Confirmation,
	type Verdict,
	verdictOf,
} from './vocabulary';
import { mayBeRecipient } from '../wire/messageBody';
import { type GatewayResponse, isWebPage, pageText } from '../wire/response';

export type { Confirmation as Confirmation } from './vocabulary';
export type Outcome = 'sent' | 'deferred' | 'duplicate';
type Decision = 'yes' | 'no' | { said: string };

/**
 * Returns why a response is not a success; undefined if it is. A request that only reads has no confirmation. `requestBody` is
 * what was sent: gateways repeat the text of the message, which says nothing about success.
 */
export function failureInResponse(
	response: GatewayResponse,
	confirmation?: Confirmation,
	requestBody?: Buffer,
): RequestFailure | undefined {
	const isOk = response.status >= 200 && response.status < 300 && !isWebPage(response);
	if (isOk && !confirmation) return isErrorBody(response) ? rejection(response) : undefined;
	const answer = isOk && confirmation ? decide(response, confirmation, requestBody) : 'no';
	if (answer === 'yes') return undefined;
	const said =
		answer === 'no' ? confirmation && doubtIn(response, confirmation, requestBody) : answer.said;
	return said === undefined ? rejection(response) : unclear(response, said);
}

/** Returns the outcome of a message that was not rejected. */
export const outcomeOf = ({ status, data }: GatewayResponse, requestBody?: Buffer) =>
	outcomeBy(finderIn(data, 'sent', requestBody), status);

export const messageIdIn = (data: unknown) => finderIn(data, 'sent')('id')?.value?.toString();

/** Whether a gateway rejected a repeated idempotency key, so that the message arrived with an earlier attempt. */
export const isDuplicateRejection = (response: GatewayResponse) =>
	(response.status < 300 || [409, 422].includes(response.status)) &&
	errorCode(response) === 'already_exists';

/** Whether a rejection reports a deferred message. Gateways report it as a conflict with the session's state, or as a rate limit. */
export const isDeferredRejection = (response: GatewayResponse) =>
	([409, 429].includes(response.status) ||
		errorCode(response) === RATE_LIMIT ||
		isOffline(response)) &&
	hasDeliveryKey(response.data);

/**
 * Returns the text that makes a rejection uncertain; undefined if it is certain. Whatever its status and code, the gateway may say that it
 * has the message, or that it did not wait for the result of its own request.
 */
function doubtIn(response: GatewayResponse, to: Confirmation, requestBody?: Buffer) {
	const { status, data } = response;
	if (to === 'sent' && !isDeferredRejection(response) && !isDuplicateRejection(response)) {
		const page = status < 300 && isWebPage(response) ? pageText(response) : '';
		if (hasClaim(page) || PROXY_GAVE_UP.test(page) || /\bsuccess/i.test(page))
			return page.slice(0, 200);
		const has = acceptedIn(response, requestBody);
		if (has) return saidIn(has).said;
	}
	const { code = '', message = '' } = gatewayError(data);
	// The gateway decides these before it asks the phone. A 5xx other than 503 is uncertain without any text.
	const isDecidedBefore = [401, 402, 403, 407, 429].includes(status);
	const needsNone = isDecidedBefore || (status >= 500 && status !== 503);
	if (needsNone || isDocumentedCode(code.toLowerCase())) return undefined;
	const inBody = find(data, [...NAMES.statuses, 'statuscode', 'code']).find(({ value }) =>
		GAVE_UP_STATUS.includes(Number(scalarOf(value))),
	);
	if (inBody) return saidIn(inBody).said;
	return [message, code].find((text) => (to === 'sent' ? GAVE_UP : TIMED_OUT).test(text));
}

const TIMED_OUT = /timed?[ _-]?out/i;
/** Matches the text of a gateway that did not wait for the result, or lost the connection on which it waited. */
const GAVE_UP =
	/timed?[ _-]?out|took too long|deadline[ _-]?exceeded|socket (hang ?up|closed)|browser closed|ECONNRESET|ECONNABORTED|EPIPE|UND_ERR|\bEOF\b|broken pipe|premature close|fetch failed|empty reply|cURL error (28|52|56)|context cancell?ed|detached frame|request aborted|page has been closed|reading 'serialize'|\b(connection|target|side|context) (was |has been )?(lost|reset|aborted|closed|destroyed|terminat\w{2,3})|protocol error|evaluation failed|stream errored|restart required|reset before|disconnect\w{0,5} before|(remote|browser has ?)disconnected|upstream request|no response from|(not|n't) respond|\bno ack\b|ack(nowledge?ment)? not received|not (be )?confirm|outcome unknown|bad gateway|tempo esgotado|tiempo de espera|zeit(ü|ue)berschreitung/i;
const PROXY_GAVE_UP = /\b(502|504)\b|gateway time-?out|bad gateway/i;
/** Statuses of a proxy or gateway that did not wait for the result. */
const GAVE_UP_STATUS = [408, 502, 504];

/** Whether a response to a request that only reads is an error. Fields that deny success may be its payload, so few of them count alone. */
const isErrorBody = ({ data }: GatewayResponse) =>
	find(data, ['success', 'ok', 'error', 'status']).some(
		({ name, value, holder }) =>
			holder === data &&
			(name === 'status' ? ERROR_STATUS.test(scalarOf(value)) : value === (name === 'error')),
	) ||
	((isDenied(data) || saysOffline(gatewayError(data).message)) && !hasPayload(data));

/** Matches a status of the request itself, in place of the HTTP status. FAILED is missing, because a session can have that status. */
const ERROR_STATUS = /^(error|fail|[45]\d\d)$/i;

const { codes, deliveryKeys, envelopes, errors, messages, remarks } = NAMES;
const REMARKS = [...envelopes, ...errors, ...codes, ...messages, ...remarks];

/** Whether a response contains more than remarks about itself. A number that is the only value may be the payload. */
export const hasPayload = (data: unknown, otherRemarks: string[] = [], within: string[] = []) =>
	find(data, ANY, { within }).some(({ name, value }) => {
		if (name !== NO_NAME) {
			const isEmpty = Array.isArray(value) && value.length === 0;
			return !isEmpty && ![...REMARKS, ...otherRemarks, ...within].includes(name);
		}
		const isOpened = isObject(value) || (Array.isArray(value) && value.length === 1);
		if (isOpened || /^error\b/i.test(scalarOf(value))) return false;
		return typeof value === 'number' || isSomething(value);
	});

/** Whether a response to a request that only reads denies success, at its top or in an envelope. */
export const isDenied = (data: unknown, scope?: Scope) =>
	find(data, ANY, { everyEntry: true, ...scope }).some((fact) => meaningOf(fact) === 'no');

const isYes = (value: unknown) => /^(true|yes|1)$/i.test(scalarOf(value));

/**
 * What a field says about the request. `no` denies success; so do `unsent`, unless the message is deferred or a duplicate, and `doubt`, if
 * nothing confirms the request. `unmet` is a condition: it is a doubt unless the message is `done` or `later`. `contradicts` may be a
 * denial or the text of the message. `error` (in unknown words) denies success unless there is an ID or a `yes`, and `zero` (as a status)
 * unless a word confirms it. `id` and `deliveryKey` prove that the gateway has the message. `done` is the word that confirms this kind of request, such as `sent`.
 */
type Meaning =
	| Verdict
	| 'error'
	| 'zero'
	| 'unsent'
	| 'doubt'
	| 'contradicts'
	| 'unmet'
	| 'duplicate'
	| 'id'
	| 'deliveryKey';

function meaningOf(fact: NamedValue, to?: Confirmation): Meaning | false | undefined {
	const { name, value } = fact;
	const isSend = to === 'sent';
	if (to === 'deleted' && LEFT_FIELD.test(name) && isSomething(value)) return 'contradicts';
	const kind = kindOf(fact, to);
	const isEmpty = value === null || value === '' || (kind === 'id' && isNothing(value));
	const isList = kind === 'confirmation' && Array.isArray(value);
	const verdict = kind && verdictOf(isList ? value.length > 0 : value, to);
	switch (kind) {
		case 'id':
			return isEmpty ? 'unclear' : isKey(value) && isSomething(value) && kind;
		case 'deliveryKey':
			return isKey(value) && kind;
		case 'duplicate':
			return isYes(value) && kind;
		case 'error':
		case 'denial':
			// `expired` may be the date until which something is valid, and in a response that was read, most fields may be payload.
			if (name === 'expired' || (!to && !errors.includes(name))) return isYes(value) && 'no';
			if (to === 'deleted' && isLeaving(value)) return 'no';
			if (isError(value)) return kind === 'error' && isUnclearError(fact) ? 'error' : 'no';
			return typeof value === 'string' && verdict === 'yes' && verdict;
		case 'errorMark':
			return /^-\d+$|(error|failure|exception)$/i.test(scalarOf(value)) && 'no';
		case 'condition':
			if (to === 'terminated' && isYes(value)) return 'contradicts';
			return isSend && verdict === 'no' && 'unmet';
		case 'later':
			return isSomething(value) && (name.endsWith('pending') ? 'pending' : 'later');
		case 'text':
			return textMeaning(fact, isSend, verdict, to);
		case 'confirmation':
			if (isEmpty) return 'unclear';
			if (verdict === 'no') return isSend ? 'unsent' : 'no';
			return verdict === 'unclear' || verdict === 'yes' ? 'done' : wordMeaning(fact, to, verdict);
		default:
			return kind && wordMeaning(fact, to, verdict);
	}
}

/** Matches fields of a delivery that has been sent, so that it cannot have been deleted. */
const LEFT_FIELD = /^(is|was|already)*(sent|delivered)(at|on)?$/;

const isLeaving = (value: unknown) =>
	LEAVING.test(scalarOf(value).toLowerCase().replace(/_/g, ' '));

const isStatus = (name: string) => /(status|state)$/.test(name);
/** Whether a status says that the session is online, which contradicts the success of Terminate. */
const isOnlineWord = ({ name, value }: NamedValue) =>
	isStatus(name) && phaseOf(scalarOf(value)) === 'online';

function textMeaning(
	{ value, holder }: NamedValue,
	isSend: boolean,
	verdict?: Verdict,
	to?: Confirmation,
) {
	const isSentence = /\S\s+\S/.test(scalarOf(value));
	if (to === 'deleted' && verdict !== 'no' && isSentence && isLeaving(value)) return 'contradicts';
	if (verdict === 'later') return isSend && verdict;
	if (isNoError(value) && verdict && verdict !== 'no') return 'yes';
	if (to === 'terminated' && phaseOf(scalarOf(value)) === 'online') return 'contradicts';
	// Gateways repeat the request, so a text next to the recipient may be the text of the message.
	const mayBeRepeated = isNextToRecipient(holder);
	// The text is in no list, e.g. "Please upgrade your plan".
	if (verdict === 'unclear') return !mayBeRepeated && verdict;
	if (to === 'deleted' && verdict === 'yes') return 'unclear';
	const isOff = verdict === 'offline' && (isSend || to === 'started');
	if (verdict !== 'no' && !isOff) return undefined;
	if (isSend && hasClaim(value)) return 'unclear';
	return mayBeRepeated ? 'contradicts' : 'doubt';
}

const isNextToRecipient = (holder: object) =>
	find(holder, ANY).some(({ name }) => mayBeRecipient(name));

/** Whether a field repeats the text of the sent message. A single known word without the recipient, such as `failed`, still counts. */
const isRepeated = (fact: NamedValue, requestBody?: Buffer) =>
	kindOf(fact) === 'text' &&
	(isNextToRecipient(fact.holder) ||
		/\S\s+\S/.test(scalarOf(fact.value)) ||
		verdictOf(fact.value) === 'unclear') &&
	requestBody?.includes(JSON.stringify(fact.value)) === true;

/** Whether an error text is in no list (e.g. in another language) and a code of zero or a message ID next to it suggests a success. */
const isUnclearError = ({ value, holder }: NamedValue) =>
	typeof value === 'string' &&
	verdictOf(value) === 'unclear' &&
	find(holder, ANY).some(
		(fact) =>
			(/(code|no)$/.test(fact.name) && /^0+$/.test(scalarOf(fact.value))) ||
			(kindOf(fact) === 'id' && isSomething(fact.value)),
	);

const LEAVING =
	/\b(sending|processing|processed|dispatched|delivered|sent|progress|transit|enviad[oa]|envoyé|inviato|gesendet)\b/;

function wordMeaning(fact: NamedValue, to?: Confirmation, verdict?: Verdict) {
	const { name, value } = fact;
	const word = wordOf(value);
	const isCode = name.endsWith('code');
	const isZero = value === 0 || (typeof value === 'string' && /^0+$/.test(word));
	// A zero that is text, such as "000" or the code "0", is a code of success.
	if (isZero && value !== 0 && (isCode || word !== '0')) return 'yes';
	if (to === 'sent' && isZero && /(status|state|result)$/.test(name || fact.within)) return 'zero';
	// A request that is not complete has begun, so this is only a doubt.
	if (/(completed|processed|done)$/.test(name) && verdict === 'no') return 'doubt';
	if (isCode) {
		const code = scalarOf(value).toLowerCase();
		if (isDocumentedCode(code) || saysOffline(code)) return 'no';
		if (isZero) return undefined;
	}
	if (to === 'sent' && /^(duplicated?|already(sent|exists))$/.test(word)) return 'duplicate';
	if (verdict === 'offline') return to === 'sent' ? 'doubt' : 'unclear';
	// This may be the status of the delivery itself, which has been sent or is being sent.
	if (
		to === 'deleted' &&
		(isLeaving(value) ||
			(isStatus(name) && typeof value === 'string' && verdict === 'yes' && !isNoError(value)))
	)
		return 'contradicts';
	if (to === 'terminated' && isOnlineWord(fact)) return 'contradicts';
	if (verdict === 'later' || verdict === 'pending') return to !== 'deleted' && verdict;
	// A long number that is the only value may be an ID, and a code may be the text of a QR code.
	const isNumber = typeof value === 'number' && (to !== 'sent' || value >= MIN_ID);
	const isValue = name === NO_NAME ? isNumber : name === 'code' && to !== 'sent';
	return verdict === 'unclear' && isValue ? undefined : verdict;
}

/** Shorter numbers are codes of errors at some gateways. */
const MIN_ID = 10_000;

/** Returns a function that finds the first field with one of the given meanings. */
function finderIn(data: unknown, to: Confirmation, requestBody?: Buffer) {
	const said = find(data, ANY, ABOUT_ITSELF).filter((fact) => !isRepeated(fact, requestBody));
	// A message with a delivery key waits at the gateway (API document), so an error next to the key is only the reason for the wait.
	const isReason = (fact: NamedValue) =>
		to === 'sent' && kindOf(fact) === 'error' && hasDeliveryKey(fact.holder);
	const reasons = new Set<unknown>(said.filter(isReason).flatMap((fact) => [fact, fact.value]));
	const facts = said
		.filter((fact) => !reasons.has(fact) && !reasons.has(fact.holder))
		.map((fact) => ({ ...fact, meaning: meaningOf(fact, to) || undefined }));
	return (...wanted: Meaning[]) => facts.find(({ meaning }) => meaning && wanted.includes(meaning));
}

/** Decides whether the request succeeded. A denial wins, then a message ID, then a word for success; next to a doubt, that is unknown. */
function decide(
	{ status, data }: GatewayResponse,
	to: Confirmation,
	requestBody?: Buffer,
): Decision {
	const first = finderIn(data, to, requestBody);
	const no = first('no') ?? (outcomeBy(first, status) === 'sent' ? first('unsent') : undefined);
	// The denial may be the reason why the deleted delivery had to wait.
	const isReason = to === 'deleted' && hasDeliveryKey(no?.holder) && first('yes', 'done');
	if (no)
		return isReason || (no.meaning === 'unsent' && first('yes', 'pending')) ? saidIn(no) : 'no';
	const zero = first('yes', 'done') ? undefined : first('zero');
	const isCode = typeof zero?.value === 'string' && first('id');
	const error = first('error') ?? (isCode ? undefined : zero);
	if (error) return error.value !== 0 && first('id', 'yes') ? saidIn(error) : 'no';
	if (to === 'sent' && first('id', 'deliveryKey')) return 'yes';
	const confirmed = first('yes', 'done', 'later', 'pending', 'duplicate');
	const unmet = first('done', 'later') ? undefined : first('unmet');
	// A confirmed message with `delivered: false` may still be delivered later.
	const isOpen = unmet && !(confirmed && unmet.name.endsWith('delivered'));
	const doubt = first('doubt') ?? (isOpen ? unmet : undefined);
	if (doubt && !confirmed) return 'no';
	const open = doubt ?? first('contradicts') ?? (confirmed ? undefined : first('unclear'));
	return open ? saidIn(open) : 'yes';
}

const saidIn = ({ name, value }: NamedValue) => ({
	said: `${name} ${scalarOf(value).slice(0, 200)}`.trim(),
});

function outcomeBy(first: ReturnType<typeof finderIn>, status: number): Outcome {
	if (first('duplicate')) return 'duplicate';
	// Other gateways report every message that they have passed on as "pending", with an ID.
	const isPassedOn = first('id') && !first('unsent');
	if (first('later', 'deliveryKey') || (!isPassedOn && first('pending'))) return 'deferred';
	return status === 202 && !first('done') ? 'deferred' : 'sent';
}

/**
 * Finds the field of a rejection that says that the gateway has the message. Next to a limit, an ID that the request does not have proves it.
 * With a status 2xx, gateways also return an ID with a denial, so there it counts only next to a rate limit.
 */
function acceptedIn(
	{ status, data }: GatewayResponse,
	requestBody?: Buffer,
): NamedValue | undefined {
	const first = finderIn(data, 'sent', requestBody);
	const isDenied = first('no', 'error', 'unsent', 'doubt', 'contradicts') !== undefined;
	const id = first('id');
	const yes = first('yes', 'pending');
	const isLimit = status === 429 || errorCode({ data }) === RATE_LIMIT;
	const isNewId = isLimit && id && requestBody?.includes(String(id.value)) === false;
	const accepted = isNewId ? id : yes && (id ?? (isDenied ? undefined : yes));
	return (
		first('deliveryKey', 'done', 'later', 'duplicate') ??
		(status >= 300 || isLimit ? accepted : undefined) ??
		find(data, ANY, ABOUT_ITSELF).find(
			(fact) =>
				(fact.name === NO_NAME || /^(text|error)$/.test(kindOf(fact) ?? '')) &&
				!isNextToRecipient(fact.holder) &&
				hasClaim(fact.value),
		)
	);
}

const hasDeliveryKey = (data: unknown) =>
	find(data, deliveryKeys, ABOUT_ITSELF).some(({ value }) => isKey(value));
