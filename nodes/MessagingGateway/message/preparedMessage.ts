import type { Endpoint } from '../../../gateway/wire/endpoints';
import {
	type FieldNames,
	messageBody,
	type MessageFields,
} from '../../../gateway/wire/messageBody';
import type { MessageContent } from './automaticKey';
import type { InputItem } from './inputItem';

/** A message whose input is valid. */
export interface PreparedMessage {
	endpoint: Endpoint;
	chat: string;
	hasKey: boolean;
	/** What each request sends: one, or several for a split text. */
	parts: Part[];
}

/** Reads and checks the fields of an item. Throws InvalidInput. */
export type PrepareMessage = (item: InputItem) => PreparedMessage;

/** JSON that the user wrote, or fields. */
export type Part =
	{ json: string } | { fields: MessageFields; names: FieldNames; file?: FileOfPart };

interface FileOfPart extends FileToLoad {
	/** The idempotency key may depend on the file. */
	keyOf?: (content: MessageContent) => string;
}

/** A file that is loaded for each attempt, because messages that wait would hold it in memory. */
export interface FileToLoad {
	/** From a URL, which takes time. */
	isDownload: boolean;
	load: () => Promise<MessageFields['file'] & object>;
}

/** The bytes of an attempt, which may be large. */
export async function bytesOf(part: Part): Promise<Buffer> {
	if ('json' in part) return Buffer.from(part.json);
	const { names, file: source } = part;
	if (!source) return messageBody(part.fields, names);
	const file = await source.load();
	const { bytes, ...metadata } = file;
	const idempotencyKey = source.keyOf?.({ fields: { ...part.fields, metadata }, file: bytes });
	return messageBody({ ...part.fields, file, idempotencyKey }, names);
}
