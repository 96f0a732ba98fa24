import type { ErrorText } from '../responses/failure';
import { type Phase, phaseOf } from '../responses/sessionStatus';
import { causeText } from './causes';

export const UNREADABLE_STATUS = causeText('noStatus');

const START_OR_PAIR =
	'Use Session > Pair: it starts the session, and outputs a QR code if the phone has to be paired again.';
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
export function offlineText(status: string): ErrorText {
	const phase = phaseOf(status);
	const wait =
		"To send when the session is online, use Session > Wait Until Online first, or set 'When Offline' to Wait.";
	return {
		cause: 'offline',
		message: `The session is not online: its status is ${status}`,
		description: [HOW_TO_GET_ONLINE[phase], phase !== 'banned' && wait].filter(Boolean).join(' '),
	};
}

/** Why waiting cannot help in this status; undefined if it may. */
export function permanentStatusText(status: string): ErrorText | undefined {
	const phase = phaseOf(status);
	if (phase !== 'loggedOut' && phase !== 'banned') return undefined;
	const { message, description, cause } = causeText(phase);
	const noUse = `Waiting does not help. ${description}`;
	return { message: `${message} (${status})`, description: noUse, cause };
}

const withLastStatus = (
	message: string,
	status: string | undefined,
	{ description, cause }: Omit<ErrorText, 'message'>,
): ErrorText =>
	status === undefined
		? { ...UNREADABLE_STATUS, message: `${message}: no status could be read` }
		: { message: `${message}: its last status is ${status}`, description, cause };

export const notOnlineText = (lastStatus: string | undefined, seconds: number) =>
	withLastStatus(`The session did not come online within ${seconds} s`, lastStatus, {
		description: HOW_TO_GET_ONLINE[phaseOf(lastStatus ?? '')],
		cause: 'offline',
	});

export const noQrCodeText = (lastStatus: string | undefined, seconds: number) =>
	withLastStatus(`No QR code was available within ${seconds} s`, lastStatus, {
		description:
			phaseOf(lastStatus ?? '') === 'unknown'
				? `If ${lastStatus} is your gateway's word for online, the phone is paired. Otherwise try Session > Refresh, then Session > Pair.`
				: "Try again with a longer 'Timeout'. If that changes nothing, use Session > Refresh for a session that hangs, or Session > Terminate for one that is broken, then Session > Pair.",
		cause: 'no_qr_code',
	});
