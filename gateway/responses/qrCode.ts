import { type Image, imageFrom, imageInText, qrImage } from '../files/qrImage';
import type { JsonObject } from '../json';
import type { GatewayResponse } from '../wire/response';
import { NAMES, phaseOf, phaseOfCode, trimmedText } from './dialect';
import { ABOUT_ITSELF, ANY, find, gatewayError, type NamedValue, NO_NAME } from './find';
import type { Result } from './failure';
import { sessionIn, tellsState } from './sessionStatus';

export type QrCode =
	/** `fields` contains the text as `qr`, and everything that the gateway sent with it. */
	| { kind: 'text'; text: string; fields: JsonObject }
	/** The gateway sent the code as an image. */
	| { kind: 'image'; image: Image };

/** A missing QR code is a result, not a failure: the session may be online, or the code not ready yet. */
export interface NoQrCode {
	kind: 'none';
	reason: 'alreadyOnline' | 'link' | 'noneYet';
	status?: string;
}

/** Returns the QR code in a response of success, or why it has none. */
export function qrCodeIn(response: GatewayResponse): QrCode | NoQrCode {
	const fields = qrText(withoutImages(response.data));
	if (fields) return { kind: 'text', text: fields.qr, fields };
	const image = imageIn(response);
	return image ? { kind: 'image', image } : noQrCodeIn(response);
}

/** Returns the image that the gateway sent, or draws one from the code's text. */
export const imageOf = (code: QrCode): Image =>
	code.kind === 'text' ? qrImage(code.text) : code.image;

/** Returns what identifies a code: two codes are the same if their IDs are. */
export const qrCodeId = (code: QrCode) =>
	code.kind === 'text' ? code.text : code.image.bytes.toString('base64');

/** Finds the texts that are images, at any depth. */
const imagesIn = (data: unknown) =>
	find(data, ANY, { through: () => true, everyEntry: true }).flatMap(({ value: text }) => {
		const image = typeof text === 'string' ? imageInText(text.trim()) : undefined;
		return image ? [{ text, image }] : [];
	});

/** Returns the image in a response. */
export const imageIn = ({ bytes, data }: GatewayResponse): Image | undefined =>
	imageFrom(bytes) ?? imagesIn(data)[0]?.image;

/** Returns the data without its images, because the node outputs those as binary data. */
export function withoutImages(data: unknown): unknown {
	const images = new Set(imagesIn(data).map(({ text }) => text));
	if (images.size === 0) return data;
	const text = JSON.stringify(data, (_, value: unknown) => (images.has(value) ? undefined : value));
	// There is no JSON text if the data itself is the image.
	return text && (JSON.parse(text) as unknown);
}

const QR_TEXTS = [...NAMES.qrTexts, NO_NAME];
const IN_QR = { within: ['session', ...NAMES.qrCodes] };

/** Returns the text of the QR code as `qr`, with the fields next to it. If there is a QR field, no other field counts as one. */
export function qrText(data: unknown): (JsonObject & { qr: string }) | undefined {
	const named = find(data, NAMES.qrCodes, { within: ['session'] });
	const inner = named.flatMap(({ value }) => find(value, QR_TEXTS, IN_QR));
	const others = find(data, QR_TEXTS).filter(({ value }) => isLongCode(trimmedText(value)));
	const found = (named.length > 0 ? [...named, ...inner] : others).find(isCode);
	return found && { ...found.holder, qr: trimmedText(found.value) };
}

/** Matches links to an image or a page. Links of the chat service itself are newer QR codes, with the code after a #. */
const LINK = /^(https?:\/(?!\/(\w+\.)*(wa\.me|whatsapp\.com)\/)|\/)/i;
/** Matches pairing codes, error codes, phone numbers, UUIDs, times, file names and mail addresses. */
const NO_CODE = /^[\w-]{1,19}$|^\+?\d+$|^[\da-f-]{36}$|^\d{4}-\d\d-\d\dT|\.[a-z]{2,5}$/i;
/** Whether a value is the text of a QR code. Excludes prose, words such as "connected", links, and images of unknown types. */
const isCode = ({ value }: NamedValue) =>
	/^(?!data:)[^\s{[<][^\s\p{C}\uFFFD]*$/iu.test(trimmedText(value)) &&
	/[\d@/=+]/.test(trimmedText(value)) &&
	![LINK, NO_CODE].some((other) => other.test(trimmedText(value)));
const isLongCode = ({ length }: string) => length > 5 && length < 7_090;

function noQrCodeIn(response: GatewayResponse): NoQrCode {
	const { data } = response;
	const { status, phase } = sessionIn(response);
	const named = find(data, [...NAMES.qrCodes, ...QR_TEXTS], IN_QR);
	const { code, message } = gatewayError(data);
	const texts = [code, message, ...named.map(({ value }) => trimmedText(value))];
	const isOnline = texts.some((text) => phaseOfCode(text) === 'online');
	if (phase === 'online' || (phase === 'unknown' && isOnline)) {
		return { kind: 'none', reason: 'alreadyOnline', status: status ?? 'ONLINE' };
	}
	// The links of an error are about the error.
	const isLink = ({ value }: NamedValue) => response.status < 300 && LINK.test(trimmedText(value));
	const reason = find(data, ANY, ABOUT_ITSELF).some(isLink) ? 'link' : 'noneYet';
	return { kind: 'none', reason, status };
}

/** Excludes `/qr` in the path of the request, because web frameworks repeat a path that they do not know. */
const QR = /(?<![/a-z])qr(?![a-z])/i;

/** Returns why there is no QR code, if an error response says so; undefined if the error is about something else. */
export function rejectedQrCode(response: GatewayResponse): NoQrCode | undefined {
	const none = noQrCodeIn(response);
	const { code, message } = gatewayError(response.data);
	const isAboutIt =
		none.reason === 'alreadyOnline' ||
		[none.status ?? '', code].some((word) => phaseOf(word) !== 'unknown') ||
		QR.test(`${code} ${message}`);
	return tellsState(response) && isAboutIt ? none : undefined;
}

/** Returns the QR code. Call it right after the gateway reported a status, because it reads an error as no QR code at the moment. */
export function qrCodeResult(result: Result<GatewayResponse>): Result<QrCode | NoQrCode> {
	if ('value' in result) return { value: qrCodeIn(result.value) };
	const { failure } = result;
	const isNone = failure.kind === 'rejected' && tellsState(failure.response);
	return isNone ? { value: noQrCodeIn(failure.response) } : result;
}

/** Whether the gateway rejected the start of a session because it is already running. */
export function isAlreadyRunning(response: GatewayResponse): boolean {
	const { code, message } = gatewayError(response.data);
	const isConflict =
		[409, 422].includes(response.status) && sessionIn(response).phase !== 'offline';
	return (
		[code, message].some((text) => phaseOfCode(text) === 'online') ||
		(isConflict && /already|running|started|online/i.test(`${code} ${message}`))
	);
}
