import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../../../gateway/endpoints';
import { MAX_TEXT_LENGTH, oneOf, optionalText, requiredText } from '../../../gateway/inputValues';
import { InvalidInput } from '../../../gateway/invalidInput';
import { mediaBody, MediaFile, type MediaType } from '../../../gateway/messageBody';
import { numberOf, type Operation } from '../request/operation';
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
import type { InputItem } from './inputItem';
import {
	bodyFormOf,
	commonFields,
	formatted,
	type Options,
	optionsOf,
	type PrepareMessage,
	userMessage,
} from './messageFields';
import { messageOperation } from './messageOperation';
import { optionReader, sendOptions, withSendOptions } from './sendOptions';

/** Checks everything that can be checked before the file is loaded. */
const prepare: PrepareMessage = (item) => {
	const form = bodyFormOf(item);
	if (form === 'json') return userMessage(item);
	const options = optionsOf(item);
	const { fields, address, keyOf } = commonFields(item, options);
	const type = oneOf<MediaType>(item.field('mediaType', 'media'), ['media', 'file'], 'Media Type');
	const text = optionalText(options.caption, 'Caption', MAX_TEXT_LENGTH);
	const caption = text === undefined ? undefined : formatted(text, options, 'Caption');
	const message = { ...fields, type, caption };
	const bodyWith = (file: MediaFile, key?: string) =>
		mediaBody({ ...message, file, idempotencyKey: key }, form);
	// Rejects additional fields that cannot be sent.
	if (fields.additionalFields) bodyWith(NO_FILE, keyOf && 'key');
	const loadFile = mediaFile(item, options);
	return {
		...address,
		async body() {
			const file = await loadFile();
			const { bytes, ...metadata } = file;
			const key = keyOf?.({ fields: { ...message, metadata }, file: bytes });
			return bodyWith(file, key);
		},
	};
};

const NO_FILE = new MediaFile(Buffer.alloc(0), '', '');

const MEGABYTE = 1024 * 1024;

/** Reads the file's metadata now. The returned function loads the file. */
function mediaFile(item: InputItem, options: Options): () => Promise<MediaFile> {
	const field = requiredText(
		item.field('binaryPropertyName', 'data'),
		'Input Data Field Name',
		"Enter the name of the field that holds the file, usually 'data'.",
	);
	const { metadata, size, load } = item.file(field);
	const mimeType = optionalText(options.mimeType, 'MIME Type') ?? metadata.mimeType;
	const extension = metadata.fileExtension ? `.${metadata.fileExtension}` : '';
	const fileName =
		optionalText(options.fileName, 'File Name') ?? metadata.fileName ?? `file${extension}`;
	const maxMegabytes = numberOf(maxFileSize, optionReader(options)('maxFileSize'));
	const file = `The file in '${field}' (Input Data Field Name)`;
	const checkSize = (bytes: number) => {
		if (bytes <= maxMegabytes * MEGABYTE) return;
		throw new InvalidInput(
			`${file} is larger than the ${maxMegabytes} MB that 'Max File Size (MB)' allows`,
			'Send a smaller file, or raise the option if your gateway and the memory of this n8n allow it.',
		);
	};
	return async () => {
		checkSize(await readFile(size, file));
		const content = await readFile(load, file);
		checkSize(content.length);
		if (content.length === 0) {
			throw new InvalidInput(
				`${file} is empty`,
				'Check the previous node: the file that it outputs has no content.',
			);
		}
		return new MediaFile(content, mimeType || 'application/octet-stream', fileName);
	};
}

/** A code of the file system, such as ECONNREFUSED, must not be taken for one of the connection to the gateway. */
async function readFile<T>(read: () => Promise<T>, file: string): Promise<T> {
	return await read().catch((error: Error) => {
		throw new InvalidInput(
			`${file} could not be loaded`,
			`Check the previous node and the binary data storage of this n8n: ${error.message}`,
		);
	});
}

const fileFields: INodeProperties[] = [
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
				description: 'Arrives as an image, video or audio that the chat shows',
			},
		],
		default: 'media',
		description: 'How the chat shows the file',
	},
];

const maxFileSize: INodeProperties = {
	displayName: 'Max File Size (MB)',
	name: 'maxFileSize',
	type: 'number',
	typeOptions: { minValue: 0.01, maxValue: 1024 },
	default: 64,
	description: 'Larger files are rejected before they are loaded',
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
		...builtByNode([recipient, ...fileFields]),
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
