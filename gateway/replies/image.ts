import { dataUrl } from '../files/base64File';
import { extensionOf, imageType } from '../files/fileType';
import { percentDecoded } from '../percentDecoded';
import { ANY, BARE, find } from './dialect';
import { contentType, type GatewayResponse } from '../wire/response';

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
	if (!url) return imageOf(Buffer.from(text, 'base64')) ?? imageOf(Buffer.from(text));
	const { content, mimeType, isBase64 } = url;
	const bytes = isBase64 ? Buffer.from(content, 'base64') : Buffer.from(percentDecoded(content));
	return mimeType.startsWith('image/') ? imageOf(bytes, mimeType) : undefined;
}

/** The texts in the data that are images. */
const imagesIn = (data: unknown) =>
	find(data, [BARE], { within: ANY, everyEntry: true }).flatMap(({ value: text }) => {
		const image = typeof text === 'string' ? imageInText(text.trim()) : undefined;
		return image ? [{ text, image }] : [];
	});

/** The image in a response: its bytes, or a data URL or base64 text in JSON or plain text. */
export function imageIn(response: GatewayResponse): Image | undefined {
	const { bytes, data } = response;
	const declaredType = contentType(response);
	return (
		imageOf(bytes) ??
		imagesIn(data)[0]?.image ??
		(declaredType.startsWith('image/') && typeof data === 'string'
			? imageOf(bytes, declaredType)
			: undefined)
	);
}

/** The data without its images, which leave the node as binary data. */
export function withoutImages(data: unknown): unknown {
	const images = new Set(imagesIn(data).map(({ text }) => text));
	if (images.size === 0) return data;
	const text = JSON.stringify(data, (_, value: unknown) => (images.has(value) ? undefined : value));
	// All of it may be an image.
	return text && (JSON.parse(text) as unknown);
}
