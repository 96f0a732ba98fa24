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
	isClaim,
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
 * Why a response is not a success; undefined if it is. A request that only reads has no success field. `request` is the body that was
 * sent, because gateways repeat the text of the message.
 */
export function failureInResponse(
	response: GatewayResponse,
	confirmation?: Confirmation,
	request?: Buffer,
): RequestFailure | undefined {
	const isOk = response.status >= 200 && response.status < 300 && !isWebPage(response);
	if (isOk && !confirmation) return isErrorBody(response) ? rejection(response) : undefined;
	const answer = isOk && confirmation ? answerOf(response, confirmation, request) : 'no';
	if (answer === 'yes') return undefined;
	const said =
		answer === 'no' ? confirmation && doubtIn(response, confirmation, request) : answer.said;
	return said === undefined ? rejection(response) : unclear(response, said);
}

/** Why a response that rejects does not prove it, whatever its status and its code: the gateway says that it has the message, or did not wait for the result of its own request. */
function doubtIn(response: GatewayResponse, to: Confirmation, request?: Buffer) {
	const { status, data } = response;
	if (to === 'sent' && !isDeferredRejection(response) && !isDuplicateRejection(response)) {
		const page = status < 300 && isWebPage(response) ? pageText(response) : '';
		if (isClaim(page) || PROXY_GAVE_UP.test(page) || /\bsuccess/i.test(page))
			return page.trim().slice(0, 200);
		const has = acceptedIn(response, request);
		if (has) return saidIn(has).said;
	}
	const { code = '', message = '' } = gatewayError(data);
	// These are decided before the gateway asks the phone. Any other 5xx is in doubt without a word.
	const isDecidedBefore = [401, 402, 403, 407, 429].includes(status);
	const needsNone = isDecidedBefore || (status >= 500 && status !== 503);
	if (needsNone || isDocumentedCode(code.toLowerCase())) return undefined;
	const inBody = find(data, [...NAMES.statuses, 'statuscode', 'code']).find(({ value }) =>
		GAVE_UP_STATUS.includes(Number(value)),
	);
	if (inBody) return saidIn(inBody).said;
	return [message, code].find((text) => (to === 'sent' ? GAVE_UP : TIMED_OUT).test(text));
}

const TIMED_OUT = /timed?[ _-]?out/i;
/** A gateway did not wait for the result, or lost the connection over which it would have come. */
const GAVE_UP =
	/timed?[ _-]?out|took too long|deadline[ _-]?exceeded|socket hang ?up|ECONNRESET|ECONNABORTED|EPIPE|UND_ERR|\bEOF\b|broken pipe|premature close|fetch failed|empty reply|cURL error (28|52|56)|context cancell?ed|detached frame|request aborted|page has been closed|reading 'serialize'|\b(connection|target|side|context) (was |has been )?(lost|reset|aborted|closed|destroyed|terminat\w{2,3})|protocol error|evaluation failed|stream errored|restart required|reset before|disconnect\w{0,5} before|(remote|browser has ?)disconnected|upstream request|no response from|(not|n't) respond|\bno ack\b|ack not received|not (be )?confirm|outcome unknown|bad gateway|tempo esgotado|tiempo de espera|zeit(ü|ue)berschreitung/i;
const PROXY_GAVE_UP = /\b(502|504)\b|gateway time-?out|bad gateway/i;
/** A proxy, or the gateway behind it, did not wait. */
const GAVE_UP_STATUS = [408, 502, 504];

/** Where a request only reads, other fields that deny success may be its payload. */
const isErrorBody = ({ data }: GatewayResponse) =>
	find(data, ['success', 'ok', 'error', 'status']).some(
		({ name, value, holder }) =>
			holder === data &&
			(name === 'status' ? ERROR_STATUS.test(scalarOf(value)) : value === (name === 'error')),
	) ||
	((isDenied(data) || saysOffline(gatewayError(data).message)) && !hasPayload(data));

/** Of the request, in place of the status of HTTP. A session can have FAILED. */
const ERROR_STATUS = /^(error|fail|[45]\d\d)$/i;

const { codes, deliveryKeys, envelopes, errors, messages, remarks } = NAMES;
const REMARKS = [...envelopes, ...errors, ...codes, ...messages, ...remarks];

/** Whether a response holds more than remarks about itself. As the only value, a number may be the payload. */
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

/** Whether an envelope of a response that was read denies success. */
export const isDenied = (data: unknown, scope?: Scope) =>
	find(data, ANY, { everyEntry: true, ...scope }).some((fact) => meaningOf(fact) === 'no');

const isYes = (value: unknown) => /^(true|yes|1)$/i.test(scalarOf(value));

/**
 * What a field says about the request. It is denied by `no`, by `unsent` unless the message is deferred or a duplicate,
 * and by a `doubt` if nothing confirms it; a condition that is `unmet` is no doubt about a message that is sent. What `contradicts`
 * may be a denial, or the text of the message. An `error` in unknown words denies it unless the message has an ID, and a `zero` as status
 * unless a word confirms it. `id` and `deliveryKey` prove that the gateway has the message. `done` confirms the
 * request in its own words.
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
	if (to === 'deleted' && HAS_LEFT.test(name) && isSomething(value)) return 'contradicts';
	const kind = kindOf(fact, to);
	const isEmpty = value === null || value === '' || (kind === 'id' && isNothing(value));
	const isList = kind === 'own' && Array.isArray(value);
	const verdict = kind && verdictOf(isList ? value.length > 0 : value, to);
	switch (kind) {
		case 'id':
			return isEmpty ? 'unclear' : isKey(value) && isSomething(value) && kind;
		case 'deliveryKey':
			return isKey(value) && kind;
		case 'duplicate':
			return isYes(value) && kind;
		case 'error':
		case 'flaw':
			// A date says until when something holds.
			if (name === 'expired' || (!to && !errors.includes(name))) return isYes(value) && 'no';
			if (to === 'deleted' && leaves(value)) return 'no';
			if (isError(value)) return kind === 'error' && isUnclearError(fact) ? 'error' : 'no';
			return typeof value === 'string' && verdict === 'yes' && verdict;
		case 'mark':
			return /^-\d+$|(error|failure|exception)$/i.test(scalarOf(value)) && 'no';
		case 'condition':
			if (to === 'terminated' && isYes(value)) return 'contradicts';
			return isSend && verdict === 'no' && 'unmet';
		case 'later':
			return isSomething(value) && (name.endsWith('pending') ? 'pending' : 'later');
		case 'text':
			return textMeaning(fact, isSend, verdict, to);
		case 'own':
			if (isEmpty) return 'unclear';
			if (verdict === 'no') return isSend ? 'unsent' : 'no';
			return verdict === 'unclear' || verdict === 'yes' ? 'done' : wordMeaning(fact, to, verdict);
		default:
			return kind && wordMeaning(fact, to, verdict);
	}
}

/** A delivery that could not be deleted. */
const HAS_LEFT = /^(is|was|already)*(sent|delivered)(at|on)?$/;

const leaves = (value: unknown) => LEAVES.test(scalarOf(value).toLowerCase().replace(/_/g, ' '));

/** Of a session that was to end. */
const isStatus = (name: string) => /(status|state)$/.test(name);
const isOnlineWord = ({ name, value }: NamedValue) =>
	isStatus(name) && phaseOf(scalarOf(value)) === 'online';

function textMeaning(
	{ value, holder }: NamedValue,
	isSend: boolean,
	verdict?: Verdict,
	to?: Confirmation,
) {
	const isSentence = /\S\s+\S/.test(scalarOf(value));
	if (to === 'deleted' && verdict !== 'no' && isSentence && leaves(value)) return 'contradicts';
	if (verdict === 'later') return isSend && verdict;
	if (isNoError(value) && verdict && verdict !== 'no') return 'yes';
	if (to === 'terminated' && phaseOf(scalarOf(value)) === 'online') return 'contradicts';
	// Gateways repeat the request, and with it the text of the message.
	const mayBeRepeated = isNextToRecipient(holder);
	// A text of which nothing is known: "Please upgrade your plan".
	if (verdict === 'unclear') return !mayBeRepeated && verdict;
	if (to === 'deleted' && verdict === 'yes') return 'unclear';
	const isOff = verdict === 'offline' && (isSend || to === 'started');
	if (verdict !== 'no' && !isOff) return undefined;
	if (isSend && isClaim(value)) return 'unclear';
	return mayBeRepeated ? 'contradicts' : 'doubt';
}

const isNextToRecipient = (holder: object) =>
	find(holder, ANY).some(({ name }) => mayBeRecipient(name));

/** Whether it is the text of the message that was sent, as the gateway repeats it. */
const isRepeated = (fact: NamedValue, request?: Buffer) =>
	kindOf(fact) === 'text' &&
	(isNextToRecipient(fact.holder) ||
		/\S\s+\S/.test(scalarOf(fact.value)) ||
		verdictOf(fact.value) === 'unclear') &&
	request?.includes(JSON.stringify(fact.value)) === true;

/** A text that no list has, next to a code that says that there is none: in another language. */
const isUnclearError = ({ value, holder }: NamedValue) =>
	typeof value === 'string' &&
	verdictOf(value) === 'unclear' &&
	find(holder, ANY).some(
		(fact) =>
			(/(code|no)$/.test(fact.name) && /^0+$/.test(scalarOf(fact.value))) ||
			(kindOf(fact) === 'id' && isSomething(fact.value)),
	);

const LEAVES =
	/\b(sending|processing|processed|dispatched|delivered|sent|progress|transit|enviad[oa]|envoyé|inviato|gesendet)\b/;

function wordMeaning(fact: NamedValue, to?: Confirmation, verdict?: Verdict) {
	const { name, value } = fact;
	const word = wordOf(value);
	const isCode = name.endsWith('code');
	const isZero = value === 0 || (typeof value === 'string' && /^0+$/.test(word));
	// As text, it is a code of success.
	if (isZero && value !== 0 && (isCode || word !== '0')) return 'yes';
	if (to === 'sent' && isZero && /(status|state|result)$/.test(name || fact.within)) return 'zero';
	// What is not complete has begun.
	if (/(completed|processed|done)$/.test(name) && verdict === 'no') return 'doubt';
	if (isCode) {
		const code = scalarOf(value).toLowerCase();
		if (isDocumentedCode(code) || saysOffline(code)) return 'no';
		if (isZero) return undefined;
	}
	if (to === 'sent' && /^(duplicated?|already(sent|exists))$/.test(word)) return 'duplicate';
	if (verdict === 'offline') return to === 'sent' ? 'doubt' : 'unclear';
	// The delivery that was deleted, or is leaving.
	if (
		to === 'deleted' &&
		(leaves(value) ||
			(isStatus(name) && typeof value === 'string' && verdict === 'yes' && !isNoError(value)))
	)
		return 'contradicts';
	if (to === 'terminated' && isOnlineWord(fact)) return 'contradicts';
	if (verdict === 'later' || verdict === 'pending') return to !== 'deleted' && verdict;
	// As the only value, a number may be an ID. A code may be the text of a QR code.
	const isValue = name === NO_NAME ? typeof value === 'number' : name === 'code' && to !== 'sent';
	return verdict === 'unclear' && isValue ? undefined : verdict;
}

/** Finds the first field that means one of these. */
function meaningsIn(data: unknown, to: Confirmation, request?: Buffer) {
	const said = find(data, ANY, ABOUT_ITSELF).filter((fact) => !isRepeated(fact, request));
	// A message with a delivery key waits at the gateway (API document), and the error next to it is the reason.
	const isReason = (fact: NamedValue) =>
		to === 'sent' && kindOf(fact) === 'error' && hasDeliveryKey(fact.holder);
	const reasons = new Set<unknown>(said.filter(isReason).flatMap((fact) => [fact, fact.value]));
	const facts = said
		.filter((fact) => !reasons.has(fact) && !reasons.has(fact.holder))
		.map((fact) => ({ ...fact, meaning: meaningOf(fact, to) || undefined }));
	return (...wanted: Meaning[]) => facts.find(({ meaning }) => meaning && wanted.includes(meaning));
}

/** A denial wins, then the ID of the message, then a word for success. Where one contradicts a doubt, nobody knows. */
function answerOf({ status, data }: GatewayResponse, to: Confirmation, request?: Buffer): Decision {
	const first = meaningsIn(data, to, request);
	const no = first('no') ?? (outcomeBy(first, status) === 'sent' ? first('unsent') : undefined);
	// It may be the reason why the delivery that is deleted has waited.
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
	// It may be delivered later.
	const isOpen = unmet && !(confirmed && unmet.name.endsWith('delivered'));
	const doubt = first('doubt') ?? (isOpen ? unmet : undefined);
	if (doubt && !confirmed) return 'no';
	const open = doubt ?? first('contradicts') ?? (confirmed ? undefined : first('unclear'));
	return open ? saidIn(open) : 'yes';
}

const saidIn = ({ name, value }: NamedValue) => ({
	said: `${name} ${scalarOf(value).slice(0, 200)}`.trim(),
});

function outcomeBy(first: ReturnType<typeof meaningsIn>, status: number): Outcome {
	if (first('duplicate')) return 'duplicate';
	// Other gateways say "pending" of every message that they have passed on.
	const isPassedOn = first('id') && !first('unsent');
	if (first('later', 'deliveryKey') || (!isPassedOn && first('pending'))) return 'deferred';
	return status === 202 && !first('done') ? 'deferred' : 'sent';
}

/**
 * What says in a response that rejects that the gateway has the message. An ID alone may be the one of the request. With a status 2xx,
 * the gateway gives its messages an ID also if it denies their success, but a limit is no such denial.
 */
function acceptedIn({ status, data }: GatewayResponse, request?: Buffer): NamedValue | undefined {
	const first = meaningsIn(data, 'sent', request);
	const isDenied = first('no', 'error', 'unsent', 'doubt', 'contradicts') !== undefined;
	const id = first('id');
	const isEcho = request?.includes(String(id?.value)) !== false;
	const yes = first('yes', 'pending');
	const accepted = isEcho ? yes && (id ?? (isDenied ? undefined : yes)) : id;
	const isLimit = errorCode({ data }) === RATE_LIMIT;
	return (
		first('deliveryKey', 'done', 'later', 'duplicate') ??
		(status >= 300 || isLimit ? accepted : undefined) ??
		find(data, ANY, ABOUT_ITSELF).find(
			(fact) =>
				(fact.name === NO_NAME || /^(text|error)$/.test(kindOf(fact) ?? '')) &&
				!isNextToRecipient(fact.holder) &&
				isClaim(fact.value),
		)
	);
}

/** The outcome of a message that was not rejected. The words for it are common in other gateways. */
export const outcomeOf = ({ status, data }: GatewayResponse, request?: Buffer) =>
	outcomeBy(meaningsIn(data, 'sent', request), status);

export const messageIdIn = (data: unknown) => meaningsIn(data, 'sent')('id')?.value?.toString();

const hasDeliveryKey = (data: unknown) =>
	find(data, deliveryKeys, ABOUT_ITSELF).some(({ value }) => isKey(value));

/** A gateway may reject a repeated idempotency key: the message has arrived with an earlier attempt. */
export const isDuplicateRejection = (response: GatewayResponse) =>
	(response.status < 300 || [409, 422].includes(response.status)) &&
	errorCode(response) === 'already_exists';

/** A gateway may report a message that it has deferred as a conflict with the state of the session, or with its limit. */
export const isDeferredRejection = (response: GatewayResponse) =>
	([409, 429].includes(response.status) ||
		errorCode(response) === RATE_LIMIT ||
		isOffline(response)) &&
	hasDeliveryKey(response.data);
