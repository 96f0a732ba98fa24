import table from './fileTypes.json';

/** The usual extensions of each type. The preferred one comes first. */
const EXTENSIONS: Record<string, string[]> = table.extensions;

const TYPES = new Map(
	Object.entries(EXTENSIONS).flatMap(([type, extensions]) =>
		extensions.map((extension) => [extension, type] as const),
	),
);

export const extensionOf = (mimeType: string): string | undefined =>
	new Map(Object.entries(EXTENSIONS)).get(mimeType.replace(/;.*/, ''))?.[0];

const EXTENSION = /\.([a-z0-9]{1,10})$/i; // e.g. of invoice.pdf

export const hasExtension = (fileName: string) => EXTENSION.test(fileName);

export const typeOfName = (fileName: string): string | undefined =>
	TYPES.get(EXTENSION.exec(fileName)?.[1]?.toLowerCase() ?? '');

/** By its first bytes, e.g. `^GIF8`. Those of `others` do not identify a type for certain: a DOCX file also starts as a ZIP file. */
const signatures = (kind: keyof typeof table.firstBytes) =>
	table.firstBytes[kind].map(([bytes, type]) => [new RegExp(bytes!, 's'), type!] as const);
const [PDF, IMAGES, OTHERS] = [signatures('pdf'), signatures('images'), signatures('others')];

function signedType(bytes: Uint8Array, known: typeof PDF): string | undefined {
	const start = Buffer.from(bytes.subarray(0, 40)).toString('latin1');
	return known.find(([signature]) => signature.test(start))?.[1];
}

const SVG = /^\s*(<\?xml[^>]*>\s*)?(<!--[^]*?-->\s*)?(<!doctype svg[^>]*>\s*)?<svg[\s>]/i;

/** Returns the type of an image by its first bytes, because servers also send images as octet-stream. */
export const imageType = (bytes: Uint8Array): string | undefined =>
	signedType(bytes, IMAGES) ??
	(SVG.test(Buffer.from(bytes.subarray(0, 512)).toString('utf8')) ? 'image/svg+xml' : undefined);

/** Returns a type that the first bytes identify for certain, whatever the server declares. */
const certainType = (bytes: Buffer) => imageType(bytes) ?? signedType(bytes, PDF);

export const isBinaryType = (bytes: Buffer) =>
	(certainType(bytes) ?? signedType(bytes, OTHERS)) !== undefined;

/** Whether all bytes are text in UTF-8, or the first two are a byte order mark of UTF-16. */
export function isText(bytes: Uint8Array): boolean {
	const [first = 0, second = 0] = bytes;
	if (first + second === 0xff + 0xfe && first >= 0xfe) return true;
	try {
		new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		return true;
	} catch {
		return false;
	}
}

/** Whether a type is a binary format, so that no file of it is text. */
export const isBinaryFormat = (type: string) =>
	/^((image(?!\/svg)|audio|video)\/|application\/(pdf|zip|msword|vnd\.(ms-|oasis|openxml)))/.test(
		type,
	);

/** Whether a file starts as text in UTF-8 or UTF-16. Files in a binary format start with a signature or control characters. */
export const startsAsText = (bytes: Buffer) =>
	!isBinaryType(bytes) &&
	/^(\xff\xfe|\xfe\xff|<\0|\0<|[\t\n\f\r\x20-\x7e\x80-\xff]+$)/.test(
		bytes.subarray(0, 512).toString('latin1'),
	);

/** Uses the bytes only: the user or model that chooses a file also chooses its name, and its server declares the type. */
export const isImageVideoOrAudio = (bytes: Uint8Array) =>
	/^(image|video|audio)\//.test(imageType(bytes) ?? signedType(bytes, OTHERS) ?? '');

/** Matches what servers declare for files whose type they do not know, e.g. application/octet-stream or binary/unknown. */
const GENERIC =
	/^((application|binary)\/(octet-stream|(x-|force-)?download|x-binary|unknown)|text\/(plain|html))$/;

/** Returns the type of a file. `declared` is empty if its source declares none. */
export function typeOfFile(bytes: Buffer, declared: string, fileName: string): string {
	const specific = declared === '' || GENERIC.test(declared) ? undefined : declared;
	return (
		certainType(bytes) ??
		specific ??
		typeOfName(fileName) ??
		signedType(bytes, OTHERS) ??
		(declared || 'application/octet-stream')
	);
}
