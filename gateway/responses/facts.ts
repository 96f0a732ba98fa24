import { mayBeRecipient } from '../wire/messageBody';
import {
	isDocumentedCode,
	isKey,
	isSomething,
	NAMES,
	type Confirmation,
	meaningOfWord,
	phaseOf,
	saysOffline,
	scalarOf,
	type WordMeaning,
	wordOf,
} from './dialect';
import { ABOUT_ITSELF, factsBesidesRequest, find, NO_NAME, type NamedValue } from './find';
import { shownValue } from './declared';

/**
 * What a field says about the request. `notSentYet` denies success, unless the message is deferred or a duplicate. `offline` is a
 * session that cannot send. `doubt` is a value in no table, in a field where a word or a boolean decides.
 */
export type Meaning = WordMeaning | 'notSentYet' | 'offline' | 'doubt' | 'id' | 'deliveryKey';

/** Examples: error, hasErrors, errorMessage, err_msg, error-text. */
const ERROR_NAME =
	/^(is|has)?(send)?err(or)?s?(no|num|code|msg|message|text|reason|description|details?|type|name|list)?$/;
/** Examples: messageId, msg_id, idMessage, message_uuid, wamid. */
const ID_NAME =
	/^(whatsapp|wa|external|sms|api)?(message|msg)(u?u?ids?|key)$|^(idmessage|wamids?|zaapid)$/;
/** Objects whose `id` is that of the message: { key: { id } }, { messages: [{ id }] }. */
const AROUND_ID = /^(key|id|(sent)?(message|msg)s?)$/;
/** Objects whose ID is that of an error. */
const AROUND_ERROR = /(error|exception|fault)s?$/;
/** Example: true_49151@c.us_3EB027FBB9CD0225. */
const WHATSAPP_ID = /^((true|false)_\S[^\s@]*@\S+|wamid\.\S+)$/;
/** Examples: status, sendStatus, state, result, statusCode. isStatus says whether a message is a status, webhookStatus is about another. */
const OUTCOME_NAME =
	/(?<!^(is|api|webhook))(status|state(instance)?|result|outcome)$|^return(code)?$|^(status|response|result|http)?code$/;
/** Examples: statusMessage, response_text. */
const AROUND_TEXT = /^(status|state|response|result)(?=.)/;
const CONDITIONS = [...NAMES.sessionConditions, ...NAMES.contactConditions];
/** Parts of a name that do not count: isSent, messagesSent, sendSuccess, failedNumbers, failed_reason, sentCount. */
const AROUND_NAME =
	/^(is|was|has|messages(?=sent)|message|msg|send|sms)+(?!$)|(numbers?|recipients?|receivers?|reason|count|at)$/g;

const isTrue = (value: unknown) => /^(true|yes)$/i.test(scalarOf(value));
const isFalse = (value: unknown) => /^(false|no)$/i.test(scalarOf(value));

/** Returns what a field says, by its name and the type of its value; undefined if it says nothing. */
export function meaningOf(fact: NamedValue, to: Confirmation): Meaning | undefined {
	const { name, within, value } = fact;
	if (value === null || value === undefined || value === '') return undefined;
	if (isMessageId(fact)) return 'id';
	if (NAMES.deliveryKeys.includes(name))
		return isKey(value) && /^(sent|deleted)$/.test(to) ? 'deliveryKey' : undefined;
	if (ERROR_NAME.test(name)) return errorMeaning(value, to);
	if (name === 'ack') return Number(value) < 0 ? 'doubt' : undefined;
	const isInStatus = NAMES.statusWords.includes(name) && /(status|state)$/.test(within);
	if (isInStatus || name === NO_NAME || OUTCOME_NAME.test(name)) return statusMeaning(fact, to);
	if (name === 'type' || NAMES.texts.includes(name.replace(AROUND_TEXT, '')))
		return wordIn(value, to);
	if (NAMES.qrCodes.includes(name))
		return /^(start|refresh)ed$/.test(to) && isSomething(value) ? 'confirms' : undefined;
	if (CONDITIONS.includes(name)) {
		const isUnmet = to === 'sent' ? isFalse(value) : to === 'terminated' && isTrue(value);
		return isUnmet ? 'doubt' : undefined;
	}
	const core = name.replace(AROUND_NAME, '');
	const said = meaningOfWord(name, to) ?? meaningOfWord(core, to);
	if (said) return flagMeaning(said, fact, to);
	// A delivery that was to be deleted must not have been sent.
	const isGone = to === 'deleted' && meaningOfWord(core) === 'confirms';
	return isGone && isSomething(value) ? 'doubt' : undefined;
}

const wordIn = (value: unknown, to: Confirmation) => meaningOfWord(wordOf(value), to);

function isMessageId({ name, within, value }: NamedValue): boolean {
	const isNamed = ID_NAME.test(name);
	if (!isNamed && name !== NO_NAME && name !== 'id' && name !== 'serialized') return false;
	const text = scalarOf(value);
	if (!isKey(value) || !isSomething(value) || /^(-|undefined$|nil$|n\/?a$)/i.test(text))
		return false;
	if (AROUND_ERROR.test(within) || meaningOfWord(wordOf(value))) return false;
	return isNamed || WHATSAPP_ID.test(text) || (name !== NO_NAME && AROUND_ID.test(within));
}

/** An error denies success, unless it is a word for success, such as `errmsg: "ok"`. `error: false` says that there is none. */
function errorMeaning(value: unknown, to: Confirmation): Meaning | undefined {
	const said = wordIn(value, to);
	if (value === false) return 'yes';
	if (said === 'yes' || said === 'confirms' || !isSomething(value)) return undefined;
	return said === 'lostPhone' ? said : 'no';
}

/** What a field says whose name is a word of the tables, such as `sent: true` or `failed: 1`. */
function flagMeaning(
	said: WordMeaning,
	{ name, value }: NamedValue,
	to: Confirmation,
): Meaning | undefined {
	if (isTrue(value)) return said;
	if (said === 'no') return isSomething(value) && name !== 'expired' ? 'doubt' : undefined;
	if (said === 'later' && name.endsWith('id')) return isKey(value) ? said : undefined;
	if ((said !== 'confirms' && said !== 'yes') || NAMES.notYetIfFalse.includes(name))
		return undefined;
	if (isFalse(value)) return said === 'confirms' && to === 'sent' ? 'notSentYet' : 'no';
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
	if (isDocumentedCode(text.toLowerCase())) return 'no';
	// The code of a session that starts may be its QR code.
	if (name === 'code' && to !== 'sent') return saysOffline(text) ? 'doubt' : undefined;
	return meaningOfPhase(text, to);
}

/** What the session's status says. The session that was to end must not be online, and the one that was to start must not be closed. */
function meaningOfPhase(text: string, to: Confirmation): Meaning | undefined {
	const phase = phaseOf(text);
	const isOff = phase === 'offline' || phase === 'loggedOut';
	if (to === 'terminated' && isOff) return 'confirms';
	if (to === 'started' || to === 'refreshed') {
		if (phase === 'online' || phase === 'pairing') return 'confirms';
		// It may be the status before the start.
		if (phase !== 'unknown') return undefined;
	}
	if (to === 'sent' && (isOff || phase === 'pairing' || phase === 'banned')) return 'offline';
	return to === 'sent' && phase === 'online' ? undefined : 'doubt';
}

/** Finds what a response says about the request. What repeats the request itself says nothing. */
export function factsIn(data: unknown, to: Confirmation, isAccepted: boolean, sent?: Buffer) {
	const all = factsBesidesRequest(data, sent);
	const said = all
		.map((fact) => ({ fact, meaning: meaningOf(fact, to) }))
		.filter(({ meaning }) => meaning !== undefined);
	const isDeferred = to === 'sent' && said.some(({ meaning }) => meaning === 'deliveryKey');
	// A message with a delivery key waits at the gateway (API document), so an error next to the key is the reason for the wait.
	const isReason = ({ fact, meaning }: (typeof said)[number]) =>
		isDeferred &&
		(meaning === 'offline' || ERROR_NAME.test(fact.name)) &&
		hasDeliveryKey(fact.holder);
	const reasons = new Set<unknown>(said.filter(isReason).flatMap(({ fact }) => [fact, fact.value]));
	const kept = said.filter(({ fact }) => !reasons.has(fact) && !reasons.has(fact.holder));
	const first = (...meanings: Meaning[]) =>
		kept.find(({ meaning }) => meanings.includes(meaning!))?.fact;
	const waits = first('later', 'deliveryKey', 'duplicate', 'pending');
	const notSentYet = first('notSentYet');
	const isOnlyId = to === 'sent' && first('id') && !(first('confirms', 'yes') ?? waits);
	const flags = isOnlyId ? all.filter(({ value }) => typeof value === 'boolean') : [];
	return {
		/** Says that the gateway did, or will do, what was requested. */
		evidence:
			first('id', 'confirms', 'yes') ??
			(to === 'sent' ? (waits ?? (isAccepted ? notSentYet : undefined)) : first('deliveryKey')),
		/** Whether the denial only says that the message is not sent yet. */
		isNotSentYet: first('no', 'offline') === undefined,
		denial: first('no', 'offline') ?? (waits || isAccepted ? undefined : notSentYet),
		doubt: first('doubt') ?? (flags.length === 1 ? flags.find(isVerdict) : undefined),
		lostPhone: first('lostPhone'),
		/** Is quoted if nothing else can be. */
		get other() {
			const quotable = all.filter(isQuotable);
			return quotable.find(({ name }) => NAMES.texts.includes(name)) ?? quotable[0];
		},
		has: (...meanings: Meaning[]) => first(...meanings) !== undefined,
	};
}
export type Facts = ReturnType<typeof factsIn>;

const isQuotable = (fact: NamedValue) =>
	shownValue(fact) !== '' && !mayBeRecipient(fact.name) && !NAMES.ids.includes(fact.name);

/** Next to an ID, the only boolean of a gateway with other words is its verdict, unless it is one like isGroup, hasMedia or fromMe. */
const isVerdict = ({ name, value }: NamedValue) =>
	value === false && !/^(is|has|was|from)/.test(name) && !meaningOfWord(name);

export const hasDeliveryKey = (data: unknown) =>
	find(data, NAMES.deliveryKeys, ABOUT_ITSELF).some(({ value }) => isKey(value));
