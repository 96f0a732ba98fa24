import { MAX_TEXT_LENGTH, optionalText } from '../../../gateway/inputValues';
import { endpoints } from '../../../gateway/wire/endpoints';
import { MediaFile, messageBody } from '../../../gateway/wire/messageBody';
import { choice, text } from '../fields/field';
import { choiceOf, optionsIn } from '../fields/read';
import type { Operation } from '../request/operation';
import {
	bodyForm,
	commonFields,
	customJsonMessage,
	formatted,
	messageOptions,
	recipient,
	withBody,
} from './fields';
import { fileFields, fileOptions, mediaFile, mediaSource } from './mediaFile';
import { messageOperation } from './messageOperation';
import type { PrepareMessage } from './preparedMessage';
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
	const { fields, chatAndKey, keyOf } = commonFields(item, option);
	const type = choiceOf(mediaType, item.field);
	const entered = optionalText(option('caption'), 'Caption', MAX_TEXT_LENGTH);
	const shown = entered === undefined ? undefined : formatted(entered, option, 'Caption');
	const message = { ...fields, type, caption: shown };
	// Rejects additional fields that cannot be sent.
	if (fields.additionalFields) {
		messageBody({ ...message, file: NO_FILE, idempotencyKey: keyOf && 'key' }, form);
	}
	const file = { ...mediaFile(item, option), keyOf };
	return { ...chatAndKey, parts: [{ fields: message, form, file }] };
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
