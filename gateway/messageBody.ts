import type { channel } from './invites';
import { InvalidInput } from './invalidInput';
import { jsonObject, jsonText } from './json';

export type BodyForm = 'canonical' | 'legacy';
export type MediaType = 'media' | 'file';

export interface Extras {
	idempotencyKey?: string;
	windowMs?: number;
	additionalFields?: Record<string, unknown>;
}

export interface TextMessage extends Extras {
	chatId: string;
	text: string;
}

export interface MediaMessage extends Extras {
	chatId: string;
	type: MediaType;
	caption?: string;
	file: MediaFile;
}

/** A file on its way into a body. A class, so that the serialiser can tell it from plain data. */
export class MediaFile {
	constructor(
		readonly bytes: Uint8Array,
		readonly mimetype: string,
		readonly filename: string,
	) {}
}

const LEGACY_NAMES: Record<string, string> = {
	chatId: 'phone',
	text: 'message',
	idempotencyKey: 'idempotency_key',
	windowMs: 'window_ms',
};

type Fields = Record<string, unknown>;

function named(fields: Fields, form: BodyForm): Fields {
	if (form !== 'legacy') return fields;
	return Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [LEGACY_NAMES[name] ?? name, value]),
	);
}

export function textBody(message: TextMessage, form: BodyForm = 'canonical'): Buffer {
	const { chatId, text, idempotencyKey, windowMs, additionalFields } = message;
	const fields = named({ chatId, type: 'text', text, idempotencyKey, windowMs }, form);
	return bytesOf(fields, additionalFields);
}

export function mediaBody(message: MediaMessage, form: BodyForm = 'canonical'): Buffer {
	const {
		chatId,
		type,
		caption,
		file: media,
		idempotencyKey,
		windowMs,
		additionalFields,
	} = message;
	const fields = named({ chatId, type, caption, media, idempotencyKey, windowMs }, form);
	return bytesOf(fields, additionalFields);
}

export function inviteInfoBody(inviteCode: string, additionalFields?: Fields): Buffer {
	return bytesOf({ inviteCode }, additionalFields);
}

export function channelInfoBody(
	which: ReturnType<typeof channel>,
	additionalFields?: Fields,
): Buffer {
	return bytesOf(which, additionalFields);
}

const VERBATIM =
	'Enter the JSON object that is to be sent, or choose another Body Form and let the node write it.';

/** JSON text that goes out byte for byte, blanks and all; it only has to be an object, as the API document says. */
export function verbatim(json: unknown): { text: string; fields: Fields } {
	const entered = json ?? '';
	const text = typeof entered === 'string' ? entered : jsonText(entered, 'Body', VERBATIM);
	if (!text?.trim()) throw new InvalidInput("'Body' is empty", VERBATIM);
	return { text, fields: jsonObject(text, 'Body', VERBATIM) };
}

export const verbatimBody = (json: unknown) => Buffer.from(verbatim(json).text);

export interface Address {
	/** The same for one and the same chat, however it is written; undefined where the fields name none. */
	chat: string | undefined;
	isKeyed: boolean;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Where a body goes and whether it carries an idempotency key, in either spelling of its fields. */
export function addressOf({ chatId, phone, idempotencyKey, idempotency_key }: Fields): Address {
	const recipient = [chatId, phone].find(isText);
	return {
		chat: recipient?.replace(/@c\.us$/i, ''),
		isKeyed: isText(idempotencyKey) || isText(idempotency_key),
	};
}

/** The same for a message that is yet to be written. */
export const addressOfMessage = (
	{ additionalFields, ...fields }: Pick<TextMessage, 'chatId' | keyof Extras>,
	form: BodyForm,
): Address => addressOf({ ...named(fields, form), ...additionalFields });

const ADDITIONAL =
	'Enter values that JSON knows: text, numbers, true, false, null, lists and objects.';

/** What JSON cannot hold can only have come with the additional fields. */
const written = (fields: Fields) => jsonText(fields, 'Additional Fields', ADDITIONAL) ?? '';

function bytesOf(fields: Fields, additionalFields: Fields = {}): Buffer {
	const given = Object.entries(additionalFields).filter(([, value]) => value !== undefined);
	const all = { ...fields, ...Object.fromEntries(given) };
	const { media } = all;
	if (!(media instanceof MediaFile)) {
		return Buffer.from(written(all));
	}
	// Written around a gap for the file, which follows as bytes.
	const { mimetype, filename } = media;
	const entries = Object.entries(all);
	const at = entries.findIndex(([name]) => name === 'media');
	const before = Object.fromEntries(entries.slice(0, at));
	const after = Object.fromEntries(entries.slice(at + 1));
	const opening = written({ ...before, media: { mimetype, filename, base64: '' } });
	const closing = written(after).slice(1);
	return withBase64(opening.slice(0, -3), media.bytes, `"}${closing === '}' ? '' : ','}${closing}`);
}

/** A multiple of 3, so that no slice but the last one is padded. */
const SLICE = 3 * 65_536;

/** Writes the file once, straight into the request's bytes: a copy as text would cost its size again, and more. */
function withBase64(head: string, file: Uint8Array, tail: string): Buffer {
	const source = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
	const headLength = Buffer.byteLength(head);
	const base64Length = Math.ceil(source.length / 3) * 4;
	const body = Buffer.allocUnsafe(headLength + base64Length + Buffer.byteLength(tail));
	let at = body.write(head);
	for (let from = 0; from < source.length; from += SLICE) {
		at += body.write(source.toString('base64', from, from + SLICE), at, 'latin1');
	}
	body.write(tail, at);
	return body;
}
