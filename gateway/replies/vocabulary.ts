import { BARE, scalarOf } from './dialect';

/** The field with which a gateway confirms what a request did. */
export type SuccessField = 'sent' | 'deleted' | 'started' | 'refreshed' | 'terminated';

/** What a word says about success. `offline`: it is about the session. `unclear`: it is in no list. */
export type Verdict = 'yes' | 'later' | 'no' | 'offline' | 'unclear';

/** Common: the names of the field that confirms a request, and the words that do, unless a negation precedes them. */
const RUNS = {
	name: /^(started|launched|initiated|initiali[sz]ed|created|opened|refreshed|restarted|reboot(ed)?|reloaded|reconnected|reset)$/,
	words:
		/\b(?<!\b(not|no|un) (\w+ )?)((re)?start(ed|ing)|launch(ed|ing)|initiated|initiali[sz](ed|ing)|created|open(ed|ing)?|loading|(re)?connect(ed|ing)|refreshed|reboot(ed|ing)?|reloaded|reset|online|ready|working|running|awaiting|qr|scan|pairing|paired|authenticated)\b/g,
};
const OWN: Record<SuccessField, { name: RegExp; words: RegExp }> = {
	sent: { name: /^(messages?)?sent$/, words: /\b(?<!\b(not|no|un) (\w+ )?)(sent|delivered)\b/g },
	deleted: {
		name: /^(deleted|removed|cancell?ed|destroyed|affected|changes|found|count|n)$/,
		words: /\b(?<!\b(not|no|un) (\w+ )?)(deleted|removed|cancell?ed|destroyed)\b/g,
	},
	started: RUNS,
	refreshed: RUNS,
	terminated: {
		name: /^(terminated|logout|loggedout|stopped|closed|disconnected|ended|removed|deleted|destroyed)$/,
		words:
			/\b(?<!\b(not|no|un) (\w+ )?)(terminat(ed|ing)|log(ged)? ?out|stopp(ed|ing)|clos(ed|ing)|disconnected|ended|removed|deleted|destroyed)\b/g,
	},
};
/** isSent, messagesSent, sent_count, rowsAffected */
const AROUND_NAME = /^(is|was|msg|session|rows|total)|(count|rows|messages|total)$/g;

/** Common: the names of fields that speak about success, without case, underscores and hyphens. */
const KINDS = {
	error:
		/^(is|has|send|sending|validation)*(err(or)?s?|erro|exceptions?|stack|fail(ed|ures?)?|faults?|violations?)(code|msg|message|text|reason|details?|description|name|type|title|no|count|data|info|list|number|recipient)?s?$/,
	/** Denies success where it is true. */
	flaw: /^(is|was|has|been)*(blocked|banned|expired|rejected|denied|refused|invalid|(un|not)(delivered|sent)|undeliverable|timedout|cancell?ed|aborted|suspended)(numbers|recipients|messages)?$/,
	result:
		/^(ackname|process|(is)?(success(ful|fully)?|succeeded|ok(ay)?|accepted|valid|completed|processed|done)|(message|delivery|send(ing)?|request|response|session|connection|instance|device)?(status|state|result|outcome)(text|message|name|instance)?)$/,
	code: /^(status|response|result|return|http)?code$/,
	/** About the session, the recipient, or what may come later. */
	condition:
		/^(is|has|number)*(connected|online|authenticated|authori[sz]ed|loggedin|ready|paired|registered|delivered|exists|onwhatsapp|canreceivemessages?)$/,
	later: /^(is|in)?(en)?(queued?|deferred|scheduled|pending)$|^queue(id|position)$/,
	/** For people. It may also be the text of the message that was sent. */
	text: /^(message|msg|detail|description|reason|info)s?$/,
	ack: /^ack$/,
	type: /^(type|level)$/,
};
type Kind = 'own' | keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as Array<keyof typeof KINDS>;
/** The words of a status that is an object. */
const STATUS_WORDS = /^(name|groupname|value|text|title|label)$/;

/** What a field says about success by its name. `own`: it confirms the request. */
export function kindOf(name: string, within = '', field?: SuccessField): Kind | undefined {
	const own = field && OWN[field].name;
	if (own?.test(name) || own?.test(name.replace(AROUND_NAME, ''))) return 'own';
	if (name === BARE || (STATUS_WORDS.test(name) && KINDS.result.test(within))) return 'result';
	return KIND_NAMES.find((kind) => KINDS[kind].test(name));
}

/** Common: where the ID of a message is, and what it looks like: of WhatsApp, a UUID, or a long hexadecimal number. */
export const MESSAGE_ID = {
	name: /^((whatsapp|wa|external|sms)?(message|msg)(u?u?ids?|key)|idmessage|wamids?|zaapid)$/,
	part: /^(id|serialized)$/,
	within: /^(id|key|(sent)?(message|msg)s?)$/,
	value:
		/^((true|false)_\S+|wamid\.\S+|(?=.*\d)[\da-f]{16,}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i,
};
export const isMessageId = (value: unknown) => MESSAGE_ID.value.test(scalarOf(value));

const NOTHING = /^(none|null|nil|undefined|n a)$/;
const NO_ERROR = /\b(no|without|zero|0) (any )?(errors?|problems?|issues?|failures?)\b/g;
/** The session or its phone. */
const OFFLINE =
	/\b(not|un|no) ?(yet )?(online|connected|ready|running|logged ?in|paired|linked|authenticated|authori[sz]ed|active|initiali[sz]ed|launched)\b|\b(offline|inactive|conflict|disconnect(ed|ing)|logged ?out|closed?|stopped|auth(entication)? ?(failure|failed)|awaiting ?qr|scan ?qr( ?code)?|qr|pairing|(re)?connecting|starting|initiali[sz]ing)\b/g;
const DENIES = [
	/fail|error|exception|reject|denied|declin|refus|invalid|expired|block|undeliver|unable|unavailable|unreachable/,
	/unauthori|unsupported|unregistered|unsuccess|forbid|insufficient|exceed|quota|limit|suspend|disabl|discard/,
	/ignored|skipped|missing|required|incorrect|crash|fatal|abort|unsent|cancel|throttl|bounced|too many|^not(?!e|i)/,
	/\b(false|no|not|never|nothing|without|ko|nok|nack|ng|err|bad|wrong|bann?ed|dropped|removed|deleted|full|erro|falh\w+|gagal|n[aã]o)\b/,
	/\bunknown (recipient|number|phone|chat|contact|user|session)\b|\btry (again|later)\b|\balready (sent|delivered)\b/,
];
const QUEUED = /queue|deferred|scheduled|postponed|on hold|\bheld\b/;
const PENDING = /\b(pending|waiting)\b/;
const YES =
	/\b(ok(ay)?|success\w*|succeeded|accepted|done|sending|delivery ack|server ack|ack|read|played|completed?|true|yes|created|process(ed|ing)|submitted|dispatched|published|received|confirmed|duplicated?|enviad[oa]|sucesso|exito|berhasil|sukses|terkirim)\b/;
const CLAIM =
	/\b(?<!\b(not|no|un|never|nothing) (\w+ )?)(sent|accepted|delivered|success\w*|queued)\b/;
/** Broken JSON, XML, or a warning of PHP. */
const NOT_PROSE = /[{}<>]| on line \d/;
const MAX_TEXT = 500;

/** In lower case, with a space for punctuation, underscores and hyphens, and before capital letters. */
const phraseOf = (value: unknown) =>
	scalarOf(value)
		.slice(0, MAX_TEXT)
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.replace(/n['’]t\b|(?<=\bcan)not\b/g, ' not')
		.replace(/[^\p{L}\p{N}]+/gu, ' ')
		.trim()
		.replace(NO_ERROR, 'ok');

const isWithin = (value: unknown, words: RegExp) => phraseOf(value).search(words) >= 0;

export const isConfirmed = (value: unknown, field: SuccessField) =>
	verdictOf(value, field) === 'yes' && isWithin(value, OWN[field].words);
/** Whether a text claims success, whatever else it says. */
export const isClaim = (value: unknown) => isWithin(value, CLAIM);
export const isPending = (value: unknown) => isWithin(value, PENDING);
/** Gateways fill a field for errors also without one. */
export const isNoError = (value: unknown) =>
	verdictOf(value) === undefined ||
	(verdictOf(value) === 'yes' && isWithin(value, /\b(ok(ay)?|success\w*|sent)\b/));

function numberSays(number: number): Verdict | undefined {
	// It repeats the status of HTTP.
	if (number >= 200 && number < 300) return undefined;
	if (number <= 0 || (number >= 400 && number < 600)) return 'no';
	return number === 1 ? 'yes' : 'unclear';
}

/** Undefined if it says nothing. */
export function verdictOf(value: unknown, field: SuccessField = 'sent'): Verdict | undefined {
	const text = scalarOf(value);
	const phrase = phraseOf(value);
	if (/^-?\d+$/.test(text)) return numberSays(Number(text));
	if (phrase === 'false') return 'no';
	if (NOTHING.test(phrase) || /^-*$/.test(text)) return undefined;
	if (isMessageId(text)) return 'yes';
	if (text.length > MAX_TEXT || NOT_PROSE.test(text) || /time(d )?out/.test(phrase)) {
		return 'unclear';
	}
	const others = phrase.replace(OFFLINE, '').replace(OWN[field].words, '');
	if (DENIES.some((words) => words.test(others))) return 'no';
	if (QUEUED.test(phrase)) return 'later';
	if (isWithin(value, OWN[field].words)) return 'yes';
	if (isWithin(value, OFFLINE)) return field === 'terminated' ? 'yes' : 'offline';
	if (PENDING.test(phrase)) return 'later';
	return YES.test(phrase) ? 'yes' : 'unclear';
}
