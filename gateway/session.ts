import { type Answer, isObject, isWebPage, sessionStatus, STATUS_NAMES } from './answer';
import type { Explanation } from './explanation';

const WORD = /^[a-z][\w-]{1,39}$/i;
/** What envelopes, and those who watch over servers, say of themselves. */
const NO_STATUS = ['OK', 'SUCCESS', 'TRUE', 'FALSE', 'ERROR', 'FAIL', 'UP', 'DOWN', 'HEALTHY'];

const isKnown = (word: string) => phaseOf(word) !== 'unknown';

/** The session's status as one word in capitals; undefined where the answer holds none, as far as one can tell. */
export function statusWord(
	answer: Answer,
	isAlsoKnown: (word: string) => boolean = () => false,
): string | undefined {
	const found = isWebPage(answer) ? undefined : sessionStatus(answer.data);
	if (typeof found?.status !== 'string' || !WORD.test(found.status)) return undefined;
	const word = found.status.toUpperCase();
	if (isKnown(word) || isAlsoKnown(word)) return word;
	// A word that nobody knows may as well be a session's name, or a proxy's notice.
	return isCalledStatus(answer.data, found.status) && !NO_STATUS.includes(word) ? word : undefined;
}

function isCalledStatus(data: unknown, word: string, depth = 0): boolean {
	if (!isObject(data) || depth > 4) return false;
	return Object.entries(data).some(([name, value]) =>
		typeof value === 'string'
			? STATUS_NAMES.includes(name) && value.trim() === word
			: isCalledStatus(value, word, depth + 1),
	);
}

/** Whether an answer tells the status, though it says no to everything else: a gateway may deny and tell at once. */
export const tellsStatus = (answer: Answer) =>
	[200, 404, 409, 422].includes(answer.status) && isKnown(statusWord(answer) ?? '');

/** What a status means to somebody who wants to pair or to wait. */
export type Phase =
	'online' | 'underWay' | 'expired' | 'offline' | 'loggedOut' | 'barred' | 'unknown';

/** The four documented statuses, and what other gateways call the same. */
const PHASES: Array<[Exclude<Phase, 'unknown'>, RegExp]> = [
	['online', /^(ONLINE|CONNECTED|PAIRED|LINKED|AUTHENTICATED|READY|WORKING|OPEN)$/],
	['loggedOut', /^(AUTH(ENTICATION)?_?(FAILURE|FAILED|ERROR)|LOGGED_?OUT)$/],
	['barred', /^(BANNED|BLOCKED|SUSPENDED)$/],
	['expired', /(^|_)(EXPIRED|TIMED_?OUT|TIMEOUT)$/],
	[
		'offline',
		/^(DISCONNECTED|DISCONNECTING|OFFLINE|STOPPED|CLOSED|NOT_STARTED|TERMINATED|INACTIVE)$/,
	],
	['underWay', /QR|SCAN|PAIRING|STARTING|CONNECTING|INITIALI[SZ]ING|LOADING|OPENING/],
];

export function phaseOf(status: string): Phase {
	return PHASES.find(([, words]) => words.test(status))?.[0] ?? 'unknown';
}

/** Why there is no use in waiting; undefined where there is. */
export function hopeless(status: string): Explanation | undefined {
	switch (phaseOf(status)) {
		case 'loggedOut':
			return {
				message: `The phone has logged the session out (${status})`,
				description:
					'Waiting does not help. Use Session > Terminate, then Session > Pair, and scan the new QR code with the phone.',
			};
		case 'barred':
			return {
				message: `The account may not be used (${status})`,
				description:
					"Waiting does not help. The phone and the gateway's console tell why, and what can be done.",
			};
		default:
			return undefined;
	}
}

const seen = (status: string | undefined) =>
	status === undefined ? 'no status could be read' : `its last status is ${status}`;

/** An answer, but none to the question. */
export const UNREADABLE_STATUS: Explanation = {
	message: 'The answer of the gateway holds no status',
	description: "Check 'Base URL' of the credential: it ends before /api/whatsapp.",
};

/** Somebody has waited long enough for the session to come online. */
export function notOnlineYet(status: string | undefined, seconds: number): Explanation {
	return {
		message: `The session did not come online within ${seconds} s: ${seen(status)}`,
		description:
			status === undefined ? UNREADABLE_STATUS.description : HOW_TO_COME_ONLINE[phaseOf(status)],
	};
}

const SCAN =
	'Show the QR code of Session > Pair, and scan it with the phone: under Linked devices, then Link a device.';

const HOW_TO_COME_ONLINE: Record<Phase, string> = {
	underWay: SCAN,
	expired: `The QR code has run out: use Session > Refresh. ${SCAN}`,
	offline: `The session is not running. Start it with Session > Start or Session > Pair. ${SCAN}`,
	online:
		"The gateway may have another word for it than this node waits for: enter it in 'Online Statuses'.",
	unknown:
		"If this is your gateway's word for being online, enter it in 'Online Statuses'. Otherwise try Session > Refresh.",
	loggedOut: 'Use Session > Terminate, then Session > Pair.',
	barred: "Look at the phone, and into the gateway's console.",
};

/** Somebody has waited long enough for a QR code. */
export function noCodeYet(status: string | undefined, seconds: number): Explanation {
	return {
		message: `There was no QR code within ${seconds} s: ${seen(status)}`,
		description:
			status === undefined
				? UNREADABLE_STATUS.description
				: phaseOf(status) === 'unknown'
					? `If ${status} is your gateway's word for being online, the phone is paired. Otherwise try Session > Refresh, then Session > Pair.`
					: "Try once more with a longer 'Timeout'. If that changes nothing, use Session > Refresh for a session that hangs, or Session > Terminate for one that is broken, then Session > Pair.",
	};
}
