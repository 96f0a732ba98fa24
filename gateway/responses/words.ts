import { wordOf, words } from './dialect';

// The words that APIs use. The tables are complete on purpose: a gateway with other words declares them (declared.ts).

/** What a request that does something was to do. A request that only reads has none. */
export type Confirmation = 'sent' | 'deleted' | 'started' | 'refreshed' | 'terminated';

/** Confirms each kind of request, as a status or as the name of a boolean. */
const OWN: Record<Confirmation, Set<string>> = {
	sent: new Set(words('sent delivered')),
	deleted: new Set(words('deleted removed cancelled canceled')),
	started: new Set(words('started starting restarted restarting launched')),
	refreshed: new Set(words('refreshed restarted restarting started starting reboot')),
	terminated: new Set(words('terminated stopped closed logout loggedOut deleted')),
};

const YES = new Set(
	words('ok success successful succeeded accepted submitted created completed done processed'),
);
const LATER = new Set(
	words('queued queue enqueued inQueue deferred scheduled delayed postponed waiting queueId'),
);
/** Many gateways call every message that they have passed on pending, with an ID. */
const PENDING = new Set(words('pending inProgress sending'));
const NO = new Set(
	words(
		`failed failure fail error rejected denied invalid expired cancelled canceled blocked skipped undelivered unsent aborted
		limitReached limitExceeded`,
	),
);
/** A gateway that did not wait for the result of its own request, or lost the connection: the message may have been sent. */
const GAVE_UP = new Set(
	words(
		'timeout ETIMEDOUT ESOCKETTIMEDOUT ECONNRESET ECONNABORTED EPIPE gatewayTimeout badGateway 408 502 504',
	),
);
const DUPLICATE = new Set(words('duplicate duplicated deduplicated alreadySent alreadyExists'));

export type Word = 'own' | 'yes' | 'later' | 'pending' | 'no' | 'gaveUp' | 'duplicate';

/** Returns what a single word, without spaces, hyphens and underscores, says about a request; undefined if it is in no table. */
export function meaningOfWord(word: string, to: Confirmation = 'sent'): Word | undefined {
	if (OWN[to].has(word)) return 'own';
	if (YES.has(word)) return 'yes';
	if (LATER.has(word)) return 'later';
	if (PENDING.has(word)) return 'pending';
	if (DUPLICATE.has(word)) return 'duplicate';
	if (NO.has(word)) return 'no';
	return GAVE_UP.has(word) ? 'gaveUp' : undefined;
}

/** What a status of the session means for sending, pairing and waiting. */
export type Phase =
	'online' | 'pairing' | 'expired' | 'offline' | 'loggedOut' | 'banned' | 'unknown';

/** The four statuses of the API document, and what other gateways call them. */
const PHASES = new Map(
	Object.entries({
		online:
			'online connected ready paired linked authenticated authorized active running working open loggedIn',
		pairing: `awaitingQr qr qrCode scan scanQr scanQrCode needQr gotQr pairing starting restarting connecting reconnecting
			initializing loading opening launching`,
		expired: 'expired qrExpired qrTimeout',
		offline: `offline inactive disconnected disconnecting stopped close closed failed terminated unpaired unpairedIdle
			notOnline notConnected notReady notPaired notLinked notAuthenticated notAuthorized notActive notRunning notOpen
			notLoggedIn notStarted notFound none`,
		loggedOut:
			'authFailure authFailed authenticationFailure authenticationFailed logout loggedOut unauthenticated authError',
		banned: 'banned blocked suspended',
	}).flatMap(([phase, list]) => words(list).map((word) => [word, phase as Phase] as const)),
);
/** The subject of a status does not count: SESSION_NOT_CONNECTED means NOT_CONNECTED. */
const SUBJECT =
	/^(?<session>(whatsapp)?(session|instance|client|connection)|whatsapp)?(phone|device)?(is|already)*/;

export function phaseOf(status: string): Phase {
	const word = wordOf(status);
	// Alone, these may be about anything.
	if (word === 'notfound' || word === 'none') return 'unknown';
	return PHASES.get(word) ?? PHASES.get(word.replace(SUBJECT, '')) ?? 'unknown';
}

/** Phases that an error code can have without the word session. Others, such as FAILED, may be about something else. */
const CLEAR = new Set(
	words(`offline disconnected notOnline notConnected notPaired notLinked notLoggedIn loggedOut authFailure online connected
		alreadyOnline alreadyConnected`),
);

/** Returns what an error code says about the session; `unknown` if it is a sentence, or may be about something else. */
export function phaseOfCode(code = ''): Phase {
	const word = wordOf(code);
	const isAboutSession = SUBJECT.exec(word)?.groups?.session !== undefined;
	return !/\s/.test(code.trim()) && (isAboutSession || CLEAR.has(word)) ? phaseOf(code) : 'unknown';
}

/** Whether an error code says that the session is not ready to send. */
export const saysOffline = (code?: string) => /^(offline|loggedOut)$/.test(phaseOfCode(code));
