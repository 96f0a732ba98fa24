import { dataUrl } from '../files/base64File';
import { extensionOf, imageType } from '../files/fileType';
import type { JsonObject } from '../json';
import { percentDecoded } from '../percentDecoded';
import type { GatewayResponse } from '../wire/response';
import { ANY, type NamedValue, find, gatewayError, NAMES, trimmedText } from './dialect';
import type { Result } from './failure';
import { phaseInError, phaseOf, phaseOfSession, statusWord, tellsState } from './sessionStatus';

export interface Image {
	bytes: Buffer;
	mimeType: string;
	extension: string;
}

export type QrCode =
	/** `fields` holds the text as `qr`, and everything the gateway sent with it. */
	| { kind: 'text'; text: string; fields: JsonObject }
	/** The gateway draws the code itself. */
	| { kind: 'image'; image: Image };

/** Having no QR code at the moment is a result, not a failure. */
export interface NoQrCode {
	kind: 'none';
	reason: 'alreadyOnline' | 'link' | 'noneYet';
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

function imageFrom(bytes: Buffer): Image | undefined {
	const mimeType = imageType(bytes);
	return mimeType ? { bytes, mimeType, extension: extensionOf(mimeType)! } : undefined;
}

/** A text may be a data URL, base64 or SVG. */
function imageInText(text: string): Image | undefined {
	const url = dataUrl(text);
	const decoded = url ? percentDecoded(url.content) : text;
	return imageFrom(Buffer.from(url?.content ?? text, 'base64')) ?? imageFrom(Buffer.from(decoded));
}

/** The texts in the data that are images. */
const imagesIn = (data: unknown) =>
	find(data, ANY, { through: /^/, everyEntry: true }).flatMap(({ value: text }) => {
		const image = typeof text === 'string' ? imageInText(text.trim()) : undefined;
		return image ? [{ text, image }] : [];
	});

/** The image in a response. Its first bytes show its type, whatever the content type says. */
export const imageIn = ({ bytes, data }: GatewayResponse): Image | undefined =>
	imageFrom(bytes) ?? imagesIn(data)[0]?.image;

/** The data without its images, which leave the node as binary data. */
export function withoutImages(data: unknown): unknown {
	const images = new Set(imagesIn(data).map(({ text }) => text));
	if (images.size === 0) return data;
	const text = JSON.stringify(data, (_, value: unknown) => (images.has(value) ? undefined : value));
	// All of it may be an image.
	return text && (JSON.parse(text) as unknown);
}

const IN_QR = { within: ['session', ...NAMES.qrCodes] };

/** The text of the QR code as `qr`, with the fields next to it. If there is a QR field, nothing else is taken for one. */
export function qrText(data: unknown): (JsonObject & { qr: string }) | undefined {
	const named = find(data, NAMES.qrCodes, { within: ['session'] });
	const inner = named.flatMap(({ value }) => find(value, NAMES.qrTexts, IN_QR));
	const others = find(data, NAMES.qrTexts).filter(({ value }) => isLongCode(trimmedText(value)));
	const found = (named.length > 0 ? [...named, ...inner] : others).find(isCode);
	return found && { ...found.holder, qr: trimmedText(found.value) };
}

/** To an image or a page. Newer codes are links of the chat service itself, with the code behind a #. */
const PAIRING_LINK = /^(https?:\/(?!\/(\w+\.)*(wa\.me|whatsapp\.com)\/)|\/)/i;
/** A pairing code or error code, a phone number, a UUID, a time, a file, a mail address. */
const NO_CODE = /^[\w-]{1,19}$|^\+?\d+$|^[\da-f-]{36}$|^\d{4}-\d\d-\d\dT|\.[a-z]{2,5}$/i;
/** Excludes prose, words like "connected", links, and images of a type that is not read. */
const isCode = ({ value }: NamedValue) =>
	/^(?!data:)[^\s{[<]\S*$/i.test(trimmedText(value)) &&
	/[\d@/=+]/.test(trimmedText(value)) &&
	![PAIRING_LINK, NO_CODE].some((other) => other.test(trimmedText(value)));
const isLongCode = ({ length }: string) => length > 5 && length < 7_090;

function noQrCodeIn(response: GatewayResponse): NoQrCode {
	const status = statusWord(response);
	const phase = phaseOf(status ?? '');
	const { code = '', message = '' } = gatewayError(response.data);
	const facts = find(response.data, [...NAMES.qrCodes, ...NAMES.qrTexts], IN_QR);
	const texts = [code, message, ...facts.map(({ value }) => trimmedText(value))];
	const isOnline = texts.some((text) => phaseInError(text) === 'online');
	if (phase === 'online' || (phase === 'unknown' && isOnline)) {
		return { kind: 'none', reason: 'alreadyOnline', status: status ?? 'ONLINE' };
	}
	const reason = texts.some((text) => PAIRING_LINK.test(text)) ? 'link' : 'noneYet';
	return { kind: 'none', reason, status };
}

/** Not in the path of a request, which web frameworks repeat if they do not know it. */
const QR = /(?<![/a-z])qr(?![a-z])/i;

/** What an error response to a request for the QR code says; undefined if it is about something else. */
export function rejectedQrCode(response: GatewayResponse): NoQrCode | undefined {
	const { code = '', message = '' } = gatewayError(response.data);
	const none = noQrCodeIn(response);
	const isAboutIt =
		none.reason === 'alreadyOnline' ||
		[none.status ?? '', code].some((word) => phaseOf(word) !== 'unknown') ||
		QR.test(`${code} ${message}`);
	return tellsState(response) && isAboutIt ? none : undefined;
}

/** The QR code. The gateway has just reported the session's status, so an error may only mean that there is none now. */
export function qrCodeResult(result: Result<GatewayResponse>): Result<QrCode | NoQrCode> {
	if ('value' in result) return { value: qrCodeIn(result.value) };
	const { failure } = result;
	const isNone = failure.kind === 'rejected' && tellsState(failure.response);
	return isNone ? { value: noQrCodeIn(failure.response) } : result;
}

/** Whether starting the session was rejected because it runs already. */
export function isAlreadyRunning(response: GatewayResponse): boolean {
	const { code = '', message = '' } = gatewayError(response.data);
	const isConflict = [409, 422].includes(response.status) && phaseOfSession(response) !== 'offline';
	return (
		[code, message].some((text) => phaseInError(text) === 'online') ||
		(isConflict && /already|running|started|online/i.test(`${code} ${message}`))
	);
}
