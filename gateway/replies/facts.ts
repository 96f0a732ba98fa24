import { storedObject } from '../json';
import { mayBeRecipient } from '../wire/messageBody';
import {
	ABOUT_ITSELF,
	ANY,
	find,
	isDocumentedCode,
	isKey,
	isSomething,
	NAMES,
	NO_NAME,
	type NamedValue,
	scalarOf,
	words,
} from './dialect';
import {
	type Confirmation,
	meaningOfWord,
	phaseOf,
	plainWord,
	saysOffline,
	type Word,
} from './words';

/**
 * What a field says about the request. `unsent` denies success, unless the message is deferred or a duplicate. `offline` is a session that
 * cannot send. `doubt` is a value in no table, in a field where a word or a boolean decides.
 */
export type Meaning = Word | 'unsent' | 'offline' | 'doubt' | 'id' | 'deliveryKey';

/** Examples: error, hasErrors, errorMessage, err_msg, error-text. */
const ERROR_NAME =
	/^(is|has)?(send)?err(or)?s?(no|num|code|msg|message|text|reason|description|details?|type|name|list)?$/;
/** Examples: messageId, msg_id, idMessage, message_uuid, wamid. */
const ID_NAME =
	/^(whatsapp|wa|external|sms|api)?(message|msg)(u?u?ids?|key)$|^(idmessage|wamids?|zaapid)$/;
/** Objects whose `id` is that of the message: { key: { id } }, { messages: [{ id }] }. */
const AROUND_ID = /^(key|id|(sent)?(message|msg)s?)$/;
/** Example: true_49151@c.us_3EB027FBB9CD0225. */
const WHATSAPP_ID = /^((true|false)_\S+@\S+|wamid\.\S+)$/;
/** Examples: status, sendStatus, state, result, statusCode. isStatus says whether a message is a status. */
const STATUS_NAME =
	/(?<!^is)(status|state|stateinstance|result|outcome)$|^(status|response|result|return|http)?code$/;
/** Names of the word of a status that is an object. */
const STATUS_WORDS = words('name groupName value text');
/** Names of texts for people. A sentence decides nothing, and of single words only those of the tables do. */
export const TEXT_NAMES = words('message msg detail details description reason info');
/** Examples: statusMessage, response_text. */
const AROUND_TEXT = /^(status|state|response|result)(?=.)/;
const CONDITIONS = [
	...NAMES.conditions,
	...words('exists numberExists registered onWhatsApp validWhatsAppNumber canReceiveMessage'),
];
/** Parts of a name that do not count: isSent, messagesSent, sendSuccess, failedNumbers, failed_reason, sentCount. */
const AROUND_NAME =
	/^(is|was|has|messages(?=sent)|message|msg|send|sms)+(?!$)|(numbers?|recipients?|receivers?|reason|count|at)$/g;
/** Of these, false says "not yet". */
const NOT_YET = words('delivered completed done processed created submitted');

const isTrue = (value: unknown) => /^(true|yes)$/i.test(scalarOf(value));
const isFalse = (value: unknown) => /^(false|no)$/i.test(scalarOf(value));

/** Returns what a field says, by its name and the type of its value; undefined if it says nothing. */
export function meaningOf(fact: NamedValue, to: Confirmation): Meaning | undefined {
	const { name, within, value } = fact;
	if (value === null || value === undefined || value === '') return undefined;
	if (NAMES.deliveryKeys.includes(name)) {
		return isKey(value) && (to === 'sent' || to === 'deleted') ? 'deliveryKey' : undefined;
	}
	if (isMessageId(fact)) return 'id';
	if (ERROR_NAME.test(name)) return errorMeaning(value, to);
	if (name === 'ack') return Number(value) < 0 ? 'doubt' : undefined;
	const isInStatus = STATUS_WORDS.includes(name) && /(status|state)$/.test(within);
	if (name === NO_NAME || isInStatus || STATUS_NAME.test(name)) return statusMeaning(fact, to);
	if (TEXT_NAMES.includes(name.replace(AROUND_TEXT, ''))) return wordIn(value, to);
	const starts = to === 'started' || to === 'refreshed';
	if (starts && NAMES.qrCodes.includes(name)) return isSomething(value) ? 'own' : undefined;
	if (CONDITIONS.includes(name)) {
		const isUnmet = to === 'sent' ? isFalse(value) : to === 'terminated' && isTrue(value);
		return isUnmet ? 'doubt' : undefined;
	}
	const core = name.replace(AROUND_NAME, '');
	const said = meaningOfWord(name, to) ?? meaningOfWord(core, to);
	if (said) return flagMeaning(said, fact, to);
	// A delivery that was to be deleted must not have been sent.
	const isGone = to === 'deleted' && meaningOfWord(core) === 'own';
	return isGone && isSomething(value) ? 'doubt' : undefined;
}

const wordIn = (value: unknown, to: Confirmation) => meaningOfWord(plainWord(scalarOf(value)), to);

function isMessageId({ name, within, value }: NamedValue): boolean {
	const text = scalarOf(value);
	if (!isKey(value) || !isSomething(value) || /^(-|undefined$|nil$)/.test(text)) return false;
	if (ID_NAME.test(name)) return true;
	if (name === NO_NAME) return WHATSAPP_ID.test(text);
	return (
		(name === 'id' || name === 'serialized') && (AROUND_ID.test(within) || WHATSAPP_ID.test(text))
	);
}

/** An error denies success, unless it is a word for success, such as `errmsg: "ok"`. `error: false` says that there is none. */
function errorMeaning(value: unknown, to: Confirmation): Meaning | undefined {
	const said = wordIn(value, to);
	if (value === false) return 'yes';
	if (said === 'yes' || said === 'own' || !isSomething(value)) return undefined;
	return said === 'gaveUp' ? said : 'no';
}

/** What a field says whose name is a word of the tables, such as `sent: true` or `failed: 1`. */
function flagMeaning(
	said: Word,
	{ name, value }: NamedValue,
	to: Confirmation,
): Meaning | undefined {
	if (isTrue(value)) return said;
	if (said === 'no') return isSomething(value) && name !== 'expired' ? 'doubt' : undefined;
	if (said === 'later' && name.endsWith('id')) return isKey(value) ? said : undefined;
	if ((said !== 'own' && said !== 'yes') || NOT_YET.includes(name)) return undefined;
	if (isFalse(value)) return said === 'own' && to === 'sent' ? 'unsent' : 'no';
	// A number may count something, but zero of it is no success.
	return scalarOf(value) !== '' && Number(value) <= 0 ? 'doubt' : wordIn(value, to);
}

/** What a word or a boolean in a status says. A number proves nothing, but may be the status of a failure. */
function statusMeaning({ name, value }: NamedValue, to: Confirmation): Meaning | undefined {
	if (typeof value === 'object') return undefined;
	if (isTrue(value)) return 'yes';
	if (isFalse(value)) return 'no';
	const text = scalarOf(value);
	const isNumber = /^-?\d+$/.test(text);
	// A number that is the whole response may be an ID.
	if (isNumber && name === NO_NAME) return Number(text) > 0 ? undefined : 'doubt';
	const said = wordIn(value, to);
	if (said) return said;
	if (isNumber) {
		const isFailure = Number(text) < 0 || /^[45]\d\d$/.test(text);
		return isFailure || (Number(text) === 0 && !name.endsWith('code')) ? 'doubt' : undefined;
	}
	if (saysOffline(text) && to === 'sent') return 'offline';
	if (isDocumentedCode(text.toLowerCase())) return 'no';
	// The code of a session that starts may be its QR code.
	if (name === 'code' && to !== 'sent') return saysOffline(text) ? 'doubt' : undefined;
	return phaseMeaning(text, to);
}

/** What the session's status says. The session that was to end must not be online, and the one that was to start must not be closed. */
function phaseMeaning(text: string, to: Confirmation): Meaning | undefined {
	const phase = phaseOf(text);
	const isOff = phase === 'offline' || phase === 'loggedOut';
	if (to === 'terminated' && isOff) return 'own';
	if (to === 'started' || to === 'refreshed') {
		if (phase === 'online' || phase === 'pairing') return 'own';
		// It may be the status before the start.
		if (phase !== 'unknown') return undefined;
	}
	if (to === 'sent' && (isOff || phase === 'pairing' || phase === 'banned')) return 'offline';
	return to === 'sent' && phase === 'online' ? undefined : 'doubt';
}

export interface Facts {
	/** Says that the gateway did, or will do, what was requested. */
	evidence?: NamedValue;
	denial?: NamedValue;
	doubt?: NamedValue;
	/** Whether the denial only says that the message is not sent. */
	isUnsent: boolean;
	gaveUp?: NamedValue;
	/** Is quoted if nothing else can be. */
	other?: NamedValue;
	has: (...meanings: Meaning[]) => boolean;
}

/** Finds what a response says about the request. What repeats the request itself says nothing. */
export function factsIn(
	data: unknown,
	to: Confirmation,
	isAccepted: boolean,
	requestBody?: Buffer,
): Facts {
	const all = find(data, ANY, ABOUT_ITSELF);
	const echoed = echoOf(requestBody);
	const said = all
		.map((fact) => ({ fact, meaning: meaningOf(fact, to) }))
		.filter(({ fact, meaning }) => meaning !== undefined && !echoed(fact));
	const hasKey = said.some(({ meaning }) => meaning === 'deliveryKey');
	// A message with a delivery key waits at the gateway (API document), so an error next to the key is the reason for the wait.
	const isReason = ({ fact, meaning }: (typeof said)[number]) =>
		to === 'sent' &&
		hasKey &&
		(meaning === 'offline' || ERROR_NAME.test(fact.name)) &&
		hasDeliveryKey(fact.holder);
	const reasons = new Set<unknown>(said.filter(isReason).flatMap(({ fact }) => [fact, fact.value]));
	const kept =
		reasons.size === 0
			? said
			: said.filter(({ fact }) => !reasons.has(fact) && !reasons.has(fact.holder));
	const isQuotable = ({ name, value }: NamedValue) =>
		scalarOf(value) !== '' && !mayBeRecipient(name) && !NAMES.ids.includes(name);
	const first = (...meanings: Meaning[]) =>
		kept.find(({ meaning }) => meanings.includes(meaning!))?.fact;
	const waits = first('later', 'deliveryKey', 'duplicate', 'pending');
	const unsent = first('unsent');
	return {
		evidence:
			first('id', 'own', 'yes') ??
			(to === 'sent' ? (waits ?? (isAccepted ? unsent : undefined)) : first('deliveryKey')),
		isUnsent: first('no', 'offline') === undefined,
		denial: first('no', 'offline') ?? (waits || isAccepted ? undefined : unsent),
		doubt: first('doubt'),
		gaveUp: first('gaveUp'),
		get other() {
			const quotable = all.filter((fact) => isQuotable(fact) && !echoed(fact));
			return quotable.find(({ name }) => TEXT_NAMES.includes(name)) ?? quotable[0];
		},
		has: (...meanings) => first(...meanings) !== undefined,
	};
}

export const hasDeliveryKey = (data: unknown) =>
	find(data, NAMES.deliveryKeys, ABOUT_ITSELF).some(({ value }) => isKey(value));

const MAX_PLAIN = 200;

/** Returns whether a field repeats the request: the same name and value after parsing. Most requests need not be parsed for that. */
function echoOf(requestBody?: Buffer): (fact: NamedValue) => boolean {
	let sent: Set<string> | undefined;
	const entry = (name: string, value: unknown) => `${name}=${scalarOf(value)}`;
	return ({ name, value }) => {
		const text = scalarOf(value);
		if (!requestBody || text === '') return false;
		const isPlain = text.length < MAX_PLAIN && /^[\w.@-]+$/.test(text);
		if (isPlain && !requestBody.includes(text)) return false;
		sent ??= new Set(scalarsIn(requestBody).map((fact) => entry(fact.name, fact.value)));
		return sent.has(entry(name, value));
	};
}

const scalarsIn = (requestBody: Buffer) =>
	find(storedObject(requestBody.toString()), ANY, { through: () => true, everyEntry: true });
