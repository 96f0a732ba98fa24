import { isObject } from '../json';
import { NO_NAME, type NamedValue, isSomething, NAMES, plainName, scalarOf } from './dialect';

/** The field with which a gateway confirms what a request did. */
export type Confirmation = 'sent' | 'deleted' | 'started' | 'refreshed' | 'terminated';

/** What a status means for sending, pairing and waiting. */
export type Phase =
	'online' | 'pairing' | 'expired' | 'offline' | 'loggedOut' | 'banned' | 'unknown';

/** What a word says about success. `done`: in the words of the request. `offline`: about the session. `unclear`: in no list. */
export type Verdict = 'yes' | 'done' | 'later' | 'pending' | 'no' | 'offline' | 'unclear';

const MAX_TEXT = 500;
const FINE =
	/\b(no|zero|without|(?<!\bsuccess\w{0,5} )0) (any )?(problem|issue|error|fail)\w*|\b(errors|failed) 0\b/g;

/** In lower case, without accents, with a space for punctuation, underscores and hyphens, and before capital letters. */
const phraseOf = (value: unknown) =>
	scalarOf(value)
		.slice(0, MAX_TEXT)
		.replace(/([a-z])(?<![Ww]hats)([A-Z])/g, '$1 $2')
		.toLowerCase()
		.normalize('NFD')
		.replace(/\p{M}/gu, '')
		// Hangul consists of parts, too.
		.normalize('NFC')
		.replace(/n['’]t\b|(?<=\b(ca|do|does|did|is|was|wo))nt\b|(?<=\bcan)not\b/g, ' not')
		.replace(/[^\p{L}\p{N}]+/gu, ' ')
		.trim()
		.replace(FINE, 'ok');

// Of the session, in lower case.
const READY =
	'online|connected|ready|paired|linked|authenticated|authori[sz]ed|active|running|logged ?in';
const ONLINE = `${READY}|working|open`;
const PAIRING = 'qr( ?code)?|scan|(re)?(pair|start|connect|initiali[sz]|load|open)ing';
const LOGGED_OUT = 'auth(entication)? ?(failure|failed)|logged ?out';
const OFFLINE_WORDS = `(not|un|no) ?(yet )?(${READY}|initiali[sz]ed|launched)|offline|inactive|disconnect(ed|ing)|stopped|closed?`;

const only = (words: string) => new RegExp(`^(${words})$`);

/** The four documented statuses, and the words of other gateways for the same. */
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

/** SESSION_NOT_CONNECTED means NOT_CONNECTED. */
const SUBJECT =
	/^(you are )?((the|your) )?(whatsapp )?((?<session>session|instance|client|connection|browser( tab)?) |(phone|device) )?((is|already|currently|still) )*/;

export function phaseOf(status: string): Phase {
	const phrase = phraseOf(status);
	const word = phrase.replace(SUBJECT, '');
	return PHASES.find(([, words]) => words.test(word) || words.test(phrase))?.[0] ?? 'unknown';
}

/** Without the session as subject, an error may be about something else, such as the phone of the recipient. */
const CLEAR =
	/^((not )?(online|connected|paired|linked|logged in)|authenticated|offline|disconnected|no( active)? session|we did not find a session.*)$/;
const CLEAR_CODE = /offline|not (online|connected)|disconnected|auth failure/;

/** "Session 'a' is not connected. Scan …" → SESSION_IS_NOT_CONNECTED */
export function statusFrom(error: string): string {
	const [clause] = error.replace(/^error: |(["'])[\w-]+\1/gi, '').split(/[.,;:!(]/, 1);
	const phrase = phraseOf(clause).replace(/ does not exist$/, ' not found');
	return phrase.replaceAll(' ', '_').toUpperCase();
}

/** What the code or the message of an error says about the session. */
export function phaseInError(error = ''): Phase {
	const phrase = phraseOf(statusFrom(error));
	const isAboutSession = SUBJECT.exec(phrase)?.groups?.session !== undefined;
	if (isAboutSession || CLEAR.test(phrase.replace(SUBJECT, ''))) return phaseOf(phrase);
	return /^[\w-]+$/.test(error.trim()) && CLEAR_CODE.test(phrase) ? 'offline' : 'unknown';
}

export const saysOffline = (error?: string) => /^(offline|loggedOut)$/.test(phaseInError(error));

/** Common: what confirms a request as the name of a field and, unless negated, as a word; and what does only as one of them. */
const confirmation = (both: string, moreWords = both, moreNames = both) => ({
	name: only(`${both}|${moreNames}`),
	words: new RegExp(`\\b(?<!\\b(not|no|un) (\\w+ )?)(${both}|${moreWords})\\b`, 'g'),
});
const GONE = 'deleted|removed|destroyed';
const RUNS = confirmation(
	'(re)?start(ed|ing)|launch(ed|ing)|initiated|initiali[sz]ed|created|opened|refreshed|reboot(ed|ing)?|reloaded|reconnected|reset',
	`running|awaiting|${ONLINE}|${PAIRING}`,
);
const OWN: Record<Confirmation, ReturnType<typeof confirmation>> = {
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
/** isSent, messagesSent, sent_count, rowsAffected */
const AROUND_NAME =
	/^(is|was|msg|session|rows|total|num|n(?=removed|deleted))|(count|rows|messages|total)$/g;

/** Common: names without case, underscores and hyphens, by what they say about a request. */
const KINDS = {
	/** The ID of the message. */
	id: /^((whatsapp|wa|external|sms)?(message|msg)(u?u?ids?|key)|idmessage|wamids?|zaapid)$/,
	deliveryKey: only(NAMES.deliveryKeys.join('|')),
	duplicate: only(NAMES.duplicateFlags.join('|')),
	error:
		/^(is|has|send|sending|validation|request|service|delivery|message|sms|api|total|num)*(err(or)?s?|erro|erreur|fehler|errore|exceptions?|stack|fail(ed|ures?)?|faults?|violations?)(code|msg|message|text|reason|details?|description|name|type|title|no|count|data|info|list|number|recipient|contact|phone|cnt)?s?$/,
	flaw: /^(is|was|has|been)*(blocked|banned|expired|rejected|denied|refused|invalid|(un|not)(delivered|sent|found)|undeliverable|timedout|cancell?ed|aborted|suspended|skipped|dropped|unauthorized|blacklisted)(number|phone|contact|recipient|receiver|message|user)?s?$|^reject(ion)?reason$|^(limit|quota)(reached|exceeded)$/,
	result:
		/^(ackname|process|(is|send|sent)?(success(ful|fully)?|sucesso|exito|succes|succeeded|ok(ay)?|accepted|valid|submitted|completed|processed|done)(count|cnt)?|(message|msg|delivery|send(ing)?|sent|job|request|response|session|connection|instance|device|ret|str|extend)*(status|state|result|outcome|situacao|estado|resultado|statut)(text|message|msg|name|instance|description)?)$/,
	code: /^(status|response|result|return|http)?(code|codigo)$/,
	/** About the session, the recipient, or what may come later. */
	condition:
		/^(is|has|number)*(connected|online|authenticated|authori[sz]ed|loggedin|ready|paired|registered|delivered|exists(whatsapp)?|onwhatsapp|validwhatsappnumber|canreceivemessages?|cansend)$/,
	later: /^(is|in)?(en)?(queued?|deferred|scheduled|pending)(at|for|until)?$|^queue(id|position)$/,
	/** For people. It may also be the text of the message that was sent. */
	text: /^(response|result|return)?(message|msg|detail|description|reason|info|mensagem|mensaje|nachricht|descricao|descripcion|comment)s?$/,
	/** Denies success where it is an error. */
	mark: /^(ack|type|level|ret(code|val)?|rc)$/,
};
/** `own`: it confirms the request. */
type Kind = 'own' | keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as Array<keyof typeof KINDS>;
/** The words of a status that is an object. */
const STATUS_WORDS = /^(name|groupname|type|value|text|title|label)$/;
/** The ID of a message in an object of its own, and what it looks like: of WhatsApp, a UUID, or a long hexadecimal number. */
const ID_PART = /^(id|serialized)$/;
const AROUND_ID = /^(id|key|(sent)?(message|msg)s?)$/;
const MESSAGE_ID =
	/^((true|false)_\S{1,250}|wamid\.\S{1,250}|(?=[a-f]{0,99}\d)[\da-f]{16,99}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** What a field says about the request by its name. */
export function kindOf(
	{ name, within = NO_NAME, value }: Pick<NamedValue, 'name'> & Partial<NamedValue>,
	field?: Confirmation,
): Kind | undefined {
	const own = field && OWN[field].name;
	if (own?.test(name) || own?.test(name.replace(AROUND_NAME, ''))) return 'own';
	if (name === NO_NAME || (STATUS_WORDS.test(name) && /(status|state)$/.test(within)))
		return 'result';
	if (ID_PART.test(name) && (AROUND_ID.test(within) || MESSAGE_ID.test(scalarOf(value))))
		return 'id';
	return KIND_NAMES.find((kind) => KINDS[kind].test(name));
}

const NOTHING = /^(none|null|nil|undefined|n a)$/;
/** A word of a phrase. `\b` only knows Latin letters. */
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
	// German, Romance, Polish and Turkish, then Indonesian.
	word(
		'nicht\\S*|kein\\S*|nao|sem|nenhum\\S*|ningun\\S*|nessun\\S*|non|pas|rien|aucun\\S*|nada|nie|erro|hata|tidak|gagal',
	),
	/fehlgeschlagen|abgelehnt|abgebrochen|gesperrt|ungultig|unzustellbar|mislukt|fallid[oa]|fallit|fallo$|falh|rejeit|rechaz|recus|rifiut|deneg|bloque|expirad|annul|se pudo|echec|echoue|epuise|desconect|basar[iı]s[iı]z|[iı]leme/,
	/(?<!\S)не|ошиб|отказ|отклон|[不未没沒]|失败|失敗|错误|エラー|無効|ません|실패|오류|فشل|خطأ|(?<!\S)لم(?!\S)/,
];
const ZERO =
	/^0 \d+ |\b0 (of \d+|sent|messages?|recipients?|deliver(y|ies)|rows?|records?|items?|sessions?|deleted)\b|\b(sent|delivered|queued|success\w*|ok|messages?|deleted|removed|terminated) 0\b/;
const ALREADY = /\balready (sent|delivered)\b/;
/** Of a message, what the user or the sender has to do first. */
const ASKS = /\b(please|wait (?=\w)|before|until|upgrade|subscribe|slow down|quiet hours)\b/;

const set = (words: string) => new Set(words.split(/\s+/));
/** What a message waits in. */
const LATER =
	set(`queue queued queuing queueing enqueued requeued deferred scheduled postponed held outbox
	warteschlange eingereiht cola fila enfileirada enfileirado encolada encolado agendada agendado`);
/** The words of a text that claims success: it has one of these, and no other words than these and the neutral ones. */
const CLAIMED: Array<[Verdict, Set<string>]> = [
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
/** Say nothing by themselves. */
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
/** A number, or an ID. */
const HAS_DIGIT = /[1-9]/;

/** Not the number or the account. */
const ON_HOLD = /^(message (is |was )?(put )?)?on hold$/;

/** What a text claims all of whose words are known; undefined if it has another one, or claims nothing. */
function claimed(phrase: string): Verdict | undefined {
	// A code comes before its text.
	const words = phrase.replace(/^0+ /, '').replace(ON_HOLD, 'held').split(' ');
	const others = words.filter((word) => !NEUTRAL.has(word) && !HAS_DIGIT.test(word));
	if (!others.every((word) => CLAIMED.some(([, claims]) => claims.has(word)))) return undefined;
	return CLAIMED.find(([, claims]) => others.some((word) => claims.has(word)))?.[0];
}

/** What a clause starts with that says it of this message. "20 messages sent in a minute" is about a limit. */
const ABOUT_MESSAGE =
	'(\\w+ ){0,2}(message|msg|sms|media|file|image|document|template|request|text|it|we|which|whatsapp|mensagem|mensaje|nachricht) ((to|for) \\w+ )?';
const CLAIMS =
	'((was|is|are|has|have|had|been|be|will|may|might|could|already|successfully|still|now|the|your|wurde|foi|fue|ha|sido) )*(sent|(?<=\\bwill )send|accepted|delivered|saved|stored|submitted|dispatched|queued|buffered|delayed|retried|deferred|scheduled|postponed|throttled|processed later|added to (the )?(queue|outbox|backlog)|enviad[oa]|enfileirad[oa]|encolad[oa]|envoye|inviato|gesendet|отправлено|已发送)(?!\\S)';
const CLAIM = new RegExp(`^(${ABOUT_MESSAGE})?${CLAIMS}`);
const CLAIM_ABOUT_MESSAGE = new RegExp(`^${ABOUT_MESSAGE}${CLAIMS}`);
const CLAUSE_END = /[.,:;!?(\n，。；！]|\s[-–—]\s|\b(?:but|however|although|after|because)\b/i;
/** That the session or its phone is not ready. */
const NOT_READY = new RegExp(`\\b(${OFFLINE_WORDS}|${LOGGED_OUT}|${PAIRING}|conflict)\\b`, 'g');
/** Broken JSON, XML, a warning of PHP, or an ID or code in which any letters may follow each other. */
const NOT_PROSE = /[{}<>]| on line \d|^(?=\S*\d)(?=\S*[a-z])(?=\S*[A-Z])\S{12,}$/;

function numberSays(number: number): Verdict | undefined {
	// It repeats the status of HTTP.
	if (number >= 200 && number < 300) return undefined;
	if (number <= 0 || (number >= 400 && number < 600)) return 'no';
	return number === 1 ? 'yes' : 'unclear';
}

/** A word for nothing, or a negative number: no ID. */
export const isNothing = (value: unknown) =>
	NOTHING.test(phraseOf(value)) || /^-/.test(scalarOf(value));

/** Undefined if it says nothing. */
export function verdictOf(value: unknown, field: Confirmation = 'sent'): Verdict | undefined {
	const text = scalarOf(value);
	const phrase = phraseOf(value);
	const has = (words: RegExp) => phrase.search(words) >= 0;
	if (/^-?\d+$/.test(text)) return numberSays(Number(text));
	if (NOTHING.test(phrase) || /^-*$/.test(text)) return undefined;
	if (MESSAGE_ID.test(text)) return 'yes';
	if (text.length > MAX_TEXT || NOT_PROSE.test(text) || has(/time(d )?out/)) return 'unclear';
	const others = phrase.replace(NOT_READY, '').replace(OWN[field].words, '');
	if (phrase === 'paused') return 'unclear';
	const denials = field === 'sent' ? [...DENIES, ASKS] : DENIES;
	if (
		[ZERO, ALREADY].some((words) => words.test(phrase)) ||
		denials.some((words) => words.test(others))
	)
		return 'no';
	const isLater = phrase.split(' ').some((word) => LATER.has(word));
	const ofMessage = isClaim(value, CLAIM_ABOUT_MESSAGE) && (isLater ? 'later' : 'yes');
	const claim = claimed(phrase) ?? (ofMessage || undefined);
	if (claim === 'later') return claim;
	if (has(OWN[field].words)) return claim || field !== 'sent' ? 'done' : 'unclear';
	if (has(NOT_READY)) return field === 'terminated' ? 'done' : 'offline';
	return claim ?? 'unclear';
}

/** Whether a clause of a text claims success, and denies nothing itself, whatever the others say. */
export const isClaim = (value: unknown, claim = CLAIM) =>
	scalarOf(value)
		.slice(0, MAX_TEXT)
		.split(CLAUSE_END)
		.map(phraseOf)
		.some((clause) => claim.test(clause) && ![ZERO, ...DENIES].some((words) => words.test(clause)));
/** What a field for errors says if there is none, as a whole: "sending" in "sending is paused" says nothing. */
const NO_ERROR =
	/^(((the|your|message|msg|request|operation|operacion|was|is|has|been|for|and|delivery|with|com|con) )*(ok(ay)?|success\w*|succeeded|accepted|done|completed?|sent|delivered|queued|none|null|processed|created|submitted|enviad[oa]|sucesso|exitos[oa]|exito|delivery|basar[iı]l[iı]|успешн[^ ]*|成功)( |$))+$/u;
/** Gateways fill a field for errors also without one. */
export function isNoError(value: unknown): boolean {
	const text = scalarOf(value);
	if (/^\d+$/.test(text)) return /^(0+|20[0-2])$/.test(text);
	return (
		verdictOf(value) === undefined ||
		/^[a-z]{0,3}-?0+$/i.test(text) ||
		NO_ERROR.test(phraseOf(value))
	);
}

/** What a field for errors holds. An object is an error if what it says about itself is one. */
export function isError(value: unknown): boolean {
	if (Array.isArray(value)) return value.some(isError);
	if (!isObject(value)) return isSomething(value) && !isNoError(value);
	const fields = Object.entries(value);
	const said = fields.filter(([name]) => kindOf({ name: plainName(name) }));
	return (said.length > 0 ? said : fields).some(([, inner]) => isError(inner));
}
