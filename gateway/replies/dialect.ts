import { isObject, type JsonObject } from '../json';
import { type GatewayResponse, parsed } from '../wire/response';

/** Case, underscores and hyphens make no difference. */
export const plainName = (name: string) => name.toLowerCase().replace(/[_-]/g, '');
const words = (text: string) => plainName(text).split(' ');

/** Stands for every name. */
export const ANY: string[] = [];
/** The name of a value without one: all that is in an envelope, or the whole response. */
export const NO_NAME = '';

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
	otherLists: [...words('items'), NO_NAME],
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
	/** The API document has `status`; the others are common. */
	statuses: [
		...words('status state sessionStatus stateInstance connection connectionStatus whatsappStatus'),
		NO_NAME,
	],
	sessions: words('session status state instance engine whatsapp client'),
	/** Common: whether the session is online. */
	conditions: words(
		'connected isConnected phoneConnected smartphoneConnected loggedIn isLoggedIn online isOnline authenticated isAuthenticated ready isReady',
	),
	qrCodes: words('qr qrCode qrText qrData'),
	/** The API document has `code`. */
	qrTexts: [...words('code text value'), NO_NAME],
};

/** The codes of the API document. */
const DOCUMENTED_CODES =
	`missing_auth_headers missing_signature invalid_token token_inactive token_expired token_deleted
	unauthorized invalid_signature signature_expired insufficient_balance ip_not_allowed no_api_access
	payg_confirm_required validation_error already_exists invalid_json invalid_amount_format test_message_failed
	rate_limit_exceeded`.split(/\s+/);

export const RATE_LIMIT = 'rate_limit_exceeded';

/** The code is in lower case. */
export const isDocumentedCode = (code: string) => DOCUMENTED_CODES.includes(code);

export interface NamedValue {
	/** In lower case, without underscores and hyphens. */
	name: string;
	value: unknown;
	/** The object that contains it, and its name. */
	holder: JsonObject;
	within: string;
}

export interface Scope {
	/** More names of envelopes. */
	within?: string[];
	/** More names of objects and lists to open. Unlike an envelope, they leave a value its name. */
	through?: RegExp;
	/** The same for names of lists, but not of single objects. */
	lists?: RegExp;
	/** Opens all lists. By default a list of one is an envelope, and a longer one is a value. */
	everyEntry?: boolean;
	/** A value to ignore. */
	except?: unknown;
}

/** The name of an entry in one of `lists`. */
const LIST_ENTRY = 'entry';
/** Looking at millions of values would block n8n. */
const MAX_NAMED_VALUES = 10_000;
const MAX_PACKED = 100_000;

/** Gateways also put the JSON of another service into a text. */
const unpacked = (value: unknown) =>
	typeof value === 'string' && value.length < MAX_PACKED && /^\s*[{[]/.test(value)
		? parsed(value)
		: value;

/** What a response says under these names, in any envelope. Outermost first. */
export function find(
	data: unknown,
	names: string[],
	{ within = [], through = /^$/, lists = /(?!)/, everyEntry = false, except }: Scope = {},
): NamedValue[] {
	const envelopes = [...NAMES.envelopes, ...within];
	const opened = (fact: NamedValue): NamedValue[] => {
		const { name, value, holder } = fact;
		if (name !== NO_NAME && envelopes.includes(name)) {
			return [{ name: NO_NAME, value: unpacked(value), holder, within: name }];
		}
		if (!through.test(name) && !(Array.isArray(value) && lists.test(name))) return [];
		if (Array.isArray(value)) {
			const entries: unknown[] =
				value.length > 1 && !everyEntry ? [] : value.slice(0, MAX_NAMED_VALUES);
			const inner = lists.test(name) ? LIST_ENTRY : name;
			return entries.map((entry) => ({ ...fact, name: inner, value: entry }));
		}
		if (!isObject(value)) return [];
		const keys = Object.keys(value).slice(0, MAX_NAMED_VALUES);
		const inner = { holder: value, within: name || fact.within };
		return keys.map((key) => ({ ...inner, name: plainName(key), value: value[key] }));
	};
	const facts: NamedValue[] = [];
	const add = (more: NamedValue[]) => facts.push(...more.filter(({ value }) => value !== except));
	add([{ name: NO_NAME, value: unpacked(data), holder: {}, within: NO_NAME }]);
	for (const fact of facts) if (facts.length <= MAX_NAMED_VALUES) add(opened(fact));
	return names === ANY ? facts : facts.filter(({ name }) => names.includes(name));
}

/** All that a response says about itself. What is about a person, a chat or the request is not about the message. */
export const ABOUT_ITSELF: Scope = {
	through:
		/^(?!(sender|contacts?|chats?|from|to|recipient|author|participants?|me|user|request|quoted\w*|contextinfo|config|webhook\w*|callback\w*|crm|(link)?preview|profile|usage|stat(istic)?s|\w*counts?|settings|subscription|plan|account|license|country)$)/,
	/** With the result for each. */
	lists: /^(recipients|contacts|to)$/,
	everyEntry: true,
};

export const trimmedText = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

/** Text, a number or a boolean as text; otherwise empty. */
export const scalarOf = (value: unknown) =>
	typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
		? String(value).trim()
		: '';

/** The same for comparisons: without case, spaces, hyphens and underscores. */
export const wordOf = (value: unknown) => plainName(scalarOf(value)).replace(/\s/g, '');

export const isKey = (value: unknown): value is string | number =>
	(typeof value === 'string' && value !== '') || Number.isSafeInteger(value);

/** Not empty, and not a word for nothing. */
export const isSomething = (value: unknown): boolean =>
	typeof value === 'object' && value !== null
		? Object.values(value).some(isSomething)
		: !/^(|false|no?|0+|none|null|\[\]|\{\})$/.test(wordOf(value));

/** The `error` code and the `message` of a response body, wherever the gateway put them. */
export function gatewayError(data: unknown): { code?: string; message?: string } {
	const places = [...find(data, NAMES.errors).map(({ value }) => value), data];
	const textUnder = (names: string[]) =>
		places
			.flatMap((place) => names.flatMap((name) => find(place, [name], { everyEntry: true })))
			.flatMap(({ value }) => value)
			.map(trimmedText)
			.find((text) => text !== '');
	return { code: textUnder(NAMES.codes), message: textUnder(NAMES.messages) };
}

/** The code in lower case, for comparisons; empty if there is none. */
export const errorCode = ({ data }: Pick<GatewayResponse, 'data'>) =>
	gatewayError(data).code?.toLowerCase() ?? '';
