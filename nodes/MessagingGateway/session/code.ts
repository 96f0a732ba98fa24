import type { INodeExecutionData } from 'n8n-workflow';

import { type Answer, isWebPage, qrCode } from '../../../gateway/answer';
import { type Picture, pictureIn, withoutPictures } from '../../../gateway/picture';
import { qrPicture } from '../../../gateway/qrPicture';
import type { Asked, NotAnswered } from '../ask';
import { Refused } from '../refusals';
import { noQr, saysNotNow, withoutQr } from './noQr';

/** A code to scan: its text, or only a picture where the gateway draws it itself. */
export interface Code {
	text: string | null;
	picture: () => Picture;
	/** Two codes are the same where this is. */
	identity: string;
}

/** The text of the code, as `qr` beside everything that came with it. */
export const qrTextIn = (answer: Answer) =>
	isWebPage(answer) ? undefined : qrCode(withoutPictures(answer.data));

export function codeIn(answer: Answer): Code | undefined {
	const found = qrTextIn(answer);
	if (found) {
		const text = String(found.qr);
		return { text, picture: () => qrPicture(text, 'png'), identity: text };
	}
	const given = pictureIn(answer);
	return given && { text: null, picture: () => given, identity: given.bytes.toString('base64') };
}

/**
 * A code, or that there is none at the moment. That a gateway refuses it for now is no reason to stop, in whatever words:
 * it has told its status a moment ago.
 */
export function readCode(
	asked: Asked | undefined,
): { code?: Code; isOnline?: boolean } | NotAnswered | undefined {
	if (!asked) return undefined;
	if ('answer' in asked) {
		const code = codeIn(asked.answer);
		return code ? { code } : { isOnline: isOnlineAlready(withoutQr(asked.answer)) };
	}
	const answer = asked.thrown instanceof Refused ? asked.thrown.answer : undefined;
	const none = answer && noQr(answer)?.[0];
	if (none) return { isOnline: isOnlineAlready(none) };
	return answer && saysNotNow(answer) ? {} : asked;
}

const isOnlineAlready = ({ json }: INodeExecutionData) => json.reason === 'alreadyOnline';
