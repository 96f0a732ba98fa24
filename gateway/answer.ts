/** What came back from the gateway, as bytes: whether it is JSON, a picture or a web page shows only in here. */
export interface Answer {
	status: number;
	headers: Record<string, unknown>;
	bytes: Buffer;
}

type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function header({ headers }: Answer, name: string): string | undefined {
	const value = headers[name];
	const first: unknown = Array.isArray(value) ? value[0] : value;
	return typeof first === 'string' ? first : undefined;
}

export function contentType(answer: Answer): string {
	return (header(answer, 'content-type') ?? '').split(';')[0]!.trim().toLowerCase();
}

export const isWebPage = (answer: Answer) =>
	contentType(answer) === 'text/html' ||
	/^\s*<(!doctype html|html)\b/i.test(answer.bytes.toString('latin1', 0, 200));

/** JSON where it is JSON, whatever the content type says; else the text; undefined where nothing came. */
export function contents({ bytes }: Answer): unknown {
	const text = bytes.toString('utf8').replace(/^\ufeff/, '');
	if (!text.trim()) return undefined;
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}

/** Names under which gateways wrap what was asked for. */
const ENVELOPES = ['data', 'result', 'results', 'response', 'payload', 'session'];
const DEEPEST = 4;

/** The first object, outermost envelope last, in which `find` sees something. */
function within<T>(
	data: unknown,
	find: (object: Json) => T | undefined,
	names: string[] = ENVELOPES,
	depth = 0,
): T | undefined {
	if (!isObject(data) || depth > DEEPEST) return undefined;
	for (const name of names) {
		const found = within(data[name], find, names, depth + 1);
		if (found !== undefined) return found;
	}
	return find(data);
}

const text = (value: unknown) =>
	typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

function firstText(object: Json, names: string[]): string | undefined {
	for (const name of names) {
		const found = text(object[name]);
		if (found !== undefined) return found;
	}
	return undefined;
}

const STATUS_NAMES = ['status', 'state', 'sessionStatus', 'session_status', 'session', 'data'];

/** The session's status beside everything that came with it. */
export function sessionStatus(data: unknown): Json | undefined {
	const bare = text(data);
	if (bare !== undefined) return { status: bare };
	return within(data, (object) => {
		const status = firstText(object, STATUS_NAMES);
		return status === undefined ? undefined : { ...object, status };
	});
}

const QR_NAMES = ['qr', 'qrCode', 'qrcode', 'qr_code', 'qrText', 'qr_text', 'qrData', 'qr_data'];
const QR_NAMES_IN_ENVELOPES = [...QR_NAMES, 'data', 'value', 'result'];

/** The text to be shown as a QR code, as `qr` beside everything that came with it. */
export function qrCode(data: unknown): Json | undefined {
	const bare = text(data);
	if (bare !== undefined) return { qr: bare };
	const inQrObject = within(data, (object) => {
		const holder = QR_NAMES.map((name) => object[name]).find(isObject);
		const qr = holder && firstText(holder, ['code', 'text', 'value', 'data', ...QR_NAMES]);
		return qr === undefined ? undefined : { ...holder, qr };
	});
	if (inQrObject) return inQrObject;
	return within(data, (object) => {
		const qr = firstText(object, QR_NAMES_IN_ENVELOPES);
		return qr === undefined ? undefined : { ...object, qr };
	});
}

const LIST_NAMES = [
	'deferred',
	'deliveries',
	'items',
	'data',
	'results',
	'result',
	'list',
	'records',
	'rows',
	'entries',
	'messages',
	'response',
	'payload',
];

function findList(data: unknown, depth = 0): unknown[] | undefined {
	if (Array.isArray(data)) return data as unknown[];
	if (!isObject(data) || depth > DEEPEST) return undefined;
	for (const name of LIST_NAMES) {
		const found = findList(data[name], depth + 1);
		if (found !== undefined) return found;
	}
	const values: unknown[] = Object.values(data);
	return values.find((value): value is unknown[] => Array.isArray(value));
}

/** One object per deferred delivery, bare or wrapped; undefined where that is not what came. */
export function deferredDeliveries(data: unknown): Json[] | undefined {
	if (data === undefined || data === null) return [];
	const list = findList(data) ?? (isObject(data) ? [data] : undefined);
	return list?.map((entry) => (isObject(entry) ? entry : { deliveryKey: entry }));
}

const DELIVERY_ENVELOPES = ['deferred', 'delivery', 'item', ...ENVELOPES];
const KEY_NAMES = ['deliveryKey', 'delivery_key', 'key', 'id', 'chatId', 'phone'];

/** The delivery itself, out of its envelope if it has one. */
export function deferredDelivery(data: unknown): Json | undefined {
	if (Array.isArray(data)) return data.length === 1 ? deferredDelivery(data[0]) : undefined;
	const delivery = within(
		data,
		(object) => (KEY_NAMES.some((name) => name in object) ? object : undefined),
		DELIVERY_ENVELOPES,
	);
	return delivery ?? (isObject(data) ? data : undefined);
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
