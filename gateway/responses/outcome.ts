import { isObject } from '../json';
import { type GatewayResponse, isWebPage } from '../wire/response';
import {
	type Declared,
	declaredMeaning,
	declaredStatus,
	lineFor,
	MEANING_OF_RESPONSES,
	quoted,
} from './declared';
import { isDocumentedCode, isSomething, NAMES, scalarOf, type Confirmation } from './dialect';
import { ABOUT_ITSELF, ANY, errorCode, find, NO_NAME, type NamedValue, type Scope } from './find';
import { type Facts, factsIn, hasDeliveryKey, type Meaning, meaningOf } from './facts';
import type { RequestFailure, Result, Rule } from './failure';
import { failureInResponse, unclear } from './responseFailure';
import { isOffline } from './sessionStatus';

export type Outcome = NonNullable<GatewayResponse['outcome']>;

/** What a request was to do, what was sent, and what the owner of the credential declared. A request that only reads confirms nothing. */
export interface Asked {
	confirmation?: Confirmation;
	requestBody?: Buffer;
	declared?: Declared;
}

/**
 * Decides once whether a response is a success; one to a message has its outcome then. In this order: what the owner declared, the HTTP
 * status, the structure of the body. A sentence decides nothing (docs/gateway-api.md).
 */
export function judged(response: GatewayResponse, asked: Asked): Result<GatewayResponse> {
	const { confirmation: to, declared } = asked;
	if (declaredMeaning(response.data, declared, ['online'])) response.isDeclaredOnline = true;
	else if (!to) response.declaredStatus = declaredStatus(response.data, declared);
	const verdict = to ? verdictOf(response, to, asked) : failureOfRead(response);
	if (typeof verdict === 'object') return { failure: verdict };
	return { value: to === 'sent' ? { ...response, outcome: verdict } : response };
}

const OF_MESSAGES = ['sent', 'deferred', 'duplicate', 'failed'] as const;
const OF_OTHERS = ['done', 'failed'] as const;

type Verdict = Outcome | RequestFailure;

function verdictOf(response: GatewayResponse, to: Confirmation, asked: Asked): Verdict {
	const { requestBody, declared } = asked;
	const { status, data } = response;
	const wanted = to === 'sent' ? OF_MESSAGES : OF_OTHERS;
	const said = declaredMeaning(data, declared, wanted, requestBody);
	if (said?.meaning === 'failed') return failureInResponse(response, 'declared', quoted(said.fact));
	if (said) return said.meaning === 'done' ? 'sent' : said.meaning;
	const isOk = isSuccess(response);
	if (isOk && declared?.error) {
		const because = { field: MEANING_OF_RESPONSES, value: declared.error.message };
		return unclear(response, 'declared', because);
	}
	if (isOk && isWebPage(response)) return unclear(response, 'webPage');
	const facts = factsIn(data, to, status === 202, requestBody);
	if (!isOk) return to === 'sent' ? verdictOfError(response, facts) : failureInResponse(response);
	const { evidence, denial, doubt, lostPhone } = facts;
	const against = denial ?? lostPhone ?? doubt;
	// HTTP says that an empty response is a success. Empty JSON says nothing.
	if (data === undefined || (evidence && !against)) return outcomeOf(facts, status);
	// A message that is not sent yet, in an unknown status, may still be sent.
	const undecided = lostPhone ?? (denial && facts.isNotSentYet ? doubt : undefined);
	if (denial && !evidence && !undecided)
		return failureInResponse(response, 'denial', quoted(denial));
	const rule: Rule = evidence || undecided ? 'contradiction' : doubt ? 'unknownWord' : 'noEvidence';
	const shown = (denial ? undecided : undefined) ?? against ?? facts.other;
	return unclear(response, rule, quoted(shown), shown && suggested(to, shown));
}

/** Returns a line to declare, for a field that says nothing yet. What denies, or is different each time, must not be declared a success. */
function suggested(to: Confirmation, fact: NamedValue): string | undefined {
	const said = meaningOf(fact, to);
	const isNew = said === undefined || (said === 'doubt' && typeof fact.value !== 'boolean');
	return isNew ? lineFor(to === 'sent' ? 'sent' : 'done', fact) : undefined;
}

const isSuccess = ({ status }: GatewayResponse) => status >= 200 && status < 300;

/** An error status is a refusal, unless the body has evidence that the gateway has the message. */
function verdictOfError(response: GatewayResponse, facts: Facts): Verdict {
	const { status, data } = response;
	const code = errorCode(response);
	// Gateways report a deferred message as a conflict with the session's state, or as a rate limit.
	const isDeferral =
		[409, 429].includes(status) || code === 'rate_limit_exceeded' || isOffline(response);
	if (isDeferral && hasDeliveryKey(data)) return 'deferred';
	// The gateway decides these before it asks the phone, so it did not lose the connection to the phone.
	const isDecidedFirst = [401, 402, 403, 429].includes(status) || isDocumentedCode(code);
	const has = facts.evidence ?? (isDecidedFirst ? undefined : facts.lostPhone);
	return has ? unclear(response, 'contradiction', quoted(has)) : failureInResponse(response);
}

function outcomeOf({ has }: Facts, status: number): Outcome {
	if (has('duplicate')) return 'duplicate';
	// Many gateways call every message that they have passed on pending, with an ID.
	const isPassedOn = has('id') && !has('notSentYet');
	if (has('later', 'deliveryKey') || (has('pending') && !isPassedOn)) return 'deferred';
	return status === 202 && !has('confirms') ? 'deferred' : 'sent';
}

const saying = (data: unknown, meaning: Meaning, scope?: Scope) =>
	find(data, ANY, scope).find((fact) => meaningOf(fact, 'sent') === meaning);

export const messageIdIn = (data: unknown) => saying(data, 'id', ABOUT_ITSELF)?.value?.toString();

/** Judges a response to a request that only reads, whose fields may be the payload. */
function failureOfRead(response: GatewayResponse): RequestFailure | undefined {
	if (!isSuccess(response)) return failureInResponse(response);
	if (isWebPage(response)) return failureInResponse(response, 'webPage');
	const { data } = response;
	const denial = saying(data, 'no');
	const isError = isObject(data) && Object.entries(data).some(isErrorItself);
	return isError || (denial && !hasPayload(data))
		? failureInResponse(response, 'denial', quoted(denial))
		: undefined;
}

/** Whether a field says that the request itself failed. FAILED is missing, because a session can have that status. */
function isErrorItself([name, value]: [string, unknown]): boolean {
	if (/^status_?code$|^status$/i.test(name))
		return /^(error|fail|[45]\d\d)$/i.test(scalarOf(value));
	return /^error$/i.test(name) ? value === true : /^(success|ok)$/i.test(name) && value === false;
}

const { codes, envelopes, errors, messages, remarks, texts } = NAMES;
const REMARKS = [envelopes, errors, codes, messages, remarks, texts].flat();

/** Returns whether a response contains more than remarks about itself. */
export const hasPayload = (data: unknown, otherRemarks: string[] = [], within: string[] = []) =>
	find(data, ANY, { within }).some(({ name, value }) => {
		if (name !== NO_NAME) {
			const isEmptyList = Array.isArray(value) && value.length === 0;
			return !isEmptyList && ![...REMARKS, ...otherRemarks, ...within].includes(name);
		}
		const isOpened = isObject(value) || (Array.isArray(value) && value.length === 1);
		if (isOpened || /^error\b/i.test(scalarOf(value))) return false;
		return isSomething(value);
	});

/** Returns whether a response denies success, at its top or in an envelope. */
export const isDenied = (data: unknown, scope?: Scope) =>
	saying(data, 'no', { everyEntry: true, ...scope }) !== undefined;
