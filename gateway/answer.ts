import type { Redact } from './redaction';

/** What came back from the gateway. The bytes are kept beside what they say: a picture is no text. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	bytes: Buffer;
	/** JSON where it is JSON, whatever the content type says; else the text; undefined where nothing came. */
	data: unknown;
}

type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `redact` takes out, before anything else sees it, what nobody may read: the gateway may repeat the URL. */
export function readAnswer(
	response: { status: number; headers: Record<string, unknown>; bytes: Buffer },
	redact: Redact,
): Answer {
	const { status, bytes } = response;
	const headers = Object.fromEntries(
		Object.entries(response.headers)
			.filter(([, value]) => value !== undefined && value !== null)
			.map(([name, value]) => [name.toLowerCase(), String(value)]),
	);
	return { status, headers: redact(headers), bytes, data: redact(contents(bytes)) };
}

function contents(bytes: Buffer): unknown {
	const text = bytes.toString('utf8').replace(/^\ufeff/, '');
	if (!text.trim()) return undefined;
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}

export function contentType({ headers }: Answer): string {
	return (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
}

export const isWebPage = (answer: Answer) =>
	typeof answer.data === 'string' &&
	(contentType(answer) === 'text/html' || /^\s*<(!doctype html|html)\b/i.test(answer.data));

/** Names under which gateways wrap what was asked for. */
const ENVELOPES = ['data', 'result', 'results', 'response', 'payload'];
const DEEPEST = 4;

/** The answer's object and those in its envelopes, outermost first. */
function layers(data: unknown, envelopes: string[], depth = 0): Json[] {
	if (!isObject(data) || depth > DEEPEST) return [];
	return [data, ...envelopes.flatMap((name) => layers(data[name], envelopes, depth + 1))];
}

const text = (value: unknown) =>
	typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** The texts under these names, object by object, each with the object it stands in. */
function textsUnder(objects: Json[], names: string[]): Array<{ found: string; beside: Json }> {
	return objects.flatMap((beside) =>
		names.flatMap((name) => {
			const found = text(beside[name]);
			return found === undefined ? [] : [{ found, beside }];
		}),
	);
}

const STATUSES = ['ONLINE', 'AWAITING_QR', 'DISCONNECTED', 'AUTH_FAILURE'];
export const STATUS_NAMES = ['status', 'state', 'sessionStatus', 'session_status'];

/** The session's status beside everything that came with it. A documented word wins, wherever it stands. */
export function sessionStatus(data: unknown): Json | undefined {
	const bare = text(data);
	if (bare !== undefined) return { status: bare };
	const candidates = textsUnder(layers(data, [...ENVELOPES, 'session', 'status', 'state']), [
		...STATUS_NAMES,
		'session',
		'data',
	]);
	const known = candidates.find(({ found }) => STATUSES.includes(found.toUpperCase()));
	const innermost = candidates.at(-1)?.beside;
	const chosen = known ?? candidates.find(({ beside }) => beside === innermost);
	return chosen && { ...chosen.beside, status: chosen.found };
}

const QR_NAMES = ['qr', 'qrCode', 'qrcode', 'qr_code', 'qrText', 'qr_text', 'qrData', 'qr_data'];
const INSIDE_QR = ['code', 'text', 'value', 'data', ...QR_NAMES];

/** No prose, and no word like "connected": what phones scan is longer, and not of letters only. */
const looksLikeQr = (found: string) => /^[^\s{[<]\S{5,7088}$/.test(found) && /[\d@/=+]/.test(found);

/** The text to be shown as a QR code, as `qr` beside everything that came with it. */
export function qrCode(data: unknown): Json | undefined {
	const holder = layers(data, [...ENVELOPES, 'session']).find((object) =>
		QR_NAMES.some((name) => name in object),
	);
	if (holder) return namedQr(holder);
	const bare = text(data);
	if (bare !== undefined) return looksLikeQr(bare) ? { qr: bare } : undefined;
	const guess = textsUnder(layers(data, ENVELOPES), [
		'data',
		'value',
		'result',
		'code',
		'text',
	]).find(({ found }) => looksLikeQr(found));
	return guess && { ...guess.beside, qr: guess.found };
}

/** A QR field that is there and empty is an answer, too: there is no code. */
function namedQr(holder: Json): Json | undefined {
	const [named] = textsUnder([holder], QR_NAMES);
	if (named) return { ...holder, qr: named.found };
	const inner = QR_NAMES.map((name) => holder[name]).find(isObject);
	const [inside] = inner ? textsUnder([inner], INSIDE_QR) : [];
	return inside && { ...inner, qr: inside.found };
}

/** Under these names stands nothing else than the deliveries. */
const SURE_LIST_NAMES = ['deferred', 'deliveries'];
/** Under these stands a list. */
const LIKELY_LIST_NAMES = ['items', 'list', 'records', 'rows', 'entries'];
/** Messages may also be those that are meant for people. */
const LIST_NAMES = [...SURE_LIST_NAMES, ...LIKELY_LIST_NAMES, 'messages'];
const KEY_NAMES = ['deliveryKey', 'delivery_key'];

const hasKey = (object: Json) => KEY_NAMES.some((name) => name in object);
const isListOfObjects = (value: unknown): value is Json[] =>
	Array.isArray(value) && value.length > 0 && value.every(isObject);

/** One object per deferred delivery, bare or wrapped; undefined where that is not what came. */
export function deferredDeliveries(data: unknown): Json[] | undefined {
	if (data === undefined || data === null) return [];
	if (!isObject(data) && !Array.isArray(data)) return undefined;
	return (findList(data) ?? []).map((entry) => (isObject(entry) ? entry : { deliveryKey: entry }));
}

/** A delivery in a list, and what it is known by. */
export interface ListedDelivery {
	key: string;
	delivery: Json;
}

/**
 * The deliveries that wait; undefined unless the answer is surely the whole list of them. For somebody who takes
 * a delivery that is not in it for gone, an answer that says nothing must not pass for a list with nothing in it.
 */
export function waitingDeliveries({ status, data }: Answer): ListedDelivery[] | undefined {
	if (data === undefined && status === 204) return [];
	const list = wholeList(data);
	const listed = list?.flatMap((entry) => listedDelivery(entry) ?? []);
	if (listed?.length !== list?.length) return undefined;
	return listed && isPartOf(data, listed.length) ? undefined : listed;
}

function wholeList(data: unknown): unknown[] | undefined {
	if (Array.isArray(data)) return data as unknown[];
	const objects = layers(data, ENVELOPES);
	if (objects.some(hasKey)) return [objects.find(hasKey)];
	const under = (names: string[]) =>
		objects.flatMap((object) => names.filter((name) => name in object).map((name) => object[name]));
	for (const value of under(SURE_LIST_NAMES)) {
		// Some write a list without entries as null.
		const list = value === null ? [] : isList(value) ? value : keyedList(value);
		if (list) return list;
	}
	const likely = under([...LIKELY_LIST_NAMES, ...ENVELOPES]).find(isList);
	return (
		likely ??
		under(['messages'])
			.filter(isListOfObjects)
			.find((list) => list.every(hasKey))
	);
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value);

/** Whether there is more than came: a page of a longer list. */
const isPartOf = (data: unknown, length: number) =>
	layers(data, [...ENVELOPES, 'meta', 'pagination', 'paging', 'page']).some(
		(object) =>
			['hasMore', 'has_more', 'hasNext', 'has_next'].some((name) => object[name] === true) ||
			['next', 'nextPage', 'next_page', 'nextCursor', 'next_cursor'].some((name) => object[name]) ||
			['total', 'totalCount', 'total_count'].some((name) => Number(object[name]) > length),
	);

function listedDelivery(entry: unknown): ListedDelivery | undefined {
	const delivery = isObject(entry) ? entry : { deliveryKey: entry };
	const key = [...KEY_NAMES, 'key', 'id'].map((name) => delivery[name]).find(isKey);
	return key === undefined ? undefined : { key: String(key), delivery };
}

/** Numbers that are larger come out of JSON rounded, two of them as one. */
const isKey = (value: unknown): value is string | number =>
	(typeof value === 'string' && value !== '') || Number.isSafeInteger(value);

function findList(data: unknown, depth = 0): unknown[] | undefined {
	if (Array.isArray(data)) return data as unknown[];
	if (!isObject(data) || depth > DEEPEST) return undefined;
	if (hasKey(data)) return [data];
	for (const name of LIST_NAMES) {
		const found = findList(data[name], depth + 1) ?? keyedList(data[name]);
		if (found !== undefined) return found;
	}
	for (const name of ENVELOPES) {
		const found = findList(data[name], depth + 1);
		if (found !== undefined) return found;
	}
	return Object.values(data).find(isListOfObjects);
}

/** A list written as an object, with the keys of the deliveries for names. */
function keyedList(value: unknown): Json[] | undefined {
	if (!isObject(value)) return undefined;
	const entries = Object.entries(value);
	if (!entries.every(([, member]) => isObject(member))) return undefined;
	return entries.map(([deliveryKey, member]) => ({ deliveryKey, ...(member as Json) }));
}

const DELIVERY_ENVELOPES = ['deferred', 'delivery', 'item', ...ENVELOPES];

/** The delivery itself, out of its envelope if it has one. */
export function deferredDelivery(data: unknown): Json | undefined {
	if (Array.isArray(data)) return data.length === 1 ? deferredDelivery(data[0]) : undefined;
	const objects = layers(data, DELIVERY_ENVELOPES);
	return (
		objects.find(hasKey) ??
		objects.find((object) => ['key', 'id', 'chatId', 'phone'].some((name) => name in object)) ??
		objects[0]
	);
}

/** An `error` code and a `message` for people, wherever the gateway put them. */
export function refusal(data: unknown): { code?: string; message?: string } {
	if (!isObject(data)) return {};
	const nested = isObject(data.error) ? data.error : undefined;
	const code = text(nested?.code) ?? text(nested?.error) ?? text(data.error) ?? text(data.code);
	const message =
		text(nested?.message) ?? text(data.message) ?? text(data.detail) ?? text(data.description);
	return { code, message };
}

/** What may stand beside an error code that came with a good status, without being what was asked for. */
const AROUND_A_REFUSAL = [
	'error',
	'code',
	'message',
	'details',
	'success',
	'ok',
	'statusCode',
	'timestamp',
	'path',
	'requestId',
];

/** Whether the gateway said no: by the status, or by a body that denies a good one. */
export function isRefused({ status, data }: Answer): boolean {
	if (status < 200 || status >= 300) return true;
	if (!isObject(data)) return false;
	if (data.success === false || data.ok === false || data.error === true) return true;
	const hasError =
		text(data.error) !== undefined || (isObject(data.error) && Object.keys(data.error).length > 0);
	return (
		hasError &&
		refusal(data).code !== undefined &&
		Object.keys(data).every((name) => AROUND_A_REFUSAL.includes(name))
	);
}
