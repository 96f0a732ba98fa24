import { createHash } from 'node:crypto';

import { isChatId } from './chat';
import { aliased, type Fields, invalidField, optionalText, own, text } from './fields';

/** What is remembered of a file for good. Not its bytes: ten thousand pictures must fit. */
export interface Media {
	mimetype: string;
	filename: string;
	byteLength: number;
	sha256: string;
}

export interface Message {
	chatId: string;
	type: 'text' | 'media' | 'file';
	text?: string;
	caption?: string;
	media?: Media;
	idempotencyKey?: string;
	/** Fields no document names: let through, and kept so that a test can see them. */
	unknownFields?: Fields;
}

export interface Order {
	message: Message;
	windowMs: number | undefined;
	/** Beside the message and not in it: what is in a message goes into the journal. */
	bytes: Buffer | undefined;
}

const KNOWN_FIELDS = new Set([
	'chatId',
	'phone',
	'type',
	'text',
	'message',
	'caption',
	'media',
	'idempotencyKey',
	'idempotency_key',
	'windowMs',
	'window_ms',
]);

/** The gateway publishes no bound. This one keeps the end of the window a date. */
const LONGEST_WINDOW_MS = 365 * 24 * 3_600_000;

export function readSendMessage(fields: Fields): Order {
	return readOrder(fields, ['text', 'media', 'file']);
}

export function readSendMedia(fields: Fields): Order {
	return readOrder(fields, ['media', 'file']);
}

function readOrder(fields: Fields, types: Array<Message['type']>): Order {
	const chatId = readChatId(fields);
	const type = types.find((candidate) => candidate === own(fields, 'type'));
	if (!type) throw invalidField('type', `must be one of ${types.join(', ')}`);

	const idempotencyKey = optionalText(
		'idempotencyKey',
		aliased(fields, 'idempotencyKey', 'idempotency_key'),
	);
	const { bytes, ...content } = type === 'text' ? readText(fields) : readMedia(fields);
	const unknown = Object.entries(fields).filter(([name]) => !KNOWN_FIELDS.has(name));
	return {
		message: {
			chatId,
			type,
			...content,
			...(idempotencyKey !== undefined && { idempotencyKey }),
			...(unknown.length > 0 && { unknownFields: Object.fromEntries(unknown) }),
		},
		windowMs: readWindow(fields),
		bytes,
	};
}

function readChatId(fields: Fields): string {
	const chatId = text('chatId', aliased(fields, 'chatId', 'phone'));
	if (!isChatId(chatId)) {
		throw invalidField(
			'chatId',
			'must be the digits of an international phone number, or an id ending in @c.us, @g.us or @newsletter',
		);
	}
	return chatId;
}

type Content = Pick<Message, 'text' | 'caption' | 'media'> & { bytes?: Buffer };

function readText(fields: Fields): Content {
	return { text: text('text', aliased(fields, 'text', 'message')) };
}

function readMedia(fields: Fields): Content {
	const media = own(fields, 'media');
	if (typeof media !== 'object' || media === null || Array.isArray(media)) {
		throw invalidField('media', 'must be an object with mimetype, filename and base64');
	}
	const mimetype = text('media.mimetype', own(media as Fields, 'mimetype'));
	if (!/^[\w.+-]+\/[\w.+-]+(\s*;.*)?$/.test(mimetype)) {
		throw invalidField('media.mimetype', 'must look like image/png');
	}
	const filename = text('media.filename', own(media as Fields, 'filename'));
	const bytes = readBase64(text('media.base64', own(media as Fields, 'base64')));
	const caption = own(fields, 'caption');
	if (caption !== undefined && typeof caption !== 'string') {
		throw invalidField('caption', 'must be a string');
	}
	return {
		...(caption !== undefined && { caption }),
		media: {
			mimetype,
			filename,
			byteLength: bytes.length,
			sha256: createHash('sha256').update(bytes).digest('hex'),
		},
		bytes,
	};
}

function readBase64(base64: string): Buffer {
	const bytes = Buffer.from(base64, 'base64');
	// Node decodes leniently. Only the one strict spelling comes back as it was: right alphabet,
	// no line breaks, padded, no data: prefix.
	if (bytes.toString('base64') !== base64) {
		throw invalidField('media.base64', 'must be plain base64, padded, without a data: prefix');
	}
	return bytes;
}

function readWindow(fields: Fields): number | undefined {
	const windowMs = aliased(fields, 'windowMs', 'window_ms');
	if (windowMs === undefined) return undefined;
	if (typeof windowMs !== 'number' || !Number.isInteger(windowMs) || windowMs < 1) {
		throw invalidField('windowMs', 'must be a positive integer');
	}
	if (windowMs > LONGEST_WINDOW_MS) throw invalidField('windowMs', 'must be at most a year');
	return windowMs;
}
