import { type Answer, isWebPage, qrCode } from '../../../gateway/answer';
import { type Picture, pictureIn, withoutPictures } from '../../../gateway/picture';
import { qrPicture } from '../../../gateway/qrPicture';
import type { Asked } from '../ask';
import { Refused } from '../refusals';
import { noQr, withoutQr } from './noQr';

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

/** What the gateway said instead of a code, where that is "none at the moment": alreadyOnline or noneYet, say. */
export function whyNoCode(asked: Asked): unknown {
	if ('answer' in asked) return withoutQr(asked.answer).json.reason;
	return asked.thrown instanceof Refused ? noQr(asked.thrown.answer)?.[0]?.json.reason : undefined;
}
