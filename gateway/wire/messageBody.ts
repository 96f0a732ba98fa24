import { randomUUID } from 'crypto';

import { InvalidInput } from '../invalidInput';
import { isMissing } from '../inputValues';
import { checkNames, enteredJson, isObject, jsonObject, type JsonObject as Fields } from '../json';
import { identityOf, readId } from '../text/chatId';

/** Of the fields in a message: those of the API document, or those of older gateways. */
export type FieldNames = 'documented' | 'legacy';
type MediaType = 'media' | 'file';

export interface MessageFields {
	chatId: string;
	type: 'text' | MediaType;
	/** Of a text message. */
	text?: string;
	/** Of a media message. */
	caption?: string;
	file?: MediaFile;
	idempotencyKey?: string;
	windowMs?: number;
	additionalFields?: Record<string, unknown>;
}

/** A file to be sent. A class, so that the serialiser can tell it from plain data. */
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

function named(fields: Fields, names: FieldNames): Fields {
	if (names !== 'legacy') return fields;
	return Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [LEGACY_NAMES[name] ?? name, value]),
	);
}

export function messageBody(message: MessageFields, names: FieldNames = 'documented'): Buffer {
	const { chatId, type, text, caption, file, idempotencyKey, windowMs, additionalFields } = message;
	const content = type === 'text' ? { text } : { caption, media: file };
	const fields = named({ chatId, type, ...content, idempotencyKey, windowMs }, names);
	return jsonBody(fields, additionalFields);
}

const CUSTOM_JSON =
	'Enter the JSON object to send, e.g. {"chatId": "4915123456789", "type": "text", "text": "Hello"}.';

/** JSON text that is sent byte for byte. It must be an object, as the API document requires. */
export function customJson(json: unknown): { text: string; fields: Fields } {
	const text = enteredJson(json ?? '', 'Body', CUSTOM_JSON);
	if (!text.trim()) throw new InvalidInput("'Body' is empty", CUSTOM_JSON);
	const fields = jsonObject(text, 'Body', CUSTOM_JSON);
	checkNames(text, 'Body');
	return { text, fields };
}

const isFilledText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The names that gateways use, such as chatId or chat_id. */
const isRecipientName = (name: string) => /^(chat_?id|phone|to|recipient)$/i.test(name);
/** Common in other gateways: next to a recipient, it may be followed instead. */
export const mayBeRecipient = (name: string) =>
	/^(chatids?|(phone|to|mobile|recipient)?numbers?|phones?|to(\[\])?|recipients?(ids?)?|receivers?(ids?)?|groupids?|wid|b?cc|targets?|destinations?|(remote)?jids?|msisdns?)$/.test(
		plain(name),
	);

export const KEY_NAMES = ['idempotencyKey', 'idempotency_key'];

/** What an expression without a value, or one that means Off, becomes as text. */
const NO_KEY = /^(none|null|undefined|false|true|nan|on|auto|automatik|\[object object\]|)$/i;

/** Not a number: the API document says text, and a gateway that ignored it would send a retry twice. */
export function ownKeyIn(entered: unknown, field: string): string {
	if (typeof entered === 'string' && !NO_KEY.test(entered.trim())) return entered;
	throw new InvalidInput(
		`${field} is ${JSON.stringify(entered)}, which is no key of a message`,
		'Use an expression that returns a text that is unique per message, e.g. an order number.',
	);
}

/** Undefined if Chat ID would reject it. */
export function identityIn(recipient: unknown): string | undefined {
	const id = readId(recipient);
	return id && identityOf(id);
}

/** The recipient of a body, and its idempotency key, if any, with canonical, legacy or other usual field names. */
export function chatAndKeyOf(fields: Fields) {
	const recipients = Object.entries(fields)
		.filter(([name, value]) => isRecipientName(name) && !isMissing(value))
		.map(([, value]) => identityIn(value));
	const [chat, ...others] = new Set(recipients);
	const [ownKey] = KEY_NAMES.filter((name) => (fields[name] ?? null) !== null).map((name) =>
		ownKeyIn(fields[name], `'${name}'`),
	);
	return {
		/** The identity of the recipient; undefined if it may be any. A gateway may follow each of the names. */
		chat: others.length === 0 ? chat : undefined,
		ownKey,
		hasKey: ownKey !== undefined,
	};
}

/** What makes a message the same as another one to its chat: the file or text, or else all of it; and its key. */
export function contentAndKeyOf(body: Buffer): { content: string; key: string } {
	const fields = JSON.parse(body.toString()) as Fields;
	const { text, message, media } = fields;
	const content = [isObject(media) && media.base64, text, message, body.toString()].find(
		isFilledText,
	)!;
	return { content, key: KEY_NAMES.map((name) => fields[name]).find(isFilledText) ?? '' };
}

/** Names of the same field. A gateway may prefer either of them. */
const SYNONYMS = [...Object.entries(LEGACY_NAMES), ['inviteCode', 'inviteLink']];
/** A gateway may ignore case and marks between words. */
const plain = (name: string) => name.toLowerCase().replace(/[_-]/g, '');

/** Otherwise a message could go to another chat than its field says. Names that are not documented are the user's. */
function rejectConflicts(fields: Fields, additional: string[]): void {
	const set = Object.keys(fields).filter((name) => fields[name] !== undefined);
	const taken = set
		.flatMap((name) => [name, ...SYNONYMS.filter((names) => names.includes(name)).flat()])
		.map(plain);
	const conflict = additional.find(
		(name) => taken.includes(plain(name)) || (mayBeRecipient(name) && set.some(isRecipientName)),
	);
	if (conflict === undefined) return;
	throw new InvalidInput(
		`'Additional Fields' contains '${conflict}', which the node sets itself`,
		'Use the field or option of the node for it. To write the whole body of a message, use the operation Send Custom JSON.',
	);
}

/** The fields as JSON, followed by the additional ones, which are values of JSON. */
export function jsonBody(fields: Fields, additionalFields: Fields = {}): Buffer {
	rejectConflicts(fields, Object.keys(additionalFields));
	const all = { ...fields, ...additionalFields };
	const { media } = all;
	if (!(media instanceof MediaFile)) return Buffer.from(JSON.stringify(all));
	// Stands for the base64, which is written as bytes.
	const mark = randomUUID();
	const { mimetype, filename } = media;
	const json = JSON.stringify({ ...all, media: { mimetype, filename, base64: mark } });
	const [head = '', tail = ''] = json.split(mark);
	return withBase64(head, media.bytes, tail);
}

/** A multiple of 3, so that only the last slice is padded. */
const SLICE = 3 * 65_536;

/** Encodes the file directly into the body, because a copy as text would need its size again. */
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
