import type { INodeProperties } from 'n8n-workflow';

import { downloadedFile, namedFile, type Wanted } from '../../../gateway/files/downloadedFile';
import { downloadError } from '../../../gateway/errors/downloadError';
import { RESPONSE_TOO_LARGE } from '../../../gateway/replies/failure';
import { base64File, fileUrl, shownUrl } from '../../../gateway/files/fileSource';
import { typeOfFile } from '../../../gateway/files/fileType';
import { oneOf, optionalText, requiredText } from '../../../gateway/inputValues';
import { InvalidInput } from '../../../gateway/invalidInput';
import { MediaFile } from '../../../gateway/wire/messageBody';
import { numberOf } from '../request/operation';
import type { InputItem } from './inputItem';
import type { Options } from './messageFields';
import type { FileToLoad } from './preparedMessage';
import { optionReader } from './sendOptions';

type MediaSource = 'base64' | 'binary' | 'url';

type LoadFile = () => Promise<MediaFile>;

/** Checks what can be checked before the file is loaded. */
export function mediaFile(item: InputItem, options: Options): FileToLoad {
	const source = oneOf<MediaSource>(
		item.field('mediaSource', 'binary'),
		['base64', 'binary', 'url'],
		'Media Source',
	);
	const wanted = {
		fileName: optionalText(options.fileName, 'File Name'),
		mimeType: optionalText(options.mimeType, 'MIME Type'),
	};
	const limit = new SizeLimit(numberOf(maxFileSize, optionReader(options)('maxFileSize')));
	return { isDownload: source === 'url', load: FILE_IN[source](item, wanted, limit) };
}

const FILE_IN: Record<
	MediaSource,
	(item: InputItem, wanted: Wanted, limit: SizeLimit) => LoadFile
> = {
	binary(item, wanted, limit) {
		const field = requiredText(
			item.field('binaryPropertyName', 'data'),
			'Input Data Field Name',
			"Enter the name of the field that holds the file, usually 'data'.",
		);
		const { metadata, size, load } = item.file(field);
		const extension = metadata.fileExtension ? `.${metadata.fileExtension}` : '';
		const fileName = wanted.fileName ?? metadata.fileName ?? `file${extension}`;
		const mimeType = (wanted.mimeType ?? metadata.mimeType) || 'application/octet-stream';
		const file = `The file in '${field}' (Input Data Field Name)`;
		return async () => {
			limit.check(await readFile(size, file), file);
			const content = await readFile(load, file);
			limit.check(content.length, file);
			checkContent(
				content,
				file,
				'Check the previous node: the file that it outputs has no content.',
			);
			return new MediaFile(content, mimeType, fileName);
		};
	},

	url(item, wanted, limit) {
		const url = fileUrl(item.field('mediaUrl', ''));
		const file = `The file at ${shownUrl(url)} (Media URL)`;
		return async () => {
			const result = await item.download(url, limit.bytes);
			if ('failure' in result) {
				const { failure } = result;
				const isTooLarge = failure.kind === 'noResponse' && failure.code === RESPONSE_TOO_LARGE;
				throw isTooLarge ? limit.error(file) : downloadError(url, failure, Date.now());
			}
			const { bytes } = result.value;
			checkContent(bytes, file, 'Check the URL: the server sent a response without content.');
			const { mimeType, fileName } = downloadedFile(result.value, url, wanted);
			return new MediaFile(bytes, mimeType, fileName);
		};
	},

	base64(item, wanted, limit) {
		// The text is read again when it is needed: messages that wait would hold a copy of it in memory.
		const read = () => base64File(item.field('mediaBase64', ''));
		limit.check(read().size, "The file in 'Media Base64'");
		return async () => {
			const { base64, mimeType: declared } = read();
			const bytes = Buffer.from(base64, 'base64');
			const mimeType = wanted.mimeType ?? typeOfFile(bytes, declared, wanted.fileName ?? '');
			return new MediaFile(bytes, mimeType, wanted.fileName ?? namedFile('', mimeType));
		};
	},
};

const MEGABYTE = 1024 * 1024;

class SizeLimit {
	constructor(private readonly megabytes: number) {}

	get bytes() {
		return this.megabytes * MEGABYTE;
	}

	check(size: number, file: string): void {
		if (size > this.bytes) throw this.error(file);
	}

	error(file: string): InvalidInput {
		return new InvalidInput(
			`${file} is larger than the ${this.megabytes} MB that 'Max File Size (MB)' allows`,
			'Send a smaller file, or raise the option if your gateway and the memory of this n8n allow it.',
		);
	}
}

function checkContent(bytes: Buffer, file: string, whatToDo: string): void {
	if (bytes.length === 0) throw new InvalidInput(`${file} is empty`, whatToDo);
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

const shownFor = (mediaSource: MediaSource) => ({ show: { mediaSource: [mediaSource] } });

export const fileFields: INodeProperties[] = [
	{
		displayName: 'Media Source',
		name: 'mediaSource',
		type: 'options',
		options: [
			{ name: 'Base64', value: 'base64', description: 'A file as base64 text or as a data URL' },
			{
				name: 'Binary File',
				value: 'binary',
				description: 'A file that a previous node outputs in a binary field',
			},
			{
				name: 'URL',
				value: 'url',
				description: 'A file that n8n downloads when it sends the message',
			},
		],
		default: 'binary',
		description: 'How the node gets the file',
	},
	{
		displayName: 'Input Data Field Name',
		name: 'binaryPropertyName',
		type: 'string',
		required: true,
		default: 'data',
		placeholder: 'e.g. data',
		hint: 'The name of the input field containing the binary file data to be sent',
		displayOptions: shownFor('binary'),
	},
	{
		displayName: 'Media URL',
		name: 'mediaUrl',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://example.com/photo.jpg',
		description:
			'The direct link to an image, video, audio or document, starting with https:// or http://. It must work without a sign-in: the credential is not sent to it.',
		displayOptions: shownFor('url'),
	},
	{
		displayName: 'Media Base64',
		name: 'mediaBase64',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. data:image/png;base64,iVBORw0KGgo…',
		description:
			'The content of the file as base64 text, or as a data URL, which also contains its type. Set its name with the option File Name.',
		displayOptions: shownFor('base64'),
	},
];

export const maxFileSize: INodeProperties = {
	displayName: 'Max File Size (MB)',
	name: 'maxFileSize',
	type: 'number',
	typeOptions: { minValue: 0.01, maxValue: 1024 },
	default: 64,
	description: 'Larger files are rejected before they are loaded',
};
