import { MAX_TEXT_LENGTH, optionalText } from '../../../gateway/inputValues';
import { endpoints } from '../../../gateway/wire/endpoints';
import { mediaBody, MediaFile } from '../../../gateway/wire/messageBody';
import { choice, text } from '../fields/field';
import { choiceOf, optionsIn } from '../fields/read';
import type { Operation } from '../request/operation';
import {
	bodyForm,
	commonFields,
	customJsonMessage,
	formatted,
	messageOptions,
	type PrepareMessage,
	recipient,
	withBody,
} from './fields';
import { fileFields, fileOptions, mediaFile, mediaSource } from './mediaFile';
import { messageOperation } from './messageOperation';
import { sendOptions } from './sendOptions';

const mediaType = choice('mediaType', 'Media Type', 'media', [
	['file', 'File', 'Arrives as a document to download'],
	['media', 'Media', 'Arrives as an image, video or audio that the chat shows'],
])('How the chat shows the file');

const caption = text('caption', 'Caption', { example: 'Your invoice' })('Text below the file');

/** Checks everything that can be checked before the file is loaded. */
const prepare: PrepareMessage = (item) => {
	const form = choiceOf(bodyForm, item.field);
	if (form === 'json') return customJsonMessage(item);
	const option = optionsIn(item.field);
	const { fields, address, keyOf } = commonFields(item, option);
	const type = choiceOf(mediaType, item.field);
	const entered = optionalText(option('caption'), 'Caption', MAX_TEXT_LENGTH);
	const shown = entered === undefined ? undefined : formatted(entered, option, 'Caption');
	const message = { ...fields, type, caption: shown };
	const bodyWith = (file: MediaFile, key?: string) =>
		mediaBody({ ...message, file, idempotencyKey: key }, form);
	// Rejects additional fields that cannot be sent.
	if (fields.additionalFields) bodyWith(NO_FILE, keyOf && 'key');
	const loadFile = mediaFile(item, option);
	let key: string | undefined;
	const build = async () => {
		const file = await loadFile();
		const { bytes, ...metadata } = file;
		// Once for all attempts: the next download of a file may differ.
		key ??= keyOf?.({ fields: { ...message, metadata }, file: bytes });
		return bodyWith(file, key);
	};
	// Other files load fast, and use no memory until then.
	if (choiceOf(mediaSource, item.field) !== 'url') return { ...address, body: build };
	let downloaded: Buffer | undefined;
	return {
		...address,
		async load() {
			downloaded = await build();
		},
		body() {
			const built = downloaded!;
			// Frees the memory while the message waits for another attempt.
			downloaded = undefined;
			return built;
		},
	};
};

const NO_FILE = new MediaFile(Buffer.alloc(0), '', '');

export const sendMedia: Operation = {
	option: ['sendMedia', 'Send Media', 'Send media message'],
	description: 'Send an image, video, document or other file',
	...messageOperation(endpoints.sendMedia, prepare),
	properties: withBody(
		bodyForm,
		[recipient, mediaSource, ...fileFields, mediaType],
		[...messageOptions, caption, ...fileOptions],
		sendOptions,
	),
};
