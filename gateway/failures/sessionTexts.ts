import { causeText, type ErrorText } from '../responses/failure';
import { type Phase, phaseOf } from '../responses/dialect';
import table from './howToGetOnline.json';

const howToGetOnline: Partial<Record<Phase, string>> = table;

export const UNREADABLE_STATUS = causeText('noStatus');

const WAIT =
	"To send when the session is online, use Session > Wait Until Online first, or set 'When Offline' to Wait.";

/** For a message that was not sent. */
export function offlineText(status: string): ErrorText {
	const phase = phaseOf(status);
	const whatToDo = howToGetOnline[phase] ?? '';
	return {
		cause: 'offline',
		message: `The session is not online: its status is ${status}`,
		description: phase === 'banned' ? whatToDo : `${whatToDo} ${WAIT}`,
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
	happened: string,
	status: string | undefined,
	description: string,
	cause: string,
): ErrorText =>
	status === undefined
		? { ...UNREADABLE_STATUS, message: `${happened}: no status could be read` }
		: { message: `${happened}: its last status is ${status}`, description, cause };

export const notOnlineText = (status: string | undefined, seconds: number) =>
	withLastStatus(
		`The session did not come online within ${seconds} s`,
		status,
		howToGetOnline[phaseOf(status ?? '')] ?? '',
		'offline',
	);

export const noQrCodeText = (status: string | undefined, seconds: number) =>
	withLastStatus(
		`No QR code was available within ${seconds} s`,
		status,
		phaseOf(status ?? '') === 'unknown'
			? `If ${status} is your gateway's word for online, the phone is paired. Otherwise try Session > Refresh, then Session > Pair.`
			: "Try again with a longer 'Timeout'. If that changes nothing, use Session > Refresh for a session that hangs, or Session > Terminate for one that is broken, then Session > Pair.",
		'no_qr_code',
	);
