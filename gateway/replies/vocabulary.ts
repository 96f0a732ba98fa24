import { isObject } from '../json';
import { NO_NAME, type NamedValue, isSomething, NAMES, plainName, scalarOf } from './dialect';

/** The field with which a gateway confirms what a request did. */
export type Confirmation = 'sent' | 'deleted' | 'started' | 'refreshed' | 'terminated';

/** What a status of the session means for sending, pairing and waiting. */
export type Phase =
	'online' | 'pairing' | 'expired' | 'offline' | 'loggedOut' | 'banned' | 'unknown';

/** What a text says about success. `done` is a word of the request itself, `offline` is about the session, and `unclear` is in no list. */
export type Verdict = 'yes' | 'done' | 'later' | 'pending' | 'no' | 'offline' | 'unclear';

const MAX_TEXT = 500;
const FINE =
	/\b(no|zero|without|(?<!\bsuccess\w{0,5} )0) (any )?(problem|issue|error|fail)\w*|\b(errors|failed) 0\b|\bnon dnd\b/g;

/** Returns a text as words for comparisons: in lower case, without accents, with a space for punctuation and before capital letters. */
const phraseOf = (value: unknown) =>
	scalarOf(value)
		.slice(0, MAX_TEXT)
		.replace(/([a-z])(?<![Ww]hats)([A-Z])/g, '$1 $2')
		.toLowerCase()
		.normalize('NFD')
		.replace(/\p{M}/gu, '')
		// NFD splits Hangul syllables too, so they are composed again.
		.normalize('NFC')
		.replace(/n['’]t\b|(?<=\b(ca|do|does|did|is|was|wo))nt\b|(?<=\bcan)not\b/g, ' not')
		.replace(/[^\p{L}\p{N}]+/gu, ' ')
		.trim()
		.replace(FINE, 'ok');

// Words for the status of a session, as parts of regular expressions for phrases.
const READY =
	'online|connected|ready|paired|linked|authenticated|authori[sz]ed|active|running|logged ?in';
const ONLINE = `${READY}|working|open`;
const PAIRING = 'qr( ?code)?|scan|(re)?(pair|start|connect|initiali[sz]|load|open)ing';
const LOGGED_OUT = 'auth(entication)? ?(failure|failed)|logged ?out';
const OFFLINE_WORDS = `(not|un|no) ?(yet )?(${READY}|initiali[sz]ed|launched)|offline|inactive|disconnect(ed|ing)|stopped|closed?`;

const only = (words: string) => new RegExp(`^(${words})$`);

/** The four statuses in the API document, and what other gateways call them. The first phase that matches counts. */
const PHASES: Array<[Exclude<Phase, 'unknown'>, RegExp]> = [
	['online', only(ONLINE)],
	['loggedOut', only(`${LOGGED_OUT}|auth(entication)? ?error`)],
	['banned', only('banned|blocked|suspended')],
	['expired', /\b(expired|time(d ?)?out)$/],
	[
		'offline',
		only(
			`${OFFLINE_WORDS}|not (open|started)|failed|terminated|unpaired idle|no( active)? session`,
		),
	],
	[
		'offline',
		/\b((session|instance) (is )?not found|status is not as expected)$|\bnot find a session\b/,
	],
	['pairing', new RegExp(`\\b(${PAIRING})`)],
];

/** The subject of a status, which does not count: SESSION_NOT_CONNECTED means NOT_CONNECTED. */
const SUBJECT =
	/^(you are )?((the|your) )?(whatsapp )?((?<session>session|instance|client|connection|browser( tab)?) |(phone|device) )?((is|already|currently|still) )*/;

export function phaseOf(status: string): Phase {
	const phrase = phraseOf(status);
	const word = phrase.replace(SUBJECT, '');
	return PHASES.find(([, words]) => words.test(word) || words.test(phrase))?.[0] ?? 'unknown';
}

/** Phrases that are about the session without naming it. Others may be about something else, such as the recipient's phone. */
const CLEAR =
	/^((not )?(online|connected|paired|linked|logged in)|authenticated|offline|disconnected|no( active)? session|we did not find a session.*)$/;
const CLEAR_CODE = /offline|not (online|connected)|disconnected|auth failure/;

function firstClause(error: string): string {
	const [clause] = error.replace(/^error: |(["'])[\w-]+\1/gi, '').split(/[.,;:!(]/, 1);
	return phraseOf(clause).replace(/ does not exist$/, ' not found');
}

/** Converts an error to a status: "The session is AUTH_FAILURE. Start it …" becomes AUTH_FAILURE; session_not_found stays. */
export function statusFrom(error: string): string {
	const phrase = firstClause(error);
	const [subject = ''] = SUBJECT.exec(phrase) ?? [];
	const status = subject.includes(' is ') ? phrase.slice(subject.length) : phrase;
	return status.replaceAll(' ', '_').toUpperCase();
}

/** Returns what the code or message of an error says about the session; `unknown` if it may be about something else. */
export function phaseInError(error = ''): Phase {
	const phrase = firstClause(error);
	const isAboutSession = SUBJECT.exec(phrase)?.groups?.session !== undefined;
	if (isAboutSession || CLEAR.test(phrase.replace(SUBJECT, ''))) return phaseOf(phrase);
	return /^[\w-]+$/.test(error.trim()) && CLEAR_CODE.test(phrase) ? 'offline' : 'unknown';
}

export const saysOffline = (error?: string) => /^(offline|loggedOut)$/.test(phaseInError(error));

/** Common: `both` confirms a request as a field name and, unless negated, as a word. The others confirm it as only one of these. */
const confirmation = (both: string, moreWords = both, moreNames = both) => ({
	name: only(`${both}|${moreNames}`),
	words: new RegExp(`\\b(?<!\\b(not|no|un) (\\w+ )?)(${both}|${moreWords})\\b`, 'g'),
});
const GONE = 'deleted|removed|destroyed';
const RUNS = confirmation(
	'(re)?start(ed|ing)|launch(ed|ing)|initiated|initiali[sz]ed|created|opened|refreshed|reboot(ed|ing)?|reloaded|reconnected|reset',
	`running|awaiting|${ONLINE}|${PAIRING}`,
);
const CONFIRMATIONS: Record<Confirmation, ReturnType<typeof confirmation>> = {
	sent: confirmation('sent', 'delivered', 'messages?sent|enviad[oa]'),
	deleted: confirmation(
		`${GONE}|cancell?ed`,
		undefined,
		'affected|changes|found|matched|modified|(row)?count|n',
	),
	started: RUNS,
	refreshed: RUNS,
	terminated: confirmation(
		`terminat(ed|ing)|log(ged)? ?out|stopp(ed|ing)|clos(ed|ing)|disconnected|ended|${GONE}`,
	),
};
/** Parts of a name that do not count, as in isSent, messagesSent, sent_count and rowsAffected. */
const AROUND_NAME =
	/^(is|was|msg|session|rows|total|num|n(?=removed|deleted))|(count|rows|messages|total)$/g;

/** Common: names, as plainName() returns them, by what their fields say about a request. */
const KINDS = {
	/** The ID of the message. */
	id: /^((whatsapp|wa|external|sms)?(message|msg)(u?u?ids?|key)|idmessage|wamids?|zaapid)$/,
	deliveryKey: only(NAMES.deliveryKeys.join('|')),
	duplicate: only(NAMES.duplicateFlags.join('|')),
	error:
		/^(is|has|send|sending|validation|request|service|delivery|message|sms|api|total|num)*(err(or)?s?|erro|erreur|fehler|errore|exceptions?|stack|fail(ed|ures?)?|faults?|violations?)(code|msg|message|text|reason|details?|description|name|type|title|no|count|data|info|list|number|recipient|contact|phone|cnt)?s?$/,
	/** Denies success, such as `blocked` or `expired`. */
	denial:
		/^(is|was|has|been)*(blocked|banned|expired|rejected|denied|refused|invalid|(un|not)(delivered|sent|found)|undeliverable|timedout|cancell?ed|aborted|suspended|skipped|dropped|unauthorized|blacklisted)(number|phone|contact|recipient|receiver|message|user)?s?$|^reject(ion)?reason$|^(limit|quota)(reached|exceeded)$/,
	result:
		/^(ackname|process|(is|send|sent)?(success(ful|fully)?|sucesso|exito|succes|succeeded|ok(ay)?|accepted|valid|submitted|completed|processed|done)(count|cnt)?|(message|msg|delivery|send(ing)?|sent|job|request|response|session|connection|instance|device|ret|str|extend)*(status|state|result|outcome|situacao|estado|resultado|statut)(text|message|msg|name|instance|description)?)$/,
	code: /^(status|response|result|return|http)?(code|codigo)$/,
	/** A condition of the session or the recipient, or one that may still become true. */
	condition:
		/^(is|has|number)*(connected|online|authenticated|authori[sz]ed|loggedin|ready|paired|registered|delivered|exists(whatsapp)?|onwhatsapp|validwhatsappnumber|canreceivemessages?|cansend)$/,
	later: /^(is|in)?(en)?(queued?|deferred|scheduled|pending)(at|for|until)?$|^queue(id|position)$/,
	/** A text for the user, which may also be the text of the sent message. */
	text: /^(response|result|return)?(message|msg|detail|description|reason|info|mensagem|mensaje|nachricht|descricao|descripcion|comment)s?$/,
	/** Denies success if its value is an error, and otherwise says nothing. */
	errorMark: /^(ack|type|level|ret(code|val)?|rc)$/,
};
/** `confirmation` is the field that confirms this kind of request, such as `sent`. */
type Kind = 'confirmation' | keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as Array<keyof typeof KINDS>;
/** Names of the text of a status that is an object. */
const STATUS_WORDS = /^(name|groupname|type|value|text|title|label)$/;
/** Names of an ID inside another object, and the format of a message ID: of WhatsApp, a UUID, or a long hexadecimal number. */
const ID_PART = /^(id|serialized)$/;
const AROUND_ID = /^(id|key|(sent)?(message|msg)s?)$/;
const MESSAGE_ID =
	/^((true|false)_\S{1,250}|wamid\.\S{1,250}|(?=[a-f]{0,99}\d)[\da-f]{16,99}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** Returns what a field speaks about, by its name, its object and, for an ID, its value; undefined if it says nothing about the request. */
export function kindOf(
	{ name, within = NO_NAME, value }: Pick<NamedValue, 'name'> & Partial<NamedValue>,
	field?: Confirmation,
): Kind | undefined {
	const confirming = field && CONFIRMATIONS[field].name;
	if (confirming?.test(name) || confirming?.test(name.replace(AROUND_NAME, '')))
		return 'confirmation';
	// Some gateways confirm or deny a request with nothing but a boolean `value`.
	if (name === 'value' && typeof value === 'boolean') return 'result';
	if (name === NO_NAME || (STATUS_WORDS.test(name) && /(status|state)$/.test(within)))
		return 'result';
	if (ID_PART.test(name) && (AROUND_ID.test(within) || MESSAGE_ID.test(scalarOf(value))))
		return 'id';
	return KIND_NAMES.find((kind) => KINDS[kind].test(name));
}

const NOTHING = /^(none|null|nil|undefined|n a)$/;
/** Matches whole words of a phrase. `\b` would not do, because it knows only ASCII letters. */
const word = (words: string) => new RegExp(`(?<!\\S)(${words})(?!\\S)`);
const DENIES = [
	/fail|error|exception|reject|denied|declin|refus|invalid|expired|block|undeliver|unable|unavailable|unreachable/,
	/unauthori|unsupported|unregistered|unsuccess|forbid|insufficient|exceed|\blimited|(limit|quota) (\w+ )?(reached|hit|used)|(over|out of|rate) (limit|quota)|suspend|disabl|discard|suppress|black ?list|opt(ed)? out|dead letter|\bdnd\b/,
	/ignored|skipped|missing|required|incorrect|crash|fatal|abort|unsent|cancel|throttl|bounced|too many|^not(?!e|i)/,
	/pause|restrict|outside|maximum|revoked|\b(only|must|has to be|have to be|has ended|too \w+|limit$|window (is )?(closed|ended|has passed)|read only)\b/,
	word(
		`no|not|never|none|nothing|nobody|neither|zero|without|false|ko|nok|nack|ng|err|bad|wrong|bann?ed|dropped|removed|deleted|full`,
	),
	/\bunknown (recipient|number|phone|chat|contact|user|session)\b|\btry (again|later)\b/,
	// These words are German, Romance, Polish, Turkish and Indonesian.
	word(
		'nicht\\S*|kein\\S*|nao|sem|nenhum\\S*|ningun\\S*|nessun\\S*|non|pas|rien|aucun\\S*|nada|nie|erro|hata|tidak|gagal',
	),
	/fehlgeschlagen|abgelehnt|abgebrochen|gesperrt|ungultig|unzustellbar|mislukt|fallid[oa]|fallit|fallo$|falh|rejeit|rechaz|recus|rifiut|deneg|bloque|expirad|annul|se pudo|echec|echoue|epuise|desconect|basar[iı]s[iı]z|[iı]leme/,
	/(?<!\S)не|ошиб|отказ|отклон|[不未没沒]|失败|失敗|错误|エラー|無効|ません|실패|오류|فشل|خطأ|(?<!\S)لم(?!\S)/,
];
const ZERO =
	/^0 \d+ |\b0 (of \d+|sent|messages?|recipients?|deliver(y|ies)|rows?|records?|items?|sessions?|deleted)\b|\b(sent|delivered|queued|success\w*|ok|messages?|deleted|removed|terminated) 0\b/;
const ALREADY = /\balready (sent|delivered)\b/;
/** What the user or the sender must do first, which means that the message was not sent. */
const ASKS = /\b(please|wait (?=\w)|before|until|upgrade|subscribe|slow down|quiet hours)\b/;

const set = (words: string) => new Set(words.split(/\s+/));
/** Words for a message that waits at the gateway. */
const LATER =
	set(`queue queued queuing queueing enqueued requeued deferred scheduled postponed held outbox
	warteschlange eingereiht cola fila enfileirada enfileirado encolada encolado agendada agendado`);
/** A text claims success if it has one of these words, and no words other than these and the neutral ones. */
const CLAIM_WORDS: Array<[Verdict, Set<string>]> = [
	['later', LATER],
	['pending', set('pending waiting belum aguardando pendiente pendente menunggu')],
	[
		'yes',
		set(`ok okay success successful successfully succeeded accepted done sending delivered sent ack read played
			complete completed true yes created process processed processing submitted dispatched published received
			confirmed stored saved duplicate duplicated
			enviada enviado enviadas enviados enviando sucesso exito exitosa exitoso exitosamente berhasil sukses terkirim
			dikirim erfolgreich gesendet versendet reussi envoye envoyee inviata inviato wyslano wyslana wyslany basarili
			basarılı gonderildi успешно отправлен отправлена отправлено отправлены
			成功 消息发送成功 发送成功 發送成功 提交成功 请求成功 操作成功 送信成功 送信完了 성공 성공적으로 완료 بنجاح`),
	],
];
/** Words that say nothing about success by themselves. */
const NEUTRAL =
	set(`the a an your this it we you i was were is are am has have had been be being will to for of on in into at
	by via with from and now already soon shortly later immediately just new all one id as so far which that
	message messages msg msgs sms media file files image images video videos document documents template templates text texts
	request requests job jobs task tasks operation operations api call calls notification notifications whatsapp wa bulk
	batch chat chats group groups recipient recipients number numbers phone phones user users customer customers contact
	contacts status state result results code codes reference http delivery server gateway provider operator carrier network
	device added background second seconds minute minutes thank thanks quality assessment
	mensagem mensagens mensaje mensajes menssagem envida nachricht nachrichten messaggio messaggi pesan com con
	correctamente avec succes mit erfolg wurde wurden ha han sido foi foram fue el la le les los su sua o os para votre ete
	dein deine ihre die der das telah sudah mesaj mesajiniz islem en na de envio adicionada сообщение сообщения было
	전송요청 하였습니다 발송되었습니다 메시지 تم الإرسال إرسال الرسالة ارسال الارسال`);
/** Matches a number or an ID, which says nothing either. */
const HAS_DIGIT = /[1-9]/;

/** Matches only a message on hold, which waits. A number or an account on hold does not say that the message does. */
const ON_HOLD = /^(message (is |was )?(put )?)?on hold$/;

/** Returns what a phrase of known words claims; undefined if it has an unknown word, or claims nothing. */
function claimOfKnownWords(phrase: string): Verdict | undefined {
	// Some texts begin with a code of zeros, such as `0 success`.
	const words = phrase.replace(/^0+ /, '').replace(ON_HOLD, 'held').split(' ');
	const others = words.filter((word) => !NEUTRAL.has(word) && !HAS_DIGIT.test(word));
	if (!others.every((word) => CLAIM_WORDS.some(([, claims]) => claims.has(word)))) return undefined;
	return CLAIM_WORDS.find(([, claims]) => others.some((word) => claims.has(word)))?.[0];
}

/** How a clause about this message starts. "20 messages sent in a minute" does not match, because it is about a limit. */
const ABOUT_MESSAGE =
	'(\\w+ ){0,2}(message|msg|sms|media|file|image|document|template|request|text|it|we|which|whatsapp|mensagem|mensaje|nachricht) ((to|for) \\w+ )?';
const CLAIM_VERBS =
	'((was|is|are|has|have|had|been|be|will|may|might|could|already|successfully|still|now|the|your|wurde|foi|fue|ha|sido) )*(sent|(?<=\\bwill )send|accepted|delivered|saved|stored|submitted|dispatched|queued|buffered|delayed|retried|deferred|scheduled|postponed|throttled|processed later|added to (the )?(queue|outbox|backlog)|enviad[oa]|enfileirad[oa]|encolad[oa]|envoye|inviato|gesendet|отправлено|已发送)(?!\\S)';
const CLAIM_CLAUSE = new RegExp(`^(${ABOUT_MESSAGE})?${CLAIM_VERBS}`);
const CLAUSE_ABOUT_MESSAGE = new RegExp(`^${ABOUT_MESSAGE}${CLAIM_VERBS}`);
const CLAUSE_END = /[.,:;!?(\n，。；！]|\s[-–—]\s|\b(?:but|however|although|after|because)\b/i;
/** Words that say that the session or its phone is not ready. */
const NOT_READY = new RegExp(`\\b(${OFFLINE_WORDS}|${LOGGED_OUT}|${PAIRING}|conflict)\\b`, 'g');
/** Matches broken JSON, XML, a warning of PHP, and IDs or codes, whose random letters may form words. */
const NOT_PROSE = /[{}<>]| on line \d|^(?=\S*\d)(?=\S*[a-z])(?=\S*[A-Z])\S{12,}$/;

function numberSays(number: number): Verdict | undefined {
	// The number only repeats the HTTP status.
	if (number >= 200 && number < 300) return undefined;
	if (number <= 0 || (number >= 400 && number < 600)) return 'no';
	return number === 1 ? 'yes' : 'unclear';
}

/** Whether a value is a word for nothing or a negative number, which is no ID. */
export const isNothing = (value: unknown) =>
	NOTHING.test(phraseOf(value)) || /^-/.test(scalarOf(value));

/** Returns what a value says about success; undefined if it says nothing. */
export function verdictOf(value: unknown, field: Confirmation = 'sent'): Verdict | undefined {
	const text = scalarOf(value);
	const phrase = phraseOf(value);
	const has = (words: RegExp) => phrase.search(words) >= 0;
	if (/^-?\d+$/.test(text)) return numberSays(Number(text));
	if (NOTHING.test(phrase) || /^-*$/.test(text)) return undefined;
	if (MESSAGE_ID.test(text)) return 'yes';
	if (text.length > MAX_TEXT || NOT_PROSE.test(text) || has(/time(d )?out/)) return 'unclear';
	const others = phrase.replace(NOT_READY, '').replace(CONFIRMATIONS[field].words, '');
	if (phrase === 'paused') return 'unclear';
	const denials = field === 'sent' ? [...DENIES, ASKS] : DENIES;
	if (
		[ZERO, ALREADY].some((words) => words.test(phrase)) ||
		denials.some((words) => words.test(others))
	)
		return 'no';
	const isLater = phrase.split(' ').some((word) => LATER.has(word));
	const ofMessage = hasClaim(value, CLAUSE_ABOUT_MESSAGE) && (isLater ? 'later' : 'yes');
	const claim = claimOfKnownWords(phrase) ?? (ofMessage || undefined);
	if (claim === 'later') return claim;
	if (has(CONFIRMATIONS[field].words)) return claim || field !== 'sent' ? 'done' : 'unclear';
	if (has(NOT_READY)) return field === 'terminated' ? 'done' : 'offline';
	return claim ?? 'unclear';
}

/** Whether any clause of a text claims success without denying it, whatever the other clauses say. */
export const hasClaim = (value: unknown, claim = CLAIM_CLAUSE) =>
	scalarOf(value)
		.slice(0, MAX_TEXT)
		.split(CLAUSE_END)
		.map(phraseOf)
		.some((clause) => claim.test(clause) && ![ZERO, ...DENIES].some((words) => words.test(clause)));
/** Matches the whole text of a field for errors if there is none. Single words prove nothing: "sending" is also in "sending is paused". */
const NO_ERROR =
	/^(((the|your|message|msg|request|operation|operacion|was|is|has|been|for|and|delivery|with|com|con) )*(ok(ay)?|success\w*|succeeded|accepted|done|completed?|sent|delivered|queued|none|null|processed|created|submitted|enviad[oa]|sucesso|exitos[oa]|exito|delivery|basar[iı]l[iı]|успешн[^ ]*|成功)( |$))+$/u;
/** Whether a field for errors says that there is none. Gateways also fill it in after a success. */
export function isNoError(value: unknown): boolean {
	const text = scalarOf(value);
	if (/^\d+$/.test(text)) return /^(0+|20[0-2])$/.test(text);
	return (
		verdictOf(value) === undefined ||
		/^[a-z]{0,3}-?0+$/i.test(text) ||
		NO_ERROR.test(phraseOf(value))
	);
}

/** Whether the value of a field for errors is one. Of an object, the fields that speak about success decide, if it has any. */
export function isError(value: unknown): boolean {
	if (Array.isArray(value)) return value.some(isError);
	if (!isObject(value)) return isSomething(value) && !isNoError(value);
	const fields = Object.entries(value);
	const said = fields.filter(([name]) => kindOf({ name: plainName(name) }));
	return (said.length > 0 ? said : fields).some(([, inner]) => isError(inner));
}
