import { randomUUID } from 'crypto';

import { InvalidInput, isMissing } from '../inputValues';
import { checkNames, enteredJson, jsonObject, type JsonObject as Fields, plainName } from '../json';
import { identityOf, readId } from '../text/chatId';

/** Which names the fields of a message have: those of the API document, or those of older gateways. */
export type FieldNames = 'documented' | 'legacy';
type MediaType = 'media' | 'file';

export interface MessageFields {
	chatId: string;
	type: 'text' | MediaType;
	text?: string;
	caption?: string;
	file?: MediaFile;
	idempotencyKey?: string;
	windowMs?: number;
	additionalFields?: Record<string, unknown>;
}

/** A file to send. It is a class so that jsonBody() can distinguish it from plain data and write its bytes as base64. */
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

/** Returns JSON text to send byte for byte, and its fields. Throws InvalidInput unless it is an object, as the API document requires. */
export function customJson(json: unknown): { text: string; fields: Fields } {
	const text = enteredJson(json ?? '', 'Body', CUSTOM_JSON);
	if (!text.trim()) throw new InvalidInput("'Body' is empty", CUSTOM_JSON);
	const fields = jsonObject(text, 'Body', CUSTOM_JSON);
	checkNames(text, 'Body');
	return { text, fields };
}

/** Whether a field is usually the recipient, such as chatId or chat_id. */
const isRecipientName = (name: string) => /^(chat_?id|phone|to|recipient)$/i.test(name);
/** Whether a field may be a recipient at other gateways. Next to a usual one, a gateway may follow it instead. */
export const mayBeRecipient = (name: string) =>
	/^(chatids?|(phone|to|mobile|recipient)?numbers?|phones?|to(\[\])?|recipients?(ids?)?|receivers?(ids?)?|groupids?|wid|b?cc|targets?|destinations?|(remote)?jids?|msisdns?)$/.test(
		plainName(name),
	);

export const KEY_NAMES = ['idempotencyKey', 'idempotency_key'];

/** Returns the fields with a prefix before each idempotency key. Throws InvalidInput for what is no key. */
export const withKeyPrefix = (fields: Fields, prefix: string): Fields =>
	Object.fromEntries(
		Object.entries(fields).map(([name, value]) => {
			const isKey = KEY_NAMES.includes(name) && (value ?? null) !== null;
			return [name, isKey ? prefix + readKey(value, `'${name}'`) : value];
		}),
	);

/** Matches text that is no key: what an expression without a value becomes, or a word for On, Off or Automatic. */
const NO_KEY = /^(none|null|undefined|false|true|nan|on|auto|automatik|\[object object\]|)$/i;

/** Returns an entered key. Throws InvalidInput for a number: a gateway may ignore all but text, and would then send a retry twice. */
export function readKey(entered: unknown, field: string): string {
	if (typeof entered === 'string' && !NO_KEY.test(entered.trim())) return entered;
	throw new InvalidInput(
		`${field} is ${JSON.stringify(entered)}, which is no key of a message`,
		'Use an expression that returns a text that is unique per message, e.g. an order number.',
	);
}

export function identityIn(recipient: unknown): string | undefined {
	const id = readId(recipient);
	return id && identityOf(id);
}

/** Reads the recipient of a body and its idempotency key, if any, under documented, legacy and other usual names. */
export function chatAndKeyOf(fields: Fields) {
	const recipients = Object.entries(fields)
		.filter(([name, value]) => isRecipientName(name) && !isMissing(value))
		.map(([, value]) => identityIn(value));
	const [chat, ...others] = new Set(recipients);
	const [enteredKey] = KEY_NAMES.filter((name) => (fields[name] ?? null) !== null).map((name) =>
		readKey(fields[name], `'${name}'`),
	);
	return {
		/** The identity of the recipient; undefined if it may be any. If several names have different ones, a gateway may follow each. */
		chat: others.length === 0 ? chat : undefined,
		enteredKey,
		hasKey: enteredKey !== undefined,
	};
}

/** Pairs of names for the same field. A gateway that gets both may use either of them. */
const SYNONYMS = [...Object.entries(LEGACY_NAMES), ['inviteCode', 'inviteLink']];

/** Rejects additional fields that the node sets itself: a message could go to another chat than its field says. Other names may be sent. */
function rejectConflicts(fields: Fields, additional: string[]): void {
	if (additional.length === 0) return;
	const set = Object.keys(fields).filter((name) => fields[name] !== undefined);
	const taken = set
		.flatMap((name) => [name, ...SYNONYMS.filter((names) => names.includes(name)).flat()])
		.map(plainName);
	const conflict = additional.find(
		(name) =>
			taken.includes(plainName(name)) || (mayBeRecipient(name) && set.some(isRecipientName)),
	);
	if (conflict === undefined) return;
	throw new InvalidInput(
		`'Additional Fields' contains '${conflict}', which the node sets itself`,
		'Use the field or option of the node for it. To write the whole body of a message, use the operation Send Custom JSON.',
	);
}

export function jsonBody(fields: Fields, additionalFields: Fields = {}): Buffer {
	rejectConflicts(fields, Object.keys(additionalFields));
	const all = { ...fields, ...additionalFields };
	const { media } = all;
	if (!(media instanceof MediaFile)) return Buffer.from(JSON.stringify(all));
	// A placeholder for the base64, which withBase64() writes directly as bytes.
	const mark = randomUUID();
	const { mimetype, filename } = media;
	const json = JSON.stringify({ ...all, media: { mimetype, filename, base64: mark } });
	const [head = '', tail = ''] = json.split(mark);
	return withBase64(head, media.bytes, tail);
}

/** Bytes per slice. They are a multiple of 3, so that base64 pads only the last slice. */
const SLICE = 3 * 65_536;

/** Encodes the file directly into the body, because the base64 as text would need the memory a second time. */
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
