import { endpointOf, isMessage } from './endpoints';
import { isForAnyone, isRehearsal, type Limits, readSendTo } from './recipients';
import { InvalidInput } from '../invalidInput';
import { checkExact, isObject, jsonObject, type JsonObject } from '../json';
import { readId, recipientKind } from '../text/chatId';

interface Request {
	method: string;
	/** Below the base URL. */
	path: string;
	hasQuery?: boolean;
	body?: Uint8Array;
}

const RECIPIENTS = ['chatId', 'phone'];
/** The fields of the API document. */
const MESSAGE = [
	...[...RECIPIENTS, 'type', 'text', 'message', 'caption', 'media'],
	...['idempotencyKey', 'idempotency_key', 'windowMs', 'window_ms'],
];
const MEDIA = ['mimetype', 'filename', 'base64'];
const LOOKUP = ['inviteCode', 'inviteLink'];
const SESSION = ['withDeletion'];

/**
 * Throws InvalidInput if the credential does not let a request leave. The request hook calls it for every request of every
 * node, before the signature. A signature covers only the body, so whoever sees one could send that body to another endpoint:
 * nothing is signed that is a message to someone else at any endpoint, or that another reader could understand differently.
 */
export function checkRequest(limits: Limits, { method, path, hasQuery, body }: Request): void {
	if (isForAnyone(limits)) return;
	const endpoint = endpointOf(method, path);
	if (!endpoint) throw notAllowed('the API document has no such endpoint');
	if (hasQuery && method !== 'GET') throw notAllowed('it has query parameters');
	const isLookup = endpoint.signed === 'yes' && !isMessage(endpoint);
	if (method !== 'GET' && !isLookup) {
		readSendTo(limits);
		if (isRehearsal(limits)) {
			throw refusal(
				'rehearsal',
				'The request was not sent, because this is a rehearsal',
				'Only the Messaging Gateway node can rehearse its operations.',
			);
		}
	}
	if (isMessage(endpoint)) {
		const id = recipientOf(fieldsOf(body, MESSAGE));
		if (readSendTo(limits).allows(id)) return;
		throw refusal(
			'recipient_not_allowed',
			'The credential does not allow messages to this recipient',
			'Its owner has limited who gets messages, and this recipient is not among them.',
		);
	} else if (body?.length) fieldsOf(body, isLookup ? LOOKUP : SESSION);
}

/** Parsers differ on a name that occurs twice, on bytes that are not UTF-8, and on a byte order mark. */
function fieldsOf(body: Uint8Array | undefined, documented: string[]): JsonObject {
	let fields: JsonObject;
	try {
		const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
		fields = jsonObject(text, 'Body', '');
		checkExact(text, 'Body');
	} catch {
		throw notAllowed('its body is not a JSON object in UTF-8 that has each name once');
	}
	checkFields(fields, documented);
	return fields;
}

function checkFields(fields: JsonObject, documented: string[]): void {
	for (const [name, value] of Object.entries(fields)) {
		const isMedia = name === 'media' && isObject(value);
		const isSingle = typeof value !== 'object' || value === null;
		if (!documented.includes(name) || !(isMedia || isSingle)) {
			throw notAllowed(`its field '${name.slice(0, 100)}' is not one of the API document`);
		}
		if (isMedia) checkFields(value, MEDIA);
	}
}

/** Gateways read a number in their own way, and many drop all but the digits: then it must still be the same one. */
function recipientOf(fields: JsonObject): string {
	const [entered, ...others] = RECIPIENTS.filter((name) => Object.hasOwn(fields, name)).map(
		(name) => fields[name],
	);
	const id = typeof entered === 'string' ? readId(entered) : undefined;
	const seen = (text = '') =>
		id && recipientKind(id) === 'person' ? text.replace(/\D/g, '') : text;
	if (id !== undefined && others.length === 0 && seen(id) === seen(entered as string)) return id;
	throw notAllowed(
		"it does not have exactly one recipient, as 'chatId' or 'phone', that can be read in one way only",
	);
}

const refusal = (cause: string, message: string, description: string) =>
	new InvalidInput(
		message,
		`${description} Nothing was sent. Only the credential's owner can change this ('Send Messages To'): another attempt, spelling or node does not.`,
		undefined,
		cause,
	);

const notAllowed = (reason: string) =>
	refusal(
		'request_not_allowed',
		`The credential does not allow this request: ${reason}`,
		'Its owner has limited who gets messages, so it needs one recipient, documented fields and a documented endpoint.',
	);
