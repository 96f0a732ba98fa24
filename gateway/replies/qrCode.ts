import { gatewayError } from './errorResponse';
import type { Result } from '../failure';
import { type Image, imageIn, withoutImages } from './image';
import { isObject, type JsonObject } from '../json';
import {
	ENVELOPES,
	type GatewayResponse,
	isWebPage,
	nestedObjects,
	textOf,
	textsUnder,
} from './response';
import { phaseOf, statusWord } from './sessionStatus';

export type QrCode =
	/** `fields` holds the text as `qr`, and everything the gateway sent with it. */
	| { kind: 'text'; text: string; fields: JsonObject }
	/** The gateway draws the code itself. */
	| { kind: 'image'; image: Image };

/** Having no QR code at the moment is a result, not a failure. */
export interface NoQrCode {
	kind: 'none';
	reason: 'alreadyOnline' | 'noneYet';
	status?: string;
}

/** The QR code in a response that was not rejected. */
export function qrCodeIn(response: GatewayResponse): QrCode | NoQrCode {
	const fields = qrText(withoutImages(response.data));
	if (fields) return { kind: 'text', text: fields.qr, fields };
	const image = imageIn(response);
	return image ? { kind: 'image', image } : noQrCodeIn(response);
}

/** Two codes are the same if this is the same. */
export const qrCodeId = (code: QrCode) =>
	code.kind === 'text' ? code.text : code.image.bytes.toString('base64');

const QR_NAMES = ['qr', 'qrCode', 'qrcode', 'qr_code', 'qrText', 'qr_text', 'qrData', 'qr_data'];
const NAMES_WITHIN_QR = ['code', 'text', 'value', 'data', ...QR_NAMES];

/** Excludes prose and words like "connected": the text of a code is longer, and not only letters. */
const looksLikeQr = (text: string) => /^[^\s{[<]\S{5,7088}$/.test(text) && /[\d@/=+]/.test(text);

/** The text of the QR code as `qr`, with the fields next to it. */
export function qrText(data: unknown): (JsonObject & { qr: string }) | undefined {
	const holder = nestedObjects(data, [...ENVELOPES, 'session']).find((object) =>
		QR_NAMES.some((name) => name in object),
	);
	if (holder) return namedQrText(holder);
	const bare = textOf(data);
	if (bare !== undefined) return looksLikeQr(bare) ? { qr: bare } : undefined;
	const found = textsUnder(nestedObjects(data, ENVELOPES), [
		'data',
		'value',
		'result',
		'code',
		'text',
	]).find(({ text }) => looksLikeQr(text));
	return found && { ...found.parent, qr: found.text };
}

/** In a QR field, which excludes only prose and words like "connected". */
const isCode = ({ text }: { text: string }) => /^[^\s{[<]\S*$/.test(text) && /[\d@/=+]/.test(text);

/** If there is a QR field without a code, there is no code: nothing else is taken for one. */
function namedQrText(holder: JsonObject): (JsonObject & { qr: string }) | undefined {
	const named = textsUnder([holder], QR_NAMES).find(isCode);
	if (named) return { ...holder, qr: named.text };
	const inner = QR_NAMES.map((name) => holder[name]).filter(isObject);
	const nested = textsUnder(inner, NAMES_WITHIN_QR).find(isCode);
	return nested && { ...nested.parent, qr: nested.text };
}

function noQrCodeIn(response: GatewayResponse): NoQrCode {
	const status = statusWord(response);
	const phase = phaseOf(status ?? '');
	const objects = nestedObjects(response.data, [...ENVELOPES, 'session', ...QR_NAMES]);
	const texts = textsUnder(objects, ['message', ...NAMES_WITHIN_QR]).map(({ text }) => text);
	const isOnline =
		phase === 'online' ||
		(phase === 'unknown' && [textOf(response.data) ?? '', ...texts].some(saysOnline));
	return isOnline
		? { kind: 'none', reason: 'alreadyOnline', status: status ?? 'ONLINE' }
		: { kind: 'none', reason: 'noneYet', status };
}

/** Statuses with which gateways say that there is no QR code now. A 404 may also mean a wrong URL. */
const NOT_NOW = [200, 400, 404, 409, 410, 422, 425];

const ONLINE_CODE = /^(session_)?(is_)?(already_)?(online|connected|paired|linked|authenticated)$/;
const NO_QR_CODE = /(^|_)qr(_|$)|not_ready|pending|initiali[sz]ing/;
const ONLINE_MESSAGE = /\b(is|already) (online|connected|paired|linked|authenticated)\b/i;

const saysOnline = (text: string) =>
	ONLINE_CODE.test(text.toLowerCase()) ||
	(ONLINE_MESSAGE.test(text) && !/\b(until|wait|no|not)\b/i.test(text));

/** What web frameworks answer for an unknown path, which contains "qr" here. */
const UNKNOWN_PATH = /\bcannot (get|post)\b|\bnot found\b|\/api\//i;

/** What an error response to a request for the QR code says; undefined if it is about something else. */
export function rejectedQrCode({ status, data }: GatewayResponse): NoQrCode | undefined {
	if (!NOT_NOW.includes(status)) return undefined;
	const { code = '', message = '' } = gatewayError(data);
	const alreadyOnline: NoQrCode = { kind: 'none', reason: 'alreadyOnline', status: 'ONLINE' };
	if (saysOnline(code)) return alreadyOnline;
	if (NO_QR_CODE.test(code.toLowerCase())) return { kind: 'none', reason: 'noneYet' };
	if (UNKNOWN_PATH.test(`${code} ${message}`)) return undefined;
	if (saysOnline(message)) return alreadyOnline;
	return /\bqr\b/i.test(message) ? { kind: 'none', reason: 'noneYet' } : undefined;
}

/**
 * The QR code after the gateway has just reported the session's status, so that an error response may only mean that
 * there is no code now.
 */
export function qrCodeResult(result: Result<GatewayResponse>): Result<QrCode | NoQrCode> {
	if ('value' in result) return { value: qrCodeIn(result.value) };
	const { failure } = result;
	if (failure.kind !== 'rejected') return result;
	const none = rejectedQrCode(failure.response);
	if (none) return { value: none };
	return mayHaveQrCodeLater(failure.response)
		? { value: { kind: 'none', reason: 'noneYet' } }
		: result;
}

function mayHaveQrCodeLater(response: GatewayResponse): boolean {
	const { code = '', message = '' } = gatewayError(response.data);
	const isPage = response.status === 200 && isWebPage(response);
	return NOT_NOW.includes(response.status) && !isPage && !UNKNOWN_PATH.test(`${code} ${message}`);
}

/** Whether starting the session was rejected because it runs already. */
export function isAlreadyRunning({ status, data }: GatewayResponse): boolean {
	if (status !== 409 && status !== 422) return false;
	const { code = '', message = '' } = gatewayError(data);
	return /already|running|started|online/i.test(`${code} ${message}`);
}
