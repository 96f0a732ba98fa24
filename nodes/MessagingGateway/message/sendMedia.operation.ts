import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import { chatId } from '../../../gateway/chatId';
import { InvalidInput } from '../../../gateway/invalidInput';
import { mediaBody, MediaFile, type MediaType } from '../../../gateway/messageBody';
import { numberIn, optionalText, requiredText } from '../enteredValues';
import {
	additionalFields,
	deliveryWindow,
	idempotencyKey,
	optionsCollection,
	recipient,
	verbatimOptions,
	written,
} from './bodyFields';
import { extras, formOf, type MessageOptions, optionsOf, verbatimMessage } from './fieldValues';
import type { Item, Opener } from './itemBody';
import { concurrency, jitter, maxTries, maxWait, messagesPerMinute } from './sendSettings';

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

const maxFileSize: INodeProperties = {
	displayName: 'Max File Size (MB)',
	name: 'maxFileSize',
	type: 'number',
	typeOptions: { minValue: 0.01 },
	default: 64,
	description: 'A larger file is refused before it is loaded',
};

export const options = [
	optionsCollection('sendMedia', [
		additionalFields,
		{
			displayName: 'Caption',
			name: 'caption',
			type: 'string',
			default: '',
			placeholder: 'e.g. Your invoice',
			description: 'Text below the file',
		},
		concurrency,
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
		jitter,
		maxFileSize,
		maxTries,
		maxWait,
		messagesPerMinute,
		{
			displayName: 'MIME Type',
			name: 'mimeType',
			type: 'string',
			default: '',
			placeholder: 'e.g. application/pdf',
			description: "Type that is told to the gateway, instead of the file's own",
		},
	]),
	verbatimOptions('sendMedia', [concurrency, jitter, maxTries, maxWait, messagesPerMinute]),
];

export const open: Opener = (item) => {
	const form = formOf(item);
	if (form === 'json') return verbatimMessage(item);
	// Everything that can be refused is looked at before a file is loaded.
	const options = optionsOf(item);
	const { message, keyOf, ...address } = extras(item, chatId(item.field('chatId')), options, form);
	const type = mediaType(item);
	const caption = optionalText(options.caption, 'Caption');
	const load = mediaFile(item, options);
	return {
		...address,
		async body() {
			const file = await load();
			const { bytes, ...about } = file;
			const fields = { ...message, type, caption };
			const idempotencyKey = keyOf?.({ fields: { ...fields, about }, file: bytes });
			return mediaBody({ ...fields, file, idempotencyKey }, form);
		},
	};
};

function mediaType({ field }: Item): MediaType {
	const type = field('mediaType', 'media');
	if (type === 'media' || type === 'file') return type;
	throw new InvalidInput("'Media Type' is neither media nor file", 'Choose Media or File.');
}

const MEGABYTE = 1024 * 1024;

/** Reads what is said about the file now; the file itself is loaded when its turn comes. */
function mediaFile(item: Item, options: MessageOptions): () => Promise<MediaFile> {
	const field = requiredText(
		item.field('binaryPropertyName', 'data'),
		'Input Data Field Name',
		"Enter the name of the field that holds the file, most often 'data'.",
	);
	const { about, size, bytes } = item.file(field);
	const mimeType = optionalText(options.mimeType, 'MIME Type') ?? about.mimeType;
	const extension = about.fileExtension ? `.${about.fileExtension}` : '';
	const fileName =
		optionalText(options.fileName, 'File Name') ?? about.fileName ?? `file${extension}`;
	const limit = numberIn(options.maxFileSize, 'Max File Size (MB)', {
		from: 0.01,
		to: 1024,
		otherwise: 64,
	});
	const what = `The file in '${field}' (Input Data Field Name)`;
	const checked = (weight: number) => {
		if (weight <= limit * MEGABYTE) return;
		throw new InvalidInput(
			`${what} is larger than the ${limit} MB that 'Max File Size (MB)' allows`,
			'Send a smaller file, or raise the option as far as your gateway and the memory of this n8n allow.',
		);
	};
	return async () => {
		checked(await loaded(size, what));
		const content = await loaded(bytes, what);
		checked(content.length);
		if (content.length === 0) {
			throw new InvalidInput(
				`${what} is empty`,
				'Look at the node before: the file it hands over has no content.',
			);
		}
		return new MediaFile(content, mimeType || 'application/octet-stream', fileName);
	};
}

/** Its own codes must not pass for those of the connection to the gateway. */
async function loaded<T>(load: () => Promise<T>, what: string): Promise<T> {
	return await load().catch((error: Error) => {
		throw new InvalidInput(
			`${what} could not be loaded`,
			`Look at the node before, and at the place where this n8n keeps files: ${error.message}`,
		);
	});
}
