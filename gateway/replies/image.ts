import { dataUrl } from '../dataUrl';
import { extensionOf, imageType } from '../fileType';
import { isObject } from '../json';
import { percentDecoded } from '../percentDecoded';
import { contentType, type GatewayResponse, MAX_DEPTH } from './response';

export interface Image {
	bytes: Buffer;
	mimeType: string;
	extension: string;
}

function imageOf(bytes: Buffer, declaredType?: string): Image | undefined {
	const mimeType = imageType(bytes) ?? declaredType;
	if (mimeType === undefined || bytes.length === 0) return undefined;
	return { bytes, mimeType, extension: extensionOf(mimeType) ?? 'img' };
}

function imageInText(text: string): Image | undefined {
	const url = dataUrl(text);
	if (url?.mimeType.startsWith('image/')) {
		const { content, mimeType, isBase64 } = url;
		const bytes = isBase64 ? Buffer.from(content, 'base64') : Buffer.from(percentDecoded(content));
		return imageOf(bytes, mimeType);
	}
	const looksLikeBase64 = text.length > 40 && /^[\w+/\s-]+={0,2}$/.test(text);
	return imageOf(Buffer.from(text, looksLikeBase64 ? 'base64' : 'utf8'));
}

/** An image is not among millions of values, and looking at each of them would block n8n. */
const MAX_VALUES = 1_000;

function imageInJson(data: unknown, values = { left: MAX_VALUES }, depth = 0): Image | undefined {
	values.left -= 1;
	if (typeof data === 'string') return imageInText(data.trim());
	if (depth > MAX_DEPTH || typeof data !== 'object' || data === null) return undefined;
	for (const value of Object.values(data) as unknown[]) {
		if (values.left <= 0) return undefined;
		const image = imageInJson(value, values, depth + 1);
		if (image) return image;
	}
	return undefined;
}

/** The image in a response: its bytes, or a data URL or base64 text in JSON or plain text. */
export function imageIn(response: GatewayResponse): Image | undefined {
	const declaredType = contentType(response);
	return (
		imageOf(response.bytes) ??
		imageInJson(response.data) ??
		(declaredType.startsWith('image/') && typeof response.data === 'string'
			? imageOf(response.bytes, declaredType)
			: undefined)
	);
}

/** The data without its images, which leave the node as binary data. */
export function withoutImages(data: unknown, values = { left: MAX_VALUES }): unknown {
	if (typeof data === 'string') return imageInText(data.trim()) ? undefined : data;
	if (!Array.isArray(data) && !isObject(data)) return data;
	const names = Object.keys(data);
	values.left -= names.length;
	if (values.left < 0) return data;
	if (Array.isArray(data)) return data.map((value) => withoutImages(value, values));
	return Object.fromEntries(
		names
			.map((name) => [name, withoutImages(data[name], values)] as const)
			.filter(([, value]) => value !== undefined),
	);
}
