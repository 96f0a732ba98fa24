import { createHash } from 'node:crypto';

import type { Message } from '../account/accountStore';
import { isChatId } from '../account/chatId';
import {
	fieldOrAlias,
	type Fields,
	invalidField,
	optionalText,
	ownField,
	requireText,
} from '../http/fields';

export interface SendRequest {
	message: Message;
	windowMs: number | undefined;
	/** The bytes are not part of the message, because the event log stores messages. */
	fileBytes: Buffer | undefined;
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

/** The API document states no maximum. Without a maximum, `expiresAt` could exceed the range of a date. */
const MAX_WINDOW_MS = 365 * 24 * 3_600_000;

export function parseSendMessage(fields: Fields): SendRequest {
	return parseSendRequest(fields, ['text', 'media', 'file']);
}

export function parseSendMedia(fields: Fields): SendRequest {
	return parseSendRequest(fields, ['media', 'file']);
}

function parseSendRequest(fields: Fields, types: Array<Message['type']>): SendRequest {
	const chatId = readChatId(fields);
	const type = types.find((candidate) => candidate === ownField(fields, 'type'));
	if (!type) throw invalidField('type', `must be one of ${types.join(', ')}`);

	const idempotencyKey = optionalText(
		'idempotencyKey',
		fieldOrAlias(fields, 'idempotencyKey', 'idempotency_key'),
	);
	const { fileBytes, ...content } = type === 'text' ? readText(fields) : readMedia(fields);
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
		fileBytes,
	};
}

function readChatId(fields: Fields): string {
	const chatId = requireText('chatId', fieldOrAlias(fields, 'chatId', 'phone'));
	if (!isChatId(chatId)) {
		throw invalidField(
			'chatId',
			'must be an international phone number in digits only, or an ID that ends in @c.us, @g.us or @newsletter',
		);
	}
	return chatId;
}

type Content = Pick<Message, 'text' | 'caption' | 'media'> & { fileBytes?: Buffer };

function readText(fields: Fields): Content {
	return { text: requireText('text', fieldOrAlias(fields, 'text', 'message')) };
}

function readMedia(fields: Fields): Content {
	const media = ownField(fields, 'media');
	if (typeof media !== 'object' || media === null || Array.isArray(media)) {
		throw invalidField('media', 'must be an object with mimetype, filename and base64');
	}
	const mimetype = requireText('media.mimetype', ownField(media as Fields, 'mimetype'));
	if (!/^[\w.+-]+\/[\w.+-]+(\s*;.*)?$/.test(mimetype)) {
		throw invalidField('media.mimetype', 'must be a MIME type, for example image/png');
	}
	const filename = requireText('media.filename', ownField(media as Fields, 'filename'));
	const fileBytes = decodeBase64(requireText('media.base64', ownField(media as Fields, 'base64')));
	const caption = ownField(fields, 'caption');
	if (caption !== undefined && typeof caption !== 'string') {
		throw invalidField('caption', 'must be a string');
	}
	return {
		...(caption !== undefined && { caption }),
		media: {
			mimetype,
			filename,
			byteLength: fileBytes.length,
			sha256: createHash('sha256').update(fileBytes).digest('hex'),
		},
		fileBytes,
	};
}

function decodeBase64(base64: string): Buffer {
	const bytes = Buffer.from(base64, 'base64');
	// Node.js decodes leniently. Only strict base64 survives the round trip: it has the standard alphabet
	// and padding, but no line breaks and no data: prefix.
	if (bytes.toString('base64') !== base64) {
		throw invalidField('media.base64', 'must be padded base64 without a data: prefix');
	}
	return bytes;
}

function readWindow(fields: Fields): number | undefined {
	const windowMs = fieldOrAlias(fields, 'windowMs', 'window_ms');
	if (windowMs === undefined) return undefined;
	if (typeof windowMs !== 'number' || !Number.isInteger(windowMs) || windowMs < 1) {
		throw invalidField('windowMs', 'must be a positive integer');
	}
	if (windowMs > MAX_WINDOW_MS) throw invalidField('windowMs', 'must be at most one year');
	return windowMs;
}
