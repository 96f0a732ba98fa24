import { createHash } from 'crypto';

import { endpointOf, isMessage } from './endpoints';
import { InvalidInput } from '../inputValues';
import { checkExact, isObject, jsonObject, type JsonObject } from '../json';
import { memoized } from '../memoized';
import { identityOf, readId, recipientKind } from '../text/chatId';
import { KEY_NAMES } from './messageBody';
import { isName, type ListedRecipient, comparableName, recipientNames } from './recipientNames';

/** Whether recipients are not limited, as in credentials from before the field existed. An expression without a value allows no one. */
export const allowsAnyone = ({ sendTo, sendToIsExpression }: JsonObject) =>
	sendTo === 'anyone' || (sendTo === undefined && sendToIsExpression === undefined);

export const sendsToNobody = ({ sendTo }: JsonObject) => sendTo === 'nobody';

/**
 * Returns what the idempotency keys of messages to a recipient begin with; empty if recipients are not limited. Otherwise, whoever may
 * write to one recipient could use the key of a message to someone else, which the gateway would then drop. A test drops none either.
 */
export function keyPrefix(credential: JsonObject, id: string): string {
	if (allowsAnyone(credential)) return '';
	const digest = createHash('sha256').update(identityOf(id)).digest('hex').slice(0, 24);
	return `${credential.sendTo === 'testNumber' ? 'test' : 'to'}-${digest}-`;
}

interface SendTo {
	allows: (id: string) => boolean;
	/** Gets every message, whichever recipient it is for. */
	testRecipient?: string;
}

/** Returns who gets messages. Throws InvalidInput if the fields cannot be read, so that nothing is sent. */
export function readSendTo(credential: JsonObject): SendTo {
	const { sendTo } = credential;
	if (allowsAnyone(credential)) return { allows: () => true };
	if (sendsToNobody(credential)) return { allows: () => false };
	if (sendTo === 'allowed') return listIn(credential);
	if (sendTo !== 'testNumber') throw invalidLimits(NO_CHOICE, CHOICES);
	const testRecipient = readId(credential.testRecipient);
	if (testRecipient === undefined) throw invalidLimits(NOT_ONE, ONE);
	const identity = identityOf(testRecipient);
	return { allows: (id) => identityOf(id) === identity, testRecipient };
}

interface List extends SendTo {
	names: ReturnType<typeof recipientNames>;
}

/** Keeps the lists that were read, because reading numbers is slow and the request hook needs the list for each message. */
const listOf = memoized(readList);

const listIn = ({ allowedRecipients }: JsonObject, ...others: string[]) =>
	listOf([(allowedRecipients ?? '') as string, ...others].join('\n'));

/** Returns the names of a credential, also in a test; undefined without any. Throws InvalidInput if its list cannot be read. */
export function namesOf(credential: JsonObject) {
	if (allowsAnyone(credential) || !credential.allowedRecipients) return undefined;
	const { testRecipient } = readSendTo(credential);
	return (testRecipient ? listIn(credential, testRecipient) : listIn(credential)).names;
}

/** Returns the recipient of a name; undefined if it is none. Throws InvalidInput if a model gives a credential with names anything else. */
export function namedRecipient(credential: JsonObject, entered: unknown, isModel: boolean) {
	const names = namesOf(credential);
	const found = names?.find(entered);
	if (found || !names || !isModel) return found;
	throw new InvalidInput("'Chat ID' is not a name on the list of the credential", WRITE_NAME);
}

const WRITE_NAME =
	'With this credential, tools take only the names of recipients, exactly as listed, and no numbers or IDs. Send Custom JSON cannot be such a tool. Nothing was sent.';

const NO_CHOICE = "'Send Messages To' of the credential is none of its choices";
const CHOICES = 'Choose one. An expression can return anyone, allowed, testNumber or nobody.';
const NOT_ONE = "'Test Recipient' of the credential cannot be read";
const ONE = 'Enter a phone number with its country code, or the ID of a group or channel.';
const LIST_NAME = "'Allowed Recipients' of the credential";
const LIST_FORMAT =
	'Enter one recipient per line: a phone number with its country code, the beginning of numbers such as +49*, the ID of a group or channel, or the word groups or channels for all of them. A number or an ID can have a name: Ada Lovelace = +49 151 23456789.';

const invalidLimits = (what: string, whatToDo: string) =>
	new InvalidInput(what, `${whatToDo} Nothing was sent.`, undefined, 'invalid_setup');

const OTHER_NAME = 'Give each recipient a name of its own, e.g. Ada Lovelace (London).';

interface Entry {
	matches: (id: string, identity: string) => boolean;
	recipient?: ListedRecipient;
}

function readList(entered: string): List {
	const taken = new Set<string>();
	const entries = entered.split('\n').flatMap((untrimmed, index) => {
		const line = untrimmed.trim();
		if (line === '') return [];
		const entry = readEntry(line);
		// The message must not quote the line, because users who may only use the credential must not see it.
		if (!entry)
			throw invalidLimits(`${LIST_NAME} cannot be read in line ${index + 1}`, LIST_FORMAT);
		const { name } = entry.recipient ?? {};
		if (name === undefined || taken.size < taken.add(comparableName(name)).size) return entry;
		throw invalidLimits(`${LIST_NAME} repeats a name in line ${index + 1}`, OTHER_NAME);
	});
	if (entries.length === 0) throw invalidLimits(`${LIST_NAME} is empty`, LIST_FORMAT);
	return {
		names: recipientNames(entries.flatMap(({ recipient = [] }) => recipient)),
		allows(id) {
			const identity = identityOf(id);
			return entries.some(({ matches }) => matches(id, identity));
		},
	};
}

function readEntry(line: string): Entry | undefined {
	const kind = /^(group|channel)s$/.exec(line.toLowerCase())?.[1];
	if (kind) return { matches: (id) => recipientKind(id) === kind };
	const prefix = /^\+?[ ().-]*([1-9][\d ().-]*)\*$/.exec(line)?.[1]?.replace(/\D/g, '');
	if (prefix) {
		return {
			matches: (id, identity) => recipientKind(id) === 'person' && identity.startsWith(prefix),
		};
	}
	const [, name, entered = line] = /^(.*)=([^=]*)$/.exec(line) ?? [];
	const id = readId(entered);
	if (id === undefined || (name !== undefined && !isName(name))) return undefined;
	const allowed = identityOf(id);
	return { matches: (_, identity) => identity === allowed, recipient: { id, name: name?.trim() } };
}

const RECIPIENTS = ['chatId', 'phone'];
const MESSAGE = [
	...[...RECIPIENTS, 'type', 'text', 'message', 'caption', 'media'],
	...[...KEY_NAMES, 'windowMs', 'window_ms'],
];
/** The fields of a lookup. No other signed request has a body. */
const LOOKUP = ['inviteCode', 'inviteLink'];

/**
 * Throws InvalidInput if the credential does not allow a request. The request hook calls it for every request before it signs. The body
 * of a message must name one recipient that every gateway reads in the same way. No other body may look like a message, because the
 * signature does not cover the path. Expects the path below the base URL.
 */
export function checkRequest(
	credential: JsonObject,
	method: string,
	path: string,
	body?: Uint8Array,
) {
	if (allowsAnyone(credential)) return;
	const endpoint = endpointOf(method, path);
	const isLookup = endpoint?.signed === 'yes' && !isMessage(endpoint);
	const isRead = method === 'GET' || isLookup;
	const sendTo = endpoint && isRead ? undefined : readSendTo(credential);
	if (!isRead && sendsToNobody(credential)) throw limitError('rehearsal');
	if (endpoint && !isMessage(endpoint)) {
		if (endpoint.signed !== 'no' && body?.length) fieldsOf(body, LOOKUP);
		return;
	}
	const fields = fieldsOf(body, MESSAGE);
	const id = recipientOf(fields);
	if (!sendTo?.allows(id)) throw limitError('recipient_not_allowed');
	const keys = KEY_NAMES.map((name) => fields[name]).filter((key) => (key ?? null) !== null);
	const prefix = keyPrefix(credential, id);
	if (keys.every((key) => typeof key === 'string' && key.startsWith(prefix))) return;
	const reason = `its idempotency key must begin with '${prefix}', which stands for the recipient`;
	throw notAllowed(reason, WRITE_PREFIX);
}

/** Reads a body strictly, because parsers differ on duplicate names, invalid UTF-8 and byte order marks. */
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
			throw notAllowed(`its field '${name.slice(0, 100)}' is not in the API document`);
		}
		if (isMedia) checkFields(value, ['mimetype', 'filename', 'base64']);
	}
}

/**
 * Returns the one recipient of a message. Many gateways drop everything but the digits of a number, so those must already be the digits
 * of its ID. Gateways use the ID of a group or channel as it is, so it must be written exactly like that.
 */
function recipientOf(fields: JsonObject): string {
	const [name = '', ...others] = RECIPIENTS.filter((each) => Object.hasOwn(fields, each));
	const entered = fields[name];
	const text = typeof entered === 'string' ? entered : '';
	const id = readId(text);
	const isCertain =
		id?.replace(/\D/g, '') === text.replace(/\D/g, '') &&
		(id === text || recipientKind(id) === 'person');
	if (id !== undefined && isCertain && others.length === 0) return id;
	throw notAllowed("it needs one 'chatId' or 'phone', which can be read in one way only");
}

const LIMIT_ERRORS = {
	recipient_not_allowed: 'The credential does not allow messages to this recipient',
	request_not_allowed: 'The credential does not allow this request',
	rehearsal: 'The request was not sent, because this is a rehearsal',
};
const WHOSE =
	"Nothing was sent. Only those who can edit the credential can change its 'Send Messages To'. No other attempt, spelling or node helps.";

const WRITE_PREFIX =
	'Nothing was sent. Write this before your key, or use the operation Send or Send Media, which write it.';

const limitError = (cause: keyof typeof LIMIT_ERRORS, reason = '', whatToDo = WHOSE) =>
	new InvalidInput(LIMIT_ERRORS[cause] + reason, whatToDo, undefined, cause);

const notAllowed = (reason: string, whatToDo?: string) =>
	limitError('request_not_allowed', `: ${reason}`, whatToDo);
