import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import { chatId } from '../../../gateway/chatId';
import { InvalidInput } from '../../../gateway/invalidInput';
import { mediaBody, MediaFile, type MediaType } from '../../../gateway/messageBody';
import {
	additionalFields,
	deliveryWindow,
	idempotencyKey,
	optionsCollection,
	recipient,
	written,
} from './bodyFields';
import {
	extras,
	formOf,
	optionalText,
	optionsOf,
	type MessageOptions,
	requiredText,
	verbatim,
} from './fieldValues';
import type { BodyBuilder, Item } from './itemBody';

export const properties: INodeProperties[] = updateDisplayOptions(written('sendMedia'), [
	recipient,
	{
		displayName: 'Input Data Field Name',
		name: 'binaryPropertyName',
		type: 'string',
		required: true,
		default: 'data',
		placeholder: 'e.g. data',
		hint: 'The name of the input field containing the binary file data to be sent',
	},
	{
		displayName: 'Media Type',
		name: 'mediaType',
		type: 'options',
		options: [
			{ name: 'File', value: 'file', description: 'Arrives as a document to download' },
			{
				name: 'Media',
				value: 'media',
				description: 'Arrives as a picture, video or sound to look at',
			},
		],
		default: 'media',
		description: 'How the file is shown to the recipient',
	},
]);

export const options = optionsCollection('sendMedia', [
	additionalFields,
	{
		displayName: 'Caption',
		name: 'caption',
		type: 'string',
		default: '',
		placeholder: 'e.g. Your invoice',
		description: 'Text below the file',
	},
	deliveryWindow,
	{
		displayName: 'File Name',
		name: 'fileName',
		type: 'string',
		default: '',
		placeholder: 'e.g. invoice.pdf',
		description: "Name that the recipient sees, instead of the file's own",
	},
	idempotencyKey,
	{
		displayName: 'MIME Type',
		name: 'mimeType',
		type: 'string',
		default: '',
		placeholder: 'e.g. application/pdf',
		description: "Type that is told to the gateway, instead of the file's own",
	},
]);

export const body: BodyBuilder = async (item) => {
	const form = formOf(item);
	if (form === 'json') return verbatim(item);
	// Everything that can be refused is looked at before a file is loaded.
	const options = optionsOf(item);
	const message = {
		chatId: chatId(item.field('chatId')),
		type: mediaType(item),
		caption: optionalText(options.caption, 'Caption'),
		...extras(options),
	};
	return mediaBody({ ...message, file: await mediaFile(item, options) }, form);
};

function mediaType({ field }: Item): MediaType {
	const type = field('mediaType', 'media');
	if (type === 'media' || type === 'file') return type;
	throw new InvalidInput("'Media Type' is neither media nor file", 'Choose Media or File.');
}

async function mediaFile(item: Item, options: MessageOptions): Promise<MediaFile> {
	const field = requiredText(
		item.field('binaryPropertyName', 'data'),
		'Input Data Field Name',
		"Enter the name of the field that holds the file, most often 'data'.",
	);
	const { about, bytes } = item.file(field);
	const mimeType = optionalText(options.mimeType, 'MIME Type') ?? about.mimeType;
	const fileName = optionalText(options.fileName, 'File Name') ?? about.fileName;
	const content = await bytes();
	if (content.length === 0) {
		throw new InvalidInput(
			`The file in '${field}' (Input Data Field Name) is empty`,
			'Look at the node before: the file it hands over has no content.',
		);
	}
	const extension = about.fileExtension ? `.${about.fileExtension}` : '';
	return new MediaFile(
		content,
		mimeType || 'application/octet-stream',
		fileName ?? `file${extension}`,
	);
}
