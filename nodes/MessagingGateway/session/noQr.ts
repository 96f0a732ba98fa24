import type { INodeExecutionData } from 'n8n-workflow';

import { type Answer, isObject, isWebPage, refusal, sessionStatus } from '../../../gateway/answer';

/** Statuses by which gateways say "not now" for a QR code; a 404 may also mean a wrong URL. */
const NOT_NOW = [200, 400, 404, 409, 410, 422, 425];

const ONLINE_CODE = /^(session_)?(is_)?(already_)?(online|connected|paired|linked|authenticated)$/;
const NO_QR_CODE = /(^|_)qr(_|$)|not_ready|pending|initiali[sz]ing/;
const ONLINE_WORDS = /\b(is|already) (online|connected|paired|linked|authenticated)\b/i;
/** What frameworks say of a path they do not know: the path has "qr" in it. */
const UNKNOWN_PATH = /\bcannot (get|post)\b|\bnot found\b|\/api\//i;

const HINTS = {
	alreadyOnline:
		'The session is online already: there is nothing to scan. To link another phone, use Session > Terminate, then Session > Start.',
	noneYet:
		'There is no QR code yet. Use Session > Start if the session is not running, then ask again in a few seconds.',
	notAQrCode:
		"What came back is a web page, not a QR code. Check 'Base URL' of the credential: it ends before /api/whatsapp.",
};

/** The item that stands for "no QR code at the moment", with what to do next. */
function outcome(reason: keyof typeof HINTS, status?: string): INodeExecutionData {
	const json = { qr: null, available: false, reason, hint: HINTS[reason] };
	return { json: status === undefined ? json : { ...json, status } };
}

export const saysNotNow = ({ status, data }: Answer) => {
	const { code = '', message = '' } = refusal(data);
	return NOT_NOW.includes(status) && !UNKNOWN_PATH.test(`${code} ${message}`);
};

/** That there is no QR code at the moment is an outcome to branch on, not a reason to stop. */
export function noQr(answer: Answer): INodeExecutionData[] | undefined {
	const { status, data } = answer;
	if (!NOT_NOW.includes(status)) return undefined;
	const { code = '', message = '' } = refusal(data);
	const spelled = code.toLowerCase();
	if (ONLINE_CODE.test(spelled)) return [outcome('alreadyOnline', 'ONLINE')];
	if (NO_QR_CODE.test(spelled)) return [outcome('noneYet')];
	if (UNKNOWN_PATH.test(`${code} ${message}`)) return undefined;
	if (ONLINE_WORDS.test(message) && !/\b(until|wait|no|not)\b/i.test(message)) {
		return [outcome('alreadyOnline', 'ONLINE')];
	}
	return /\bqr\b/i.test(message) ? [outcome('noneYet')] : undefined;
}

/** A good answer with neither text nor picture in it. */
export function withoutQr(answer: Answer): INodeExecutionData {
	if (isWebPage(answer)) return outcome('notAQrCode');
	const status = isObject(answer.data) ? sessionStatus(answer.data)?.status : undefined;
	const spelled = typeof status === 'string' ? status.toUpperCase() : undefined;
	return outcome(spelled === 'ONLINE' ? 'alreadyOnline' : 'noneYet', spelled);
}
