import { rejection, type RequestFailure, unclear } from './failure';
import {
	ANY,
	BARE,
	errorCode,
	type Fact,
	ABOUT_ITSELF,
	find,
	isDocumentedCode,
	isKey,
	isSomething,
	NAMES,
	plain,
	type Scope,
	scalarOf,
	textOf,
	wordOf,
} from './dialect';
import { isObject } from '../json';
import { saysOffline } from './sessionStatus';
import {
	isClaim,
	isConfirmed,
	isMessageId,
	isNoError,
	isPending,
	kindOf,
	MESSAGE_ID,
	type SuccessField,
	verdictOf,
} from './vocabulary';
import { type GatewayResponse, isWebPage } from '../wire/response';

export type { SuccessField } from './vocabulary';
export type Outcome = 'sent' | 'deferred' | 'duplicate';

/** Why a response is not a success; undefined if it is. A request that only reads has no success field. */
export function rejectionIn(
	response: GatewayResponse,
	successField?: SuccessField,
): RequestFailure | undefined {
	const isOk = response.status >= 200 && response.status < 300 && !isWebPage(response);
	if (!isOk || (!successField && isErrorBody(response))) return rejection(response);
	const answer = successField ? answerOf(response, successField) : 'yes';
	if (answer === 'yes') return undefined;
	return answer === 'no' ? rejection(response) : unclear(response, answer.said);
}

/** Where a request only reads, fields that deny success may be its payload. */
const isErrorBody = ({ data }: GatewayResponse) =>
	find(data, ['success', 'ok', 'error']).some(
		({ name, value, holder }) => holder === data && value === (name === 'error'),
	) ||
	(isDenied(data) && !hasPayload(data));

const { envelopes, errors, codes, messages, remarks } = NAMES;
const REMARKS = [...envelopes, ...errors, ...codes, ...messages, ...remarks];

/** Whether a response holds more than remarks about itself. */
export const hasPayload = (data: unknown, otherRemarks: string[] = [], within: string[] = []) =>
	find(data, ANY, { within }).some(({ name, value }) =>
		name === BARE
			? !isObject(value) && isSomething(value) && !(Array.isArray(value) && value.length === 1)
			: ![...REMARKS, ...otherRemarks, ...within].includes(name),
	);

/** Whether an envelope of a response that was read denies success. */
export const isDenied = (data: unknown, scope?: Scope) =>
	find(data, ANY, { everyEntry: true, ...scope }).some((fact) => denies(fact, undefined));

const isYes = (value: unknown) => /^(true|yes|1)$/i.test(scalarOf(value));
const isList = (value: unknown, isEmpty: boolean) =>
	Array.isArray(value) && (value.length === 0) === isEmpty;

/** Gateways also say with it that there is no error. An object is one if what it says about itself is one. */
function isError(value: unknown): boolean {
	if (Array.isArray(value)) return value.some(isError);
	if (!isObject(value)) return isSomething(value) && !isNoError(value);
	const fields = Object.entries(value);
	const said = fields.filter(([name]) => kindOf(plain(name)));
	return (said.length > 0 ? said : fields).some(([, inner]) => isError(inner));
}

/** Whether a field says that the request failed, whatever else the response says. */
function denies({ name, value, within }: Fact, field: SuccessField | undefined): boolean {
	const isNo = () => verdictOf(value, field) === 'no';
	switch (kindOf(name, within, field)) {
		case 'own':
			return isNo() || isList(value, true);
		case 'flaw':
			return isYes(value) || (field !== undefined && isList(value, false));
		case 'error':
			return field || errors.includes(name) ? isError(value) : isYes(value);
		case 'code': {
			const code = textOf(value).toLowerCase();
			return isDocumentedCode(code) || saysOffline(code) || (isNo() && wordOf(value) !== '0');
		}
		case 'ack':
			return /^(-\d+|error)$/i.test(scalarOf(value));
		case 'type':
			return /^(error|failure|exception)$/.test(wordOf(value));
		case 'result':
			// A number that was read may be the payload.
			return isNo() && (field !== undefined || name !== BARE || typeof value !== 'number');
		default:
			return false;
	}
}

/** What a field that denies nothing says about success. `doubt`: it denies it, if nothing else confirms it. */
function remarkIn({ name, value, within, holder }: Fact, field: SuccessField) {
	const kind = kindOf(name, within, field);
	if (kind === 'own' && isList(value, false)) return 'yes';
	const isIdName = MESSAGE_ID.name.test(name);
	if ((kind === 'own' || isIdName) && (value === null || value === '')) return 'unclear';
	if (kind === undefined || typeof value === 'object') return undefined;
	if (kind === 'later') return isSomething(value) ? 'yes' : undefined;
	const verdict = verdictOf(value, field);
	const isSend = field === 'sent';
	if (kind === 'condition') return isSend && verdict === 'no' ? 'doubt' : undefined;
	if (kind === 'text') {
		if (verdict !== 'no' && !(isSend && verdict === 'offline')) return undefined;
		// Gateways repeat the request, and with it the text of the message.
		const isEcho = find(holder, NAMES.recipients).length > 0;
		return isEcho || isClaim(value) ? 'unclear' : 'doubt';
	}
	if (!['own', 'result', 'code'].includes(kind)) return undefined;
	// The delivery that was deleted.
	if (verdict === 'later') return field === 'deleted' ? undefined : 'yes';
	if (verdict === 'offline') return isSend ? 'doubt' : 'unclear';
	// As the only value, a number may be an ID.
	if (verdict === 'unclear' && name === BARE && typeof value === 'number') return undefined;
	// It may be the text of a QR code.
	if (verdict === 'unclear' && name === 'code' && !isSend) return undefined;
	if (verdict === 'unclear' && kind === 'own') return 'yes';
	return verdict === 'no' ? undefined : verdict;
}

const isIdOfMessage = ({ name, value, within }: Fact) =>
	isKey(value) &&
	isSomething(value) &&
	(MESSAGE_ID.name.test(name) ||
		(MESSAGE_ID.part.test(name) && (MESSAGE_ID.within.test(within) || isMessageId(value))));

export const messageIdIn = (data: unknown) =>
	find(data, ANY, ABOUT_ITSELF).find(isIdOfMessage)?.value?.toString();

const hasDeliveryKey = (data: unknown) =>
	find(data, NAMES.deliveryKeys, { everyEntry: true }).some(({ value }) => isKey(value));

/** A denial wins, then the ID of the message, then a word for success. Where one contradicts a doubt, nobody knows. */
function answerOf(response: GatewayResponse, field: SuccessField): 'yes' | 'no' | { said: string } {
	const fields = find(response.data, ANY, ABOUT_ITSELF);
	const isSend = field === 'sent';
	// A message with a delivery key waits at the gateway (API document), and the error is the reason.
	const isExcused = ({ name, within, holder }: Fact) => {
		const kind = isSend && kindOf(name, within, field);
		return kind === 'error'
			? hasDeliveryKey(holder)
			: kind === 'own' && outcomeOf(response) !== 'sent';
	};
	if (fields.some((fact) => denies(fact, field) && !isExcused(fact))) return 'no';
	if (isSend && (fields.some(isIdOfMessage) || hasDeliveryKey(response.data))) return 'yes';
	const isSent = isSend && fields.some((fact) => isSaidToBeSent(fact));
	const remarks = fields
		.filter(({ name, within }) => !isSent || kindOf(name, within, field) !== 'condition')
		.map((fact) => ({ fact, remark: remarkIn(fact, field) }));
	const first = (wanted: string) => remarks.find(({ remark }) => remark === wanted)?.fact;
	const confirmed = first('yes');
	const doubt = first('doubt');
	if (doubt && !confirmed) return 'no';
	const open = doubt ?? (confirmed ? undefined : first('unclear'));
	if (!open) return 'yes';
	return { said: `${open.name} ${scalarOf(open.value).slice(0, 200)}`.trim() };
}

/** That it is passed on; more than that the request succeeded. */
const isSaidToBeSent = ({ name, value, within }: Fact) => {
	const kind = kindOf(name, within, 'sent');
	return kind === 'own' ? isYes(value) : kind === 'result' && isConfirmed(value, 'sent');
};

/** The outcome of a message that was not rejected. The words for it are common in other gateways. */
export function outcomeOf({ status, data }: GatewayResponse): Outcome {
	const fields = find(data, ANY, ABOUT_ITSELF);
	const isDuplicate = ({ name, value, within }: Fact) =>
		NAMES.duplicateFlags.includes(name)
			? isYes(value)
			: kindOf(name, within, 'sent') === 'result' &&
				/^(duplicated?|already(sent|exists))$/.test(wordOf(value));
	if (fields.some(isDuplicate)) return 'duplicate';
	const isUnsent = fields.some(
		({ name, value, within }) =>
			kindOf(name, within, 'sent') === 'own' && verdictOf(value, 'sent') === 'no',
	);
	// Other gateways say "pending" of every message that they have passed on.
	const isPassedOn = !isUnsent && fields.some(isIdOfMessage);
	const isDeferred = ({ name, value, within }: Fact) => {
		const kind = kindOf(name, within, 'sent');
		if (isPassedOn && isPending(kind === 'later' ? name : value)) return false;
		if (kind === 'later') return isSomething(value);
		const isAbout = kind === 'result' || (kind === 'text' && /queue/i.test(textOf(value)));
		return isAbout && verdictOf(value, 'sent') === 'later';
	};
	if (fields.some(isDeferred) || hasDeliveryKey(data)) return 'deferred';
	return status === 202 && !fields.some(isSaidToBeSent) ? 'deferred' : 'sent';
}

/** A gateway may reject a repeated idempotency key: the message has arrived with an earlier attempt. */
export const isDuplicateRejection = (response: GatewayResponse) =>
	(response.status < 300 || [409, 422].includes(response.status)) &&
	errorCode(response) === 'already_exists';

/** A gateway may report a message that it has deferred as a conflict with the state of the session. */
export const isDeferredRejection = ({ status, data }: GatewayResponse) =>
	status === 409 && hasDeliveryKey(data);
