import { lastUsed } from '../lastUsed';
import { mayBeRecipient } from '../wire/messageBody';
import {
	isDocumentedCode,
	NAMES,
	words,
	type Confirmation,
	meaningOfWord,
	phaseOf,
	saysOffline,
	type Word,
} from './dialect';
import { ABOUT_ITSELF, find, NO_NAME, type NamedValue } from './find';
import { isKey, isSomething, scalarOf, wordOf } from './values';
import { shownValue } from './declared';
import { ownFacts } from './echo';

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
/** Objects whose ID is that of an error. */
const AROUND_ERROR = /(error|exception|fault)s?$/;
/** Example: true_49151@c.us_3EB027FBB9CD0225. */
const WHATSAPP_ID = /^((true|false)_\S[^\s@]*@\S+|wamid\.\S+)$/;
/** Examples: status, sendStatus, state, result, statusCode. isStatus says whether a message is a status, webhookStatus is about another. */
const STATUS_NAME =
	/(?<!^(is|api|webhook))(status|state(instance)?|result|outcome)$|^return(code)?$|^(status|response|result|http)?code$/;
/** Examples: statusMessage, response_text. */
const AROUND_TEXT = /^(status|state|response|result)(?=.)/;
const CONDITIONS = [...NAMES.sessionConditions, ...NAMES.contactConditions];
/** Parts of a name that do not count: isSent, messagesSent, sendSuccess, failedNumbers, failed_reason, sentCount. */
const AROUND_NAME =
	/^(is|was|has|messages(?=sent)|message|msg|send|sms)+(?!$)|(numbers?|recipients?|receivers?|reason|count|at)$/g;
/** Of these, false says "not yet". */
const NOT_YET = words('delivered completed done processed created submitted');

const isTrue = (value: unknown) => /^(true|yes)$/i.test(scalarOf(value));
const isFalse = (value: unknown) => /^(false|no)$/i.test(scalarOf(value));

type Kind =
	'deliveryKey' | 'id' | 'error' | 'ack' | 'status' | 'text' | 'qrCode' | 'condition' | 'flag';
const MAX_NAMES = 1_000;

/** Returns what kind of field has this name, and the part of the name that counts. Gateways use few names, so each is looked at once. */
const fieldOf = lastUsed(MAX_NAMES, (name): { kind: Kind; core: string } => {
	const kinds: Array<[Kind, boolean]> = [
		['deliveryKey', NAMES.deliveryKeys.includes(name)],
		['id', ID_NAME.test(name)],
		['error', ERROR_NAME.test(name)],
		['ack', name === 'ack'],
		['status', name === NO_NAME || STATUS_NAME.test(name)],
		['text', name === 'type' || NAMES.texts.includes(name.replace(AROUND_TEXT, ''))],
		['qrCode', NAMES.qrCodes.includes(name)],
		['condition', CONDITIONS.includes(name)],
	];
	const [kind = 'flag'] = kinds.find(([, hasName]) => hasName) ?? [];
	return { kind, core: name.replace(AROUND_NAME, '') };
});

/** Returns what a field says, by its name and the type of its value; undefined if it says nothing. */
export function meaningOf(fact: NamedValue, to: Confirmation): Meaning | undefined {
	const { name, within, value } = fact;
	if (value === null || value === undefined || value === '') return undefined;
	const { kind, core } = fieldOf(name);
	if (isMessageId(fact, kind)) return 'id';
	if (NAMES.statusWords.includes(name) && /(status|state)$/.test(within))
		return statusMeaning(fact, to);
	switch (kind) {
		case 'deliveryKey':
			return isKey(value) && (to === 'sent' || to === 'deleted') ? kind : undefined;
		case 'error':
			return errorMeaning(value, to);
		case 'ack':
			return Number(value) < 0 ? 'doubt' : undefined;
		case 'status':
			return statusMeaning(fact, to);
		case 'text':
			return wordIn(value, to);
		case 'qrCode':
			return (to === 'started' || to === 'refreshed') && isSomething(value) ? 'own' : undefined;
		case 'condition': {
			const isUnmet = to === 'sent' ? isFalse(value) : to === 'terminated' && isTrue(value);
			return isUnmet ? 'doubt' : undefined;
		}
		default: {
			const said = meaningOfWord(name, to) ?? meaningOfWord(core, to);
			if (said) return flagMeaning(said, fact, to);
			// A delivery that was to be deleted must not have been sent.
			const isGone = to === 'deleted' && meaningOfWord(core) === 'own';
			return isGone && isSomething(value) ? 'doubt' : undefined;
		}
	}
}

const wordIn = (value: unknown, to: Confirmation) => meaningOfWord(wordOf(value), to);

function isMessageId({ name, within, value }: NamedValue, kind: Kind): boolean {
	if (kind !== 'id' && name !== NO_NAME && name !== 'id' && name !== 'serialized') return false;
	const text = scalarOf(value);
	if (!isKey(value) || !isSomething(value) || /^(-|undefined$|nil$|n\/?a$)/i.test(text))
		return false;
	if (AROUND_ERROR.test(within) || meaningOfWord(wordOf(value))) return false;
	if (kind === 'id') return true;
	if (name === NO_NAME) return WHATSAPP_ID.test(text);
	return AROUND_ID.test(within) || WHATSAPP_ID.test(text);
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

/** Finds what a response says about the request. What repeats the request itself says nothing. */
export function factsIn(
	data: unknown,
	to: Confirmation,
	isAccepted: boolean,
	requestBody?: Buffer,
) {
	const all = ownFacts(data, requestBody);
	const said = all
		.map((fact) => ({ fact, meaning: meaningOf(fact, to) }))
		.filter(({ meaning }) => meaning !== undefined);
	const hasKey = to === 'sent' && said.some(({ meaning }) => meaning === 'deliveryKey');
	// A message with a delivery key waits at the gateway (API document), so an error next to the key is the reason for the wait.
	const isReason = ({ fact, meaning }: (typeof said)[number]) =>
		hasKey && (meaning === 'offline' || ERROR_NAME.test(fact.name)) && hasDeliveryKey(fact.holder);
	const reasons = new Set<unknown>(said.filter(isReason).flatMap(({ fact }) => [fact, fact.value]));
	const kept = said.filter(({ fact }) => !reasons.has(fact) && !reasons.has(fact.holder));
	const first = (...meanings: Meaning[]) =>
		kept.find(({ meaning }) => meanings.includes(meaning!))?.fact;
	const waits = first('later', 'deliveryKey', 'duplicate', 'pending');
	const unsent = first('unsent');
	const isOnlyId = to === 'sent' && first('id') && !(first('own', 'yes') ?? waits);
	const flags = isOnlyId ? all.filter(({ value }) => typeof value === 'boolean') : [];
	return {
		/** Says that the gateway did, or will do, what was requested. */
		evidence:
			first('id', 'own', 'yes') ??
			(to === 'sent' ? (waits ?? (isAccepted ? unsent : undefined)) : first('deliveryKey')),
		/** Whether the denial only says that the message is not sent. */
		isUnsent: first('no', 'offline') === undefined,
		denial: first('no', 'offline') ?? (waits || isAccepted ? undefined : unsent),
		doubt: first('doubt') ?? (flags.length === 1 ? flags.find(isVerdict) : undefined),
		gaveUp: first('gaveUp'),
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
