import { type Answer, contentType, isObject } from './answer';

export interface Picture {
	bytes: Buffer;
	mimeType: string;
	extension: string;
}

const EXTENSIONS: Record<string, string> = {
	'image/png': 'png',
	'image/jpeg': 'jpg',
	'image/gif': 'gif',
	'image/webp': 'webp',
	'image/svg+xml': 'svg',
};

/** What the bytes are, by how they begin: gateways send pictures as octet-stream, too. */
function mimeTypeOf(bytes: Buffer): string | undefined {
	const start = bytes.subarray(0, 16).toString('latin1');
	if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
	if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
	if (start.startsWith('GIF8')) return 'image/gif';
	if (start.startsWith('RIFF') && start.endsWith('WEBP', 12)) return 'image/webp';
	const opening = bytes
		.subarray(0, 512)
		.toString('utf8')
		.replace(/^\ufeff/, '')
		.trimStart();
	if (/^(<\?xml[^>]*>\s*)?(<!--[^]*?-->\s*)?(<!doctype svg[^>]*>\s*)?<svg[\s>]/i.test(opening)) {
		return 'image/svg+xml';
	}
	return undefined;
}

function pictureOf(bytes: Buffer, declared?: string): Picture | undefined {
	const mimeType = mimeTypeOf(bytes) ?? declared;
	if (mimeType === undefined || bytes.length === 0) return undefined;
	return { bytes, mimeType, extension: EXTENSIONS[mimeType] ?? 'img' };
}

const DATA_URL = /^data:(image\/[\w.+-]+)((?:;[^;,]*)*),/i;

function pictureInText(text: string): Picture | undefined {
	const [prefix, mimeType, parameters = ''] = DATA_URL.exec(text) ?? [];
	if (prefix !== undefined) {
		const content = text.slice(prefix.length);
		const isBase64 = /;base64$/i.test(parameters);
		const bytes = isBase64 ? Buffer.from(content, 'base64') : Buffer.from(percentDecoded(content));
		return pictureOf(bytes, mimeType?.toLowerCase());
	}
	const looksLikeBase64 = text.length > 40 && /^[\w+/\s-]+={0,2}$/.test(text);
	return pictureOf(Buffer.from(text, looksLikeBase64 ? 'base64' : 'utf8'));
}

function percentDecoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

function pictureInJson(data: unknown, depth = 0): Picture | undefined {
	if (typeof data === 'string') return pictureInText(data.trim());
	if (depth > 4 || typeof data !== 'object' || data === null) return undefined;
	for (const value of Object.values(data)) {
		const found = pictureInJson(value, depth + 1);
		if (found) return found;
	}
	return undefined;
}

/** The picture in an answer: its bytes as they are, or a data URL or base64 inside JSON or text. */
export function pictureIn(answer: Answer): Picture | undefined {
	const declared = contentType(answer);
	return (
		pictureOf(answer.bytes) ??
		pictureInJson(answer.data) ??
		(declared.startsWith('image/') && typeof answer.data === 'string'
			? pictureOf(answer.bytes, declared)
			: undefined)
	);
}

/** JSON without the pictures inside it: they leave as binary data, and once is enough. */
export function withoutPictures(data: unknown): unknown {
	if (typeof data === 'string') return pictureInText(data.trim()) ? undefined : data;
	if (Array.isArray(data)) return data.map(withoutPictures);
	if (!isObject(data)) return data;
	return Object.fromEntries(
		Object.entries(data)
			.map(([name, value]) => [name, withoutPictures(value)] as const)
			.filter(([, value]) => value !== undefined),
	);
}
