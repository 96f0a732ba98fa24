import { isObject, type JsonObject } from '../json';
import type { GatewayResponse } from '../wire/response';

/** Case, underscores and hyphens make no difference. */
export const plain = (name: string) => name.toLowerCase().replace(/[_-]/g, '');
const words = (text: string) => plain(text).split(' ');

/** Stands for every name. */
export const ANY: string[] = [];
/** The name of a value without one: all that is in an envelope, or the whole response. */
export const BARE = '';

/**
 * The names that responses use. Those without a comment are in the API document. "Common" are the ones of other gateways:
 * they can deny a success, but they make none, and they settle no delivery.
 */
export const NAMES = {
	envelopes: words('data result results response payload'),
	/** The API document has `error` and `message`; the others are common. */
	errors: words('error errors'),
	codes: words('error code errorCode'),
	messages: words('message detail description reason errorMessage msg'),
	/** Common: around a payload, or next to an error. */
	remarks: words('details success ok statusCode timestamp path requestId'),
	/** Common. */
	duplicateFlags: words('duplicate isDuplicate deduplicated'),
	deliveryKeys: words('deliveryKey'),
	deliveryLists: words('deferred deliveries deliveryKeys'),
	otherLists: [...words('items'), BARE],
	ids: words('key id'),
	recipients: words('chatId phone'),
	/** Common. */
	kinds: words('type'),
	creationTimes: words('createdAt queuedAt timestamp'),
	/** Common: around a single delivery. */
	singles: words('delivery item deferred'),
	/** Common: around what tells that the list is one page of several. */
	paging: words('meta metadata pagination paging page pageInfo links'),
	pageCounts: words('totalPages lastPage pageCount pages'),
	pageSizes: words('limit pageSize perPage'),
	totals: words('total totalCount totalItems totalResults totalElements'),
	statuses: [...words('status state sessionStatus'), BARE],
	sessions: words('session status state'),
	qrCodes: words('qr qrCode qrText qrData'),
	/** The API document has `code`. */
	qrTexts: [...words('code text value'), BARE],
};

/** The codes of the API document. */
const CODES =
	`missing_auth_headers missing_signature invalid_token token_inactive token_expired token_deleted
	unauthorized invalid_signature signature_expired insufficient_balance ip_not_allowed no_api_access
	payg_confirm_required validation_error already_exists invalid_json invalid_amount_format test_message_failed
	rate_limit_exceeded`.split(/\s+/);

/** The code is in lower case. */
export const isDocumentedCode = (code: string) => CODES.includes(code);

export interface Fact {
	/** In lower case, without underscores and hyphens. */
	name: string;
	value: unknown;
	/** The object that contains it. */
	holder: JsonObject;
}

export interface Scope {
	/** More names of envelopes. */
	within?: string[];
	/** Opens all lists. By default a list of one is an envelope, and a longer one is a value. */
	everyEntry?: boolean;
	/** A value to ignore. */
	except?: unknown;
}

/** Three envelopes, each with a list in it, and two such as `meta.pagination`. */
const MAX_DEPTH = 8;
/** Looking at millions of values would block n8n. */
const MAX_VALUES = 10_000;

/** What a response says under these names, in any envelope. Outermost first. */
export function find(
	data: unknown,
	names: string[],
	{ within = [], everyEntry = false, except }: Scope = {},
): Fact[] {
	const isEnvelope = (name: string) =>
		within === ANY || NAMES.envelopes.includes(name) || within.includes(name);
	const facts: Fact[] = [];
	let left = MAX_VALUES;
	const open = (value: unknown, holder: JsonObject, depth: number): void => {
		if (value === except || depth > MAX_DEPTH || left-- <= 0) return;
		if (isObject(value)) {
			const fields = Object.keys(value).slice(0, left);
			left -= fields.length;
			const all = fields.map((name) => ({ name: plain(name), value: value[name], holder: value }));
			facts.push(...all.filter((fact) => fact.value !== except));
			for (const fact of all) if (isEnvelope(fact.name)) open(fact.value, value, depth + 1);
			return;
		}
		facts.push({ name: BARE, value, holder });
		if (!Array.isArray(value) || (value.length > 1 && !everyEntry)) return;
		for (const entry of value.slice(0, left)) open(entry, holder, depth + 1);
	};
	open(data, {}, 0);
	return names === ANY ? facts : facts.filter(({ name }) => names.includes(name));
}

/** A field at any depth. */
export interface Field extends Fact {
	/** The name of the object that contains it. */
	within: string;
}

/** Deeper than the message objects of any gateway. */
const MAX_FIELD_DEPTH = 16;
/** What is about a person, a chat or the request: its status is not that of the message. */
const OTHERS =
	/^(sender|contacts?|chats?|from|to|recipients?|author|participants?|me|user|request|quoted\w*|contextinfo|config|webhooks?|settings)$/;

/** Gateways also put the JSON of another service into a text. */
function unpacked(value: unknown): unknown {
	if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value;
	try {
		return JSON.parse(value);
	} catch {
		return value;
	}
}

/** All that a response says about itself, at any depth. The entries of a list have its name. */
export function fieldsIn(data: unknown): Field[] {
	const fields: Field[] = [];
	const open = (given: unknown, field: Omit<Field, 'value'>, depth: number): void => {
		if (fields.length >= MAX_VALUES || depth > MAX_FIELD_DEPTH) return;
		const isEnvelope = [...NAMES.envelopes, BARE].includes(field.name);
		const value = isEnvelope ? unpacked(given) : given;
		const isNested = typeof value === 'object' && value !== null;
		fields.push({ ...field, name: isEnvelope && !isNested ? BARE : field.name, value });
		if (Array.isArray(value)) {
			for (const entry of value.slice(0, MAX_VALUES)) open(entry, field, depth + 1);
		} else if (isObject(value)) {
			for (const key of Object.keys(value).slice(0, MAX_VALUES)) {
				const name = plain(key);
				const inner = { name, holder: value, within: field.name };
				if (!OTHERS.test(name)) open(value[key], inner, depth + 1);
			}
		}
	};
	open(data, { name: BARE, holder: {}, within: BARE }, 0);
	return fields;
}

export const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

/** Text, a number or a boolean as text; otherwise empty. */
export const scalarOf = (value: unknown) =>
	typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
		? String(value).trim()
		: '';

/** The same for comparisons: without case, spaces, hyphens and underscores. */
export const wordOf = (value: unknown) => plain(scalarOf(value)).replace(/\s/g, '');

export const isKey = (value: unknown): value is string | number =>
	(typeof value === 'string' && value !== '') || Number.isSafeInteger(value);

/** Not empty, and not a word for nothing. */
export const isSomething = (value: unknown): boolean =>
	typeof value === 'object' && value !== null
		? Object.values(value).some(isSomething)
		: !/^(|false|no|0|none|null)$/.test(wordOf(value));

/** The `error` code and the `message` of a response body, wherever the gateway put them. */
export function gatewayError(data: unknown): { code?: string; message?: string } {
	const places = [...find(data, NAMES.errors).map(({ value }) => value), data];
	const textUnder = (names: string[]) =>
		places
			.flatMap((place) => names.flatMap((name) => find(place, [name], { everyEntry: true })))
			.flatMap(({ value }) => value)
			.map(textOf)
			.find((text) => text !== '');
	return { code: textUnder(NAMES.codes), message: textUnder(NAMES.messages) };
}

/** The code in lower case, for comparisons; empty if there is none. */
export const errorCode = ({ data }: GatewayResponse) =>
	gatewayError(data).code?.toLowerCase() ?? '';
