import type { ErrorText } from '../replies/failure';
import { gatewayText, START_OR_PAIR } from './errorCatalog';
import { type Phase, phaseOf } from '../replies/sessionStatus';

/** Why waiting cannot help in this status; undefined if it may. */
export function permanentStatus(status: string): ErrorText | undefined {
	const phase = phaseOf(status);
	if (phase !== 'loggedOut' && phase !== 'banned') return undefined;
	const { message, description } = gatewayText(phase);
	return {
		message: `${message} (${status})`,
		description: `Waiting does not help. ${description}`,
	};
}

export const UNREADABLE_STATUS = gatewayText('noStatus');

const lastStatus = (status: string | undefined) =>
	status === undefined ? 'no status could be read' : `its last status is ${status}`;

export function notOnline(status: string | undefined, seconds: number): ErrorText {
	return {
		message: `The session did not come online within ${seconds} s: ${lastStatus(status)}`,
		description:
			status === undefined ? UNREADABLE_STATUS.description : HOW_TO_GET_ONLINE[phaseOf(status)],
	};
}

const SCAN =
	'Show the QR code of Session > Pair, and scan it with the phone: under Linked devices, then Link a device.';

const HOW_TO_GET_ONLINE: Record<Phase, string> = {
	pairing: SCAN,
	expired: `The QR code has expired: use Session > Refresh. ${SCAN}`,
	offline: `The session is not running. ${START_OR_PAIR}`,
	online:
		"Your gateway may use another word for online than this node expects: add it to 'Online Statuses'.",
	unknown:
		"If this is your gateway's word for online, add it to 'Online Statuses'. Otherwise try Session > Refresh.",
	loggedOut: 'Use Session > Terminate, then Session > Pair.',
	banned: "Check the phone and the gateway's console.",
};

/** For a message that was not sent. */
export function offline(status: string): ErrorText {
	const phase = phaseOf(status);
	const wait =
		"To send when the session is online, use Session > Wait Until Online first, or set 'When Offline' to Wait.";
	return {
		message: `The session is not online: its status is ${status}`,
		description: [HOW_TO_GET_ONLINE[phase], phase !== 'banned' && wait].filter(Boolean).join(' '),
	};
}

export function noQrCode(status: string | undefined, seconds: number): ErrorText {
	return {
		message: `No QR code was available within ${seconds} s: ${lastStatus(status)}`,
		description: howToGetQrCode(status),
	};
}

function howToGetQrCode(status: string | undefined): string {
	if (status === undefined) return UNREADABLE_STATUS.description;
	if (phaseOf(status) === 'unknown') {
		return `If ${status} is your gateway's word for online, the phone is paired. Otherwise try Session > Refresh, then Session > Pair.`;
	}
	return "Try again with a longer 'Timeout'. If that changes nothing, use Session > Refresh for a session that hangs, or Session > Terminate for one that is broken, then Session > Pair.";
}
