import { isImageVideoOrAudio } from '../../../gateway/files/fileType';
import { MAX_TEXT_LENGTH, InvalidInput } from '../../../gateway/inputValues';
import { endpoints } from '../../../gateway/wire/endpoints';
import { MediaFile, messageBody } from '../../../gateway/wire/messageBody';
import { choice, options, text } from '../fields/field';
import { choiceOf, textOf } from '../fields/read';
import type { Item } from '../operation/item';
import type { Operation } from '../operation/operation';
import { commonFields, formattedText, messageOptions } from './commonFields';
import { fileFields, fileOptions, mediaFile, mediaSource } from './mediaFile';
import { recipient } from './recipient';
import { type NewMessage, sendMessages } from './sendMessages';
import { sendOptions, toolOptions } from './sendOptions';

const mediaType = choice('mediaType', 'Media Type', 'media', [
	['file', 'Document', 'The chat shows its name, and the recipient opens it'],
	['media', 'Shown in the Chat', 'An image that the chat shows, or a video or audio that it plays'],
])('How the file arrives');

const caption = text('caption', 'Caption', { example: 'Your invoice', rows: 2 })(
	'Text below the file',
);

function mediaMessage(item: Item): NewMessage {
	const { fields, fieldNames, chatAndKey, idempotencyKeyOf, sampleKey, heading } =
		commonFields(item);
	const type = choiceOf(mediaType, item.field);
	const entered = textOf(caption, item.field, MAX_TEXT_LENGTH);
	const shown = entered === undefined ? undefined : formattedText(entered, item, 'Caption');
	const message = { ...fields, type, caption: heading ? heading + (shown ?? '') : shown };
	// This body rejects additional fields that cannot be sent, before the file is loaded.
	const sample = { ...message, file: NO_FILE, idempotencyKey: sampleKey };
	const withoutFile = messageBody(sample, fieldNames);
	const { isDownload, source, load } = mediaFile(item);
	const loadBody = async () => {
		const file = await load();
		if (type === 'media' && !isImageVideoOrAudio(file.bytes)) throw notShown();
		const { bytes, ...metadata } = file;
		const idempotencyKey = idempotencyKeyOf?.({ fields: { ...message, metadata }, file: bytes });
		return messageBody({ ...message, file, idempotencyKey }, fieldNames);
	};
	const parts = [{ isDownload, withoutFile, source, load: loadBody }];
	return { ...chatAndKey, endpoint: endpoints.sendMedia, parts };
}

const notShown = () =>
	new InvalidInput(
		"'Media Type' is Shown in the Chat, but the file is not an image, video or audio file",
		'To send it as a document, choose Document. If it was meant to be an image, video or audio file, check its source: it may have sent an error message instead.',
	);

const NO_FILE = new MediaFile(Buffer.alloc(0), '', '');

export const sendMedia: Operation = {
	option: ['sendMedia', 'Send Media', 'Send media message'],
	description: 'Send an image, video, document or other file',
	execute: async (context) => await sendMessages(context, mediaMessage),
	properties: [
		...[recipient, mediaSource, ...fileFields, mediaType, caption],
		...options([...messageOptions, ...fileOptions, ...sendOptions, ...toolOptions]),
	],
};
