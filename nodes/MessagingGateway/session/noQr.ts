import type { INodeExecutionData } from 'n8n-workflow';

import {
	type Answer,
	contents,
	isObject,
	isWebPage,
	refusal,
	sessionStatus,
} from '../../../gateway/answer';

/** Statuses by which gateways say "not now" for a QR code; a 404 may also mean a wrong URL. */
const NOT_NOW = [404, 409, 410, 422, 425];
const ONLINE = /\b(already|online|connected|paired|linked|authenticated)\b/i;
const ABOUT_QR = /\b(qr|scan)\b/i;

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

const words = (text = '') => text.replace(/[_-]+/g, ' ');

/** That there is no QR code at the moment is an outcome to branch on, not a reason to stop. */
export function noQr(answer: Answer): INodeExecutionData[] | undefined {
	const data = contents(answer);
	if (!NOT_NOW.includes(answer.status) || !isObject(data)) return undefined;
	const { code, message } = refusal(data);
	const said = words(`${code ?? ''} ${message ?? ''}`);
	if (ONLINE.test(said) && !/\bnot\b/i.test(said)) return [outcome('alreadyOnline', 'ONLINE')];
	return ABOUT_QR.test(said) ? [outcome('noneYet')] : undefined;
}

/** A good answer with neither text nor picture in it. */
export function withoutQr(answer: Answer, data: unknown): INodeExecutionData {
	if (isWebPage(answer)) return outcome('notAQrCode');
	const status = isObject(data) ? sessionStatus(data)?.status : undefined;
	const spelled = typeof status === 'string' ? status.toUpperCase() : undefined;
	return outcome(spelled === 'ONLINE' ? 'alreadyOnline' : 'noneYet', spelled);
}
