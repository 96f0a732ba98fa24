import { base64File } from '../../../gateway/files/base64File';
import {
	type Download,
	downloadedFile,
	fileUrl,
	type LoadedFile,
	namedFile,
	shownUrl,
	type FileOptions,
} from '../../../gateway/files/downloadedFile';
import { isBinaryFormat, startsAsText, typeOfName } from '../../../gateway/files/fileType';
import {
	connectionFailure,
	RESPONSE_TOO_LARGE,
	type Result,
} from '../../../gateway/responses/failure';
import { failureInResponse } from '../../../gateway/responses/responseFailure';
import { optionalText, requiredText, InvalidInput } from '../../../gateway/inputValues';
import { MediaFile } from '../../../gateway/wire/messageBody';
import { declaredType, readResponse } from '../../../gateway/wire/response';
import { choice, number, text } from '../fields/field';
import { choiceOf, numberOf, textOf, fieldValue } from '../fields/read';
import type { Item } from '../operation/item';
import { downloadError } from './fileErrors';
import { readAll, withinTimeout, STREAMED } from '../request/connection';
import { connectionOptions } from '../request/requestOptions';

export const mediaSource = choice('mediaSource', 'Media Source', 'binary', [
	['base64', 'Base64', 'A file as base64 text or as a data URL'],
	['binary', 'Binary File', 'A file that a previous node outputs in a binary field'],
	['url', 'URL', 'A file that n8n downloads when it sends the message'],
])('How the node gets the file');

const forSource = (source: string) => ({ displayOptions: { show: { mediaSource: [source] } } });

const inputField = text('binaryPropertyName', 'Input Data Field Name', {
	required: true,
	default: 'data',
	example: 'data',
	hint: 'The name of the input field containing the binary file data to be sent',
	...forSource('binary'),
})();

export const fileFields = [
	inputField,
	text('mediaUrl', 'Media URL', {
		required: true,
		example: 'https://example.com/photo.jpg',
		...forSource('url'),
	})(
		'The direct link to an image, video, audio or document, starting with http:// or https://. It must work without a sign-in.',
	),
	text('mediaBase64', 'Media Base64', {
		required: true,
		example: 'data:image/png;base64,iVBORw0KGgo…',
		...forSource('base64'),
	})(
		'The content of the file as base64 text, or as a data URL, which also contains its type. Set its name with the option File Name.',
	),
];

const fileNameField = text('fileName', 'File Name', { example: 'invoice.pdf' })(
	"Name that the recipient sees, instead of the file's own name",
);
const maxFileSize = number('maxFileSize', 'Max File Size (MB)', {
	range: [0.01, 1024],
	default: 64,
})('Larger files are rejected before they are loaded');
const mimeType = text('mimeType', 'MIME Type', { example: 'application/pdf' })(
	"Type that the gateway receives, instead of the file's own type",
);

export const fileOptions = [fileNameField, maxFileSize, mimeType];

/** Checks everything but the file, and returns how to load it. Throws InvalidInput. */
export function mediaFile(item: Item) {
	const { field, option } = item;
	const source = choiceOf(mediaSource, field);
	const wanted = { fileName: textOf(fileNameField, option), mimeType: textOf(mimeType, option) };
	const maxMegabytes = numberOf(maxFileSize, option);
	const load = FILE_IN[source](item, maxMegabytes, wanted);
	return {
		/** Tells the sender to load the file before the message's turn, because a download takes time. */
		isDownload: source === 'url',
		/** Identifies the file without loading it, to compare messages that have the same key. */
		source: () =>
			JSON.stringify([SOURCE_FIELDS[source].map(field), source === 'binary' && item.input.binary]),
		load: async () => {
			const file = await load();
			const named = namedFile(file, wanted);
			checkFormat(file.bytes, named, wanted.mimeType);
			return new MediaFile(file.bytes, named.mimeType, named.fileName);
		},
	};
}

const SOURCE_FIELDS = { binary: [], url: ['mediaUrl'], base64: ['mediaBase64'] };

type FileIn = (item: Item, maxMegabytes: number, wanted: FileOptions) => () => Promise<LoadedFile>;

const FILE_IN: Record<'base64' | 'binary' | 'url', FileIn> = {
	binary({ context, index, input, field }, maxMegabytes) {
		const name = requiredText(
			fieldValue(inputField, field),
			'Input Data Field Name',
			"Enter the name of the field that holds the file, usually 'data'.",
		);
		const names = Object.keys(input.binary ?? {});
		if (names.length > 0 && !names.includes(name))
			throw new InvalidInput(
				`The item has no file in the field '${name.slice(0, 100)}', but in: ${names.join(', ').slice(0, 100)}`,
				"Enter the name of that field in 'Input Data Field Name'.",
			);
		const { id, data, ...metadata } = { ...context.helpers.assertBinaryData(index, name) };
		const inMemory = () => (data === '' ? NO_DATA : base64File(data, `data of ${name}`));
		/** Returns the size without loading the file. Older n8n does not store the number of bytes. */
		const size = async () =>
			id === undefined
				? inMemory().size
				: (metadata.bytes ?? (await context.helpers.getBinaryMetadata(id)).fileSize);
		const load = async () => {
			// n8n would decode the prefix of a data URL as base64, too.
			if (/^\s*data:/i.test(data)) return Buffer.from(inMemory().base64, 'base64');
			return await context.helpers.getBinaryDataBuffer(index, name);
		};
		const said = (what: 'fileName' | 'fileExtension' | 'mimeType') =>
			optionalText(metadata[what] ?? '', `${what} of ${name}`) ?? '';
		const extension = said('fileExtension');
		const ownName = said('fileName') || (extension && `file.${extension}`);
		const declared = declaredType(said('mimeType'));
		const file = `The file in '${name}' (Input Data Field Name)`;
		return async () => {
			checkSize(await readFile(size, file), file, maxMegabytes);
			const bytes = await readFile(load, file);
			checkSize(bytes.length, file, maxMegabytes);
			checkContent(bytes, file, 'Check the previous node: its file has no content.');
			return { bytes, name: ownName, declared };
		};
	},

	url(item, maxMegabytes, wanted) {
		const url = fileUrl(item.field('mediaUrl'));
		const file = `The file at ${shownUrl(url)} (Media URL)`;
		return async () => {
			const result = await download(item, url, maxMegabytes * MEGABYTE);
			if ('failure' in result) {
				const { failure } = result;
				const isTooLarge = failure.kind === 'noResponse' && failure.code === RESPONSE_TOO_LARGE;
				throw isTooLarge ? tooLarge(file, maxMegabytes) : downloadError(url, failure);
			}
			const { bytes } = result.value;
			checkContent(bytes, file, 'Check the URL: the server sent a response without content.');
			return downloadedFile(result.value, url, wanted);
		};
	},

	base64(item, maxMegabytes) {
		// Each attempt reads the text again, because messages that wait would hold a copy of it in memory.
		const read = () => base64File(item.field('mediaBase64'), 'Media Base64');
		checkSize(read().size, "The file in 'Media Base64'", maxMegabytes);
		return async () => {
			const { base64, mimeType } = read();
			return { bytes: Buffer.from(base64, 'base64'), name: '', declared: mimeType };
		};
	},
};

const NO_DATA = { base64: '', size: 0 };
const NO_BYTES = Buffer.alloc(0);
/** There is nothing to redact, because the request for a file contains no token. */
const unredacted = <T>(value: T) => value;

/**
 * Downloads a file with n8n's own helper, which applies n8n's proxy and SSRF protection and follows redirects. The
 * request does not use the credential, because the file's server is not the gateway.
 */
async function download(
	{ context, field }: Item,
	url: URL,
	maxBytes: number,
): Promise<Result<Download>> {
	const connection = connectionOptions(field);
	return await withinTimeout(
		{ context, timeoutMs: connection.timeout, redact: unredacted, proxy: connection.proxy },
		async (abortSignal) =>
			(await context.helpers.httpRequest({
				...connection,
				method: 'GET',
				url: url.href,
				// axios does not notice when compressed content ends early.
				headers: { Accept: '*/*', 'Accept-Encoding': 'identity' },
				sendCredentialsOnCrossOriginRedirect: false,
				abortSignal,
				...STREAMED,
			})) as unknown,
		async ({ statusCode: status, headers: received, body }): Promise<Result<Download>> => {
			const read = readResponse({ status, headers: received, bytes: NO_BYTES }, unredacted);
			const { headers } = read;
			// Other 2xx responses contain only a part of the file, or a message that it will exist later.
			const isFile = [200, 203].includes(status) && headers['content-range'] === undefined;
			if (!isFile) return { failure: failureInResponse(read) };
			if (Number(headers['content-length']) > maxBytes) {
				return { failure: connectionFailure(RESPONSE_TOO_LARGE) };
			}
			return { value: { headers, bytes: await readAll(body, maxBytes) } };
		},
	);
}

const MEGABYTE = 1024 * 1024;

const tooLarge = (file: string, maxMegabytes: number) =>
	new InvalidInput(
		`${file} is larger than the ${maxMegabytes} MB that 'Max File Size (MB)' allows`,
		'Send a smaller file, or raise the option if your gateway and the memory of this n8n allow it.',
	);

function checkSize(bytes: number, file: string, maxMegabytes: number): void {
	if (bytes > maxMegabytes * MEGABYTE) throw tooLarge(file, maxMegabytes);
}

function checkContent(bytes: Buffer, file: string, whatToDo: string): void {
	if (bytes.length === 0) throw new InvalidInput(`${file} is empty`, whatToDo);
}

/** Throws InvalidInput if a text has a binary type, because a server's error message may have been stored as the file. */
function checkFormat(bytes: Buffer, named: Required<FileOptions>, entered?: string): void {
	const { fileName, mimeType } = named;
	const types = [mimeType, entered === undefined ? typeOfName(fileName) : undefined];
	const type = types.find((one) => one !== undefined && isBinaryFormat(one));
	if (type === undefined || !startsAsText(bytes)) return;
	throw new InvalidInput(
		`The file '${fileName}' is text, and not of the type ${type}`,
		"Probably it is the error message of a server. Look at the file. To send it on purpose, set the option 'MIME Type' to its type, e.g. text/plain.",
	);
}

/**
 * Moves the storage's error into the description, because n8n replaces a message that contains a code such as ECONNREFUSED
 * with its own, which would seem to be about the gateway.
 */
async function readFile<T>(read: () => Promise<T>, file: string): Promise<T> {
	return await read().catch((error: Error) => {
		throw new InvalidInput(
			`${file} could not be loaded`,
			`Check the previous node and the binary data storage of this n8n: ${error.message}`,
		);
	});
}
