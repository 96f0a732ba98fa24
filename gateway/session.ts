import { type Answer, isWebPage, sessionStatus } from './answer';
import type { Explanation } from './explanation';

const WORD = /^[a-z][\w-]{1,39}$/i;
/** What envelopes say of themselves. */
const NO_STATUS = ['OK', 'SUCCESS', 'TRUE', 'FALSE'];

/** The session's status as one word in capitals; undefined where the answer holds none. */
export function statusWord(answer: Answer): string | undefined {
	const found = isWebPage(answer) ? undefined : sessionStatus(answer.data)?.status;
	const word = typeof found === 'string' && WORD.test(found) ? found.toUpperCase() : undefined;
	return word !== undefined && NO_STATUS.includes(word) ? undefined : word;
}

/** What a status means to somebody who wants to pair or to wait. */
export type Phase = 'online' | 'underWay' | 'offline' | 'loggedOut' | 'barred' | 'unknown';

/** The four documented statuses, and what other gateways call the same. */
const PHASES: Array<[Exclude<Phase, 'unknown'>, RegExp]> = [
	['online', /^(ONLINE|CONNECTED|PAIRED|LINKED|AUTHENTICATED|READY)$/],
	['loggedOut', /^(AUTH(ENTICATION)?_?(FAILURE|FAILED|ERROR)|LOGGED_?OUT)$/],
	['barred', /^(BANNED|BLOCKED|SUSPENDED)$/],
	['offline', /^(DISCONNECTED|OFFLINE|STOPPED|CLOSED|NOT_STARTED|TERMINATED|INACTIVE)$/],
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
				: "Try once more with a longer 'Timeout'. If that changes nothing, use Session > Refresh for a session that hangs, or Session > Terminate for one that is broken, then Session > Pair.",
	};
}
