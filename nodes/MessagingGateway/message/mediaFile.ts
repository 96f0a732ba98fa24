import { base64File } from '../../../gateway/files/base64File';
import {
	downloadedFile,
	fileUrl,
	namedFile,
	shownUrl,
	type Wanted,
} from '../../../gateway/files/downloadedFile';
import { downloadError } from '../../../gateway/errors/errorMessage';
import { RESPONSE_TOO_LARGE } from '../../../gateway/replies/failure';
import { typeOfFile } from '../../../gateway/files/fileType';
import { optionalText, requiredText } from '../../../gateway/inputValues';
import { InvalidInput } from '../../../gateway/invalidInput';
import { MediaFile } from '../../../gateway/wire/messageBody';
import { choice, number, text } from '../fields/field';
import { choiceOf, numberOf, type Read } from '../fields/read';
import type { InputItem } from './inputItem';
import type { FileToLoad } from './preparedMessage';

export const mediaSource = choice('mediaSource', 'Media Source', 'binary', [
	['base64', 'Base64', 'A file as base64 text or as a data URL'],
	['binary', 'Binary File', 'A file that a previous node outputs in a binary field'],
	['url', 'URL', 'A file that n8n downloads when it sends the message'],
])('How the node gets the file');

const forSource = (source: string) => ({ displayOptions: { show: { mediaSource: [source] } } });

export const fileFields = [
	text('binaryPropertyName', 'Input Data Field Name', {
		required: true,
		default: 'data',
		example: 'data',
		hint: 'The name of the input field containing the binary file data to be sent',
		...forSource('binary'),
	})(),
	text('mediaUrl', 'Media URL', {
		required: true,
		example: 'https://example.com/photo.jpg',
		...forSource('url'),
	})(
		'The direct link to an image, video, audio or document, starting with https:// or http://. It must work without a sign-in: the credential is not sent to it.',
	),
	text('mediaBase64', 'Media Base64', {
		required: true,
		example: 'data:image/png;base64,iVBORw0KGgo…',
		...forSource('base64'),
	})(
		'The content of the file as base64 text, or as a data URL, which also contains its type. Set its name with the option File Name.',
	),
];

const fileName = text('fileName', 'File Name', { example: 'invoice.pdf' })(
	"Name that the recipient sees, instead of the file's own name",
);
const maxFileSize = number(
	'maxFileSize',
	'Max File Size (MB)',
	[0.01, 1024],
	64,
)('Larger files are rejected before they are loaded');
const mimeType = text('mimeType', 'MIME Type', { example: 'application/pdf' })(
	"Type that the gateway receives, instead of the file's own type",
);

export const fileOptions = [fileName, maxFileSize, mimeType];

type LoadFile = () => Promise<MediaFile>;

/** Checks what can be checked before the file is loaded. */
export function mediaFile(item: InputItem, option: Read): FileToLoad {
	const source = choiceOf(mediaSource, item.field);
	const wanted = {
		fileName: optionalText(option('fileName'), 'File Name'),
		mimeType: optionalText(option('mimeType'), 'MIME Type'),
	};
	const limit = new SizeLimit(numberOf(maxFileSize, option));
	return { isDownload: source === 'url', load: FILE_IN[source](item, wanted, limit) };
}

type FileIn = (item: InputItem, wanted: Wanted, limit: SizeLimit) => LoadFile;

const FILE_IN: Record<'base64' | 'binary' | 'url', FileIn> = {
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
