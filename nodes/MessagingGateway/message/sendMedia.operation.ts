import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../../../gateway/wire/endpoints';
import { MAX_TEXT_LENGTH, oneOf, optionalText } from '../../../gateway/inputValues';
import { MediaFile, type MediaType, messageBody } from '../../../gateway/wire/messageBody';
import type { Operation } from '../request/operation';
import {
	additionalFields,
	body,
	bodyForm,
	bodyOptions,
	builtByNode,
	defaultCountry,
	deliveryWindow,
	idempotencyKey,
	recipient,
	sendOnlyOptions,
	textFormat,
} from './fields';
import { fileFields, maxFileSize, mediaFile } from './mediaFile';
import { bodyFormOf, commonFields, customJsonMessage, formatted, optionsOf } from './messageFields';
import { messageOperation } from './messageOperation';
import type { PrepareMessage } from './preparedMessage';
import { sendOptions, withSendOptions } from './sendOptions';

/** Checks everything that can be checked before the file is loaded. */
const prepare: PrepareMessage = (item) => {
	const form = bodyFormOf(item);
	if (form === 'json') return customJsonMessage(item);
	const options = optionsOf(item);
	const { fields, chatAndKey, keyOf } = commonFields(item, options);
	const type = oneOf<MediaType>(item.field('mediaType', 'media'), ['media', 'file'], 'Media Type');
	const text = optionalText(options.caption, 'Caption', MAX_TEXT_LENGTH);
	const caption = text === undefined ? undefined : formatted(text, options, 'Caption');
	const message = { ...fields, type, caption };
	// Rejects additional fields that cannot be sent.
	if (fields.additionalFields) {
		messageBody({ ...message, file: NO_FILE, idempotencyKey: keyOf && 'key' }, form);
	}
	const file = { ...mediaFile(item, options), keyOf };
	return { ...chatAndKey, parts: [{ fields: message, form, file }] };
};

const NO_FILE = new MediaFile(Buffer.alloc(0), '', '');

const mediaType: INodeProperties = {
	displayName: 'Media Type',
	name: 'mediaType',
	type: 'options',
	options: [
		{ name: 'File', value: 'file', description: 'Arrives as a document to download' },
		{
			name: 'Media',
			value: 'media',
			description: 'Arrives as an image, video or audio that the chat shows',
		},
	],
	default: 'media',
	description: 'How the chat shows the file',
};

const mediaOptions: INodeProperties[] = [
	{
		displayName: 'Caption',
		name: 'caption',
		type: 'string',
		default: '',
		placeholder: 'e.g. Your invoice',
		description: 'Text below the file',
	},
	{
		displayName: 'File Name',
		name: 'fileName',
		type: 'string',
		default: '',
		placeholder: 'e.g. invoice.pdf',
		description: "Name that the recipient sees, instead of the file's own name",
	},
	maxFileSize,
	{
		displayName: 'MIME Type',
		name: 'mimeType',
		type: 'string',
		default: '',
		placeholder: 'e.g. application/pdf',
		description: "Type that the gateway receives, instead of the file's own type",
	},
];

export const sendMedia: Operation = {
	option: {
		name: 'Send Media',
		value: 'sendMedia',
		action: 'Send media message',
		description: 'Send an image, video, document or other file',
	},
	...messageOperation(endpoints.sendMedia, prepare),
	properties: [
		...builtByNode([recipient, ...fileFields, mediaType]),
		bodyForm,
		body,
		bodyOptions(
			withSendOptions([
				additionalFields,
				defaultCountry,
				deliveryWindow,
				idempotencyKey,
				textFormat,
				...mediaOptions,
			]),
		),
		sendOnlyOptions(sendOptions),
	],
};
