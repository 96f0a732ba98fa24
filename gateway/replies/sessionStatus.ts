import type { Result } from '../failure';
import { isObject, type JsonObject } from '../json';
import {
	ENVELOPES,
	type GatewayResponse,
	isWebPage,
	MAX_DEPTH,
	nestedObjects,
	textOf,
	textsUnder,
} from './response';

const STATUSES = ['ONLINE', 'AWAITING_QR', 'DISCONNECTED', 'AUTH_FAILURE'];
const WORD = /^[a-z][\w-]{1,39}$/i;
const STATUS_NAMES = ['status', 'state', 'sessionStatus', 'session_status'];

/** Envelopes and health checks use these words about themselves. */
const NOT_A_STATUS = ['OK', 'SUCCESS', 'TRUE', 'FALSE', 'ERROR', 'FAIL', 'UP', 'DOWN', 'HEALTHY'];

const isKnown = (word: string) => WORD.test(word) && phaseOf(word.toUpperCase()) !== 'unknown';

/** The session's status, with the fields next to it. A documented status wins, wherever it is nested. */
export function sessionStatus(data: unknown): JsonObject | undefined {
	const bare = textOf(data);
	if (bare !== undefined) return { status: bare };
	const objects = nestedObjects(data, [...ENVELOPES, 'session', 'status', 'state']);
	const all = textsUnder(objects, [...STATUS_NAMES, 'session', 'data']);
	const fields = textsUnder(objects, STATUS_NAMES).filter(
		({ text }) => !NOT_A_STATUS.includes(text.toUpperCase()),
	);
	const found =
		all.find(({ text }) => STATUSES.includes(text.toUpperCase())) ??
		innermost(fields.filter(({ text }) => isKnown(text))) ??
		innermost(fields) ??
		all.find(({ text }) => isKnown(text)) ??
		innermost(all);
	return found && { ...found.parent, status: found.text };
}

const innermost = <Found extends { parent: JsonObject }>(all: Found[]): Found | undefined =>
	all.find(({ parent }) => parent === all.at(-1)?.parent);

/** The session's status as one upper-case word; undefined unless the response clearly has one. */
export function statusWord(
	response: GatewayResponse,
	isAlsoKnown: (word: string) => boolean = () => false,
): string | undefined {
	const found = isWebPage(response) ? undefined : sessionStatus(response.data);
	if (typeof found?.status !== 'string' || !WORD.test(found.status)) return undefined;
	const word = found.status.toUpperCase();
	if (isKnown(word) || isAlsoKnown(word)) return word;
	// An unknown word may also be a session's name or a proxy's notice, so its field must be a status field.
	return isInStatusField(response.data, found.status) && !NOT_A_STATUS.includes(word)
		? word
		: undefined;
}

function isInStatusField(data: unknown, word: string, depth = 0): boolean {
	if (!isObject(data) || depth > MAX_DEPTH) return false;
	return Object.entries(data).some(([name, value]) =>
		typeof value === 'string'
			? STATUS_NAMES.includes(name) && value.trim() === word
			: isInStatusField(value, word, depth + 1),
	);
}

/** Gateways may report the status of an offline session in an error response. Bare text may be from a proxy. */
export const rejectionHasStatus = (response: GatewayResponse) =>
	[200, 404, 409, 422].includes(response.status) &&
	isObject(response.data) &&
	isKnown(statusWord(response) ?? '');

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
	[
		'offline',
		/^(DISCONNECTED|DISCONNECTING|OFFLINE|STOPPED|CLOSED|NOT_STARTED|TERMINATED|INACTIVE)$/,
	],
	['pairing', /QR|SCAN|PAIRING|STARTING|CONNECTING|INITIALI[SZ]ING|LOADING|OPENING/],
];

export function phaseOf(status: string): Phase {
	return PHASES.find(([, words]) => words.test(status))?.[0] ?? 'unknown';
}
