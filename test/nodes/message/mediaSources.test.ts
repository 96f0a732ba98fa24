import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';

import { base64File } from '../../../gateway/files/base64File';
import {
	downloadedFile,
	type FileOptions,
	fileUrl,
	namedFile,
} from '../../../gateway/files/downloadedFile';
import { isImageVideoOrAudio } from '../../../gateway/files/fileType';
import { run, start } from '../../harness/engine';
import { send, useFileServer } from '../../harness/fileServer';
import { useProxy } from '../../harness/proxyServer';
import { useNewGateways } from '../../harness/sandboxAccount';
import { turn, useVirtualTime } from '../../harness/virtualTime';
import {
	bodyOf,
	chat,
	gapsMs,
	keysSent,
	messages,
	type Sending,
	sending,
} from '../../harness/messages';

const PNG = Buffer.from('89504e470d0a1a0a00ff', 'hex');
const PDF = Buffer.from('%PDF-1.7\n');
const THEORA = Buffer.from(`OggS${'\0'.repeat(24)}\x80theora`, 'latin1');
const ZIP = 'PK\x03\x04 rest';
const TEXT = 'a;b\n1;2\n';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const SHOWN = [
	...['\x89PNG\r\n\x1a\n', '\xff\xd8\xff\xe0', 'GIF89a', 'RIFF\0\0\0\0WEBP', '<svg xmlns=""/>'],
	...['BM6\0\0\0\0\0\0\0', 'II*\0', '\0\0\0\x18ftypmp42', '\x1aE\xdf\xa3', 'RIFF\0\0\0\0AVI '],
	...['\0\0\x01\xba', '\xff\xfb\x90', 'ID3\x03', '\xff\xf1\x50', 'OggS', '#!AMR', 'fLaC'],
	'RIFF\0\0\0\0WAVE',
];
const NOT_SHOWN = [TEXT, 'BM, GIF, RIFF and ftyp are signatures', '\xff\xfes\0e\0', '%PDF-1.7\n'];

test('the first bytes decide whether a chat shows or plays a file', () => {
	const isShown = (start: string) => isImageVideoOrAudio(Buffer.from(start, 'latin1'));
	expect([...SHOWN, ...NOT_SHOWN].filter(isShown)).toEqual(SHOWN);
});

/** The name and type of the content that a server sends. */
function downloaded(
	path: string,
	content: Buffer | string,
	headers: Record<string, string> = {},
	wanted: FileOptions = {},
) {
	const bytes = Buffer.from(content as string);
	const file = downloadedFile({ headers, bytes }, new URL(path, 'https://files.test'), wanted);
	const { mimeType, fileName } = namedFile(file, wanted);
	return [mimeType, fileName];
}

test.each([
	['/a/Gr%C3%BC%C3%9Fe%20(1).pdf', PDF, '', 'application/pdf', 'Grüße (1).pdf'],
	['/photo', PNG, '', 'image/png', 'photo.png'],
	['/', PNG, '', 'image/png', 'file.png'],
	['/image.php', PNG, 'text/html; charset=utf-8', 'image/png', 'image.png'],
	['/show.asp', PNG, 'text/html', 'image/png', 'show.png'],
	['/list.csv', TEXT, 'text/html', 'text/csv', 'list.csv'],
	['/notes', TEXT, 'text/plain; charset=utf-8', 'text/plain', 'notes.txt'],
	['/letter.docx', ZIP, 'application/octet-stream', DOCX, 'letter.docx'],
	['/archive', ZIP, 'binary/octet-stream', 'application/zip', 'archive.zip'],
	['/a.xyz', 'xyz', '', 'application/octet-stream', 'a.xyz'],
	['/a.xyz', 'xyz', 'chemical/x-xyz', 'chemical/x-xyz', 'a.xyz'],
	['/photo.jpg', '\0\0\0\x18ftypheic', 'image/jpeg', 'image/heic', 'photo.jpg'],
	['/film', THEORA, '', 'video/ogg', 'film.ogv'],
])('%s with %j of type %j has the type %s and the name %s', (path, content, declared, ...named) => {
	expect(downloaded(path, content, { 'content-type': declared })).toEqual(named);
});

test.each([
	['attachment; filename="a b.pdf"', 'a b.pdf'],
	['attachment; filename="b.pdf"; filename*=UTF-8\'\'%C3%A4%20%E2%82%AC.pdf', 'ä €.pdf'],
	["attachment; filename*=iso-8859-1'en'%E4.pdf", 'ä.pdf'],
	["attachment; filename*=UTF-8''%E4.pdf; filename=b.pdf", '%E4.pdf'],
	// Node.js reads the bytes of a header as Latin-1.
	[Buffer.from('attachment; filename="Grüße.pdf"').toString('latin1'), 'Grüße.pdf'],
	['attachment; filename="Gr\xfc\xdfe.pdf"', 'Grüße.pdf'],
	[String.raw`attachment; filename="say \"hi\".pdf"`, 'say hi.pdf'],
	['attachment; filename="../../etc/passwd.pdf"', 'passwd.pdf'],
	['attachment; filename="C:\\\\Windows\\\\a.pdf"', 'a.pdf'],
	["attachment; filename*=UTF-8''a%0d%0aSet-Cookie%3A%201.pdf", 'aSet-Cookie 1.pdf'],
	["attachment; filename*=UTF-8''a%E2%80%AEfdp.exe", 'afdp.exe'],
	['attachment; filename="=?x-none?B?YQ==?=.pdf"', '=x-noneBYQ===.pdf'],
	['attachment; filename=".."', 'download.pdf'],
	['attachment', 'download.pdf'],
	[`attachment; filename="${'x'.repeat(3_000)}.pdf"`, `${'x'.repeat(146)}.pdf`],
])('the name in the header %p is %p', (header, name) => {
	const headers = { 'content-disposition': header };
	expect(downloaded('/download', PDF, headers)).toEqual(['application/pdf', name]);
});

const ERROR = '{"error":"link_expired"}';
const XML = '<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>';
const UTF16 = Buffer.from(`\ufeff${XML}`, 'utf16le');

const PLAIN = 'text/plain';
const JSON_TYPE = 'application/json';

test.each<[string, string, string | Buffer, FileOptions, string]>([
	['/photo.jpg', '', `\ufeff\n<!-- x --><HTML lang="en">`, {}, 'a web page'],
	['/photo', 'text/html', 'Please sign in', {}, 'a web page'],
	['/photo.jpg', 'application/json', ERROR, {}, 'JSON or XML'],
	['/photo.jpg', 'text/plain', ` \n[${ERROR}]`, {}, 'JSON or XML'],
	['/photo', 'application/json', ERROR, { mimeType: 'image/png' }, 'JSON or XML'],
	['/card.vcf', 'text/plain', ERROR, {}, 'JSON or XML'],
	['/track.gpx', 'application/problem+json', ERROR, {}, 'JSON or XML'],
	['/a.pdf', 'application/pdf', 'File not found', {}, 'text'],
	['/a.docx', 'application/octet-stream', UTF16, {}, 'text'],
	// Pages, data and text on purpose.
	['/report', 'text/html', '<!doctype html>', { mimeType: 'text/html' }, ''],
	['/a.json', JSON_TYPE, ERROR, {}, ''],
	['/track.gpx', 'application/gpx+xml', XML, {}, ''],
	['/list.csv', 'text/csv', '[a],b\n1,2', {}, ''],
	['/a', JSON_TYPE, ERROR, { mimeType: JSON_TYPE }, ''],
	['/a', PLAIN, '[2026-01-01] Started', {}, ''],
	['/a', JSON_TYPE, `{"a":"${'b'.repeat(100_000)}"}`, {}, ''],
])('%s of type %s with %j and %j is the file, or %s', (path, type, content, options, what) => {
	const download = () => downloaded(path, content, { 'content-type': type }, options);
	const error = `The server sent ${what} instead of the file at https://files.test${path} (Media URL)`;
	(what ? expect(download) : expect(download).not).toThrow(what ? error : undefined);
});

test.each([
	['   ', "'Media URL' is empty"],
	['file:///etc/passwd', "'Media URL' is not an address that starts with"],
	['https:photo.jpg', "'Media URL' is not an address that starts with"],
	['http://a.test/1.png, http://a.test/2.png', "'Media URL' contains more than one address"],
	['data:image/png;base64,iVBORw0KGgo=', "'Media URL' is a data URL"],
	[`https://files.test/${'x'.repeat(9_000)}`, "'Media URL' is longer than 8192 characters"],
])('the URL %p is rejected', (entered, reason) => {
	expect(() => fileUrl(entered)).toThrow(reason);
});

const URL_SAFE = '-_-_'.repeat(20);
test.each([
	['line breaks', ` iVBORw0K\r\nGgoA\n/w== \n`, '', 'iVBORw0KGgoA/w==', 10],
	['no padding', 'iVBORw0KGgoA/w', '', 'iVBORw0KGgoA/w', 10],
	['the alphabet for URLs', URL_SAFE, '', URL_SAFE, 60],
	['a charset', 'data:text/csv;charset=utf-8;base64,YTti', 'text/csv', 'YTti', 3],
	['a short text in UTF-16', '//5PAGsA', '', '//5PAGsA', 6],
	['capitals', ' DATA:Text/CSV;BASE64,\nYTti', 'text/csv', 'YTti', 3],
])('base64 can have %s', (_what, entered, mimeType, base64, size) => {
	expect(base64File(entered, 'File')).toEqual({ base64, mimeType, size });
});

test.each([
	[' \n', "'File' is empty"],
	['data:image/png;base64,', "'File' contains no file"],
	['null', "'File' is 'null', which is no file"],
	['bnVsbA==', "'File' is 'bnVsbA==', which is no file"],
	// Its bytes are text.
	['Question', "'File' is 'Question', which is no file"],
	['aHR0cHM6Ly9leGFtcGxlLmNvbS9hLnBkZg==', 'which is no file'],
	['0f8fad5b-d9cb-469f-a165-70867728950e', 'which is no file'],
	['iVBO 😀w0K', 'does not have: "😀" at position 5'],
	['iVBORw0KGg=', 'is not complete: 11 characters'],
	['iVBO=w0K', 'is not complete: 8 characters'],
	['data:image/png,abc', "'File' is a data URL that does not contain base64"],
])('the base64 %p is rejected', (entered, reason) => {
	expect(() => base64File(entered, 'File')).toThrow(reason);
});

useVirtualTime();
const gateway = useNewGateways();
const files = useFileServer();
const elsewhere = useFileServer();
const proxy = useProxy();

const media = ({ fields, ...rest }: Sending) =>
	sending(gateway, { fields: { operation: 'sendMedia', mediaType: 'file', ...fields }, ...rest });

const byUrl = (url: string, { fields, ...rest }: Sending = {}) =>
	media({ fields: { mediaSource: 'url', mediaUrl: url, ...fields }, ...rest });

const byBase64 = (mediaBase64: string, { fields, ...rest }: Sending = {}) =>
	media({ fields: { mediaSource: 'base64', mediaBase64, ...fields }, ...rest });

const inField = (bytes: Buffer | string, metadata: object) => {
	const data = { mimeType: '', ...metadata, data: Buffer.from(bytes as string).toString('base64') };
	return media({ items: [{ json: { to: chat(0) }, binary: { data } }] });
};

const ONE_MB = { maxFileSize: 1 };

/** Fails if something was sent. */
async function rejectedWith(options: ReturnType<typeof media>) {
	const { error } = await run(options);
	expect(gateway.requests()).toEqual([]);
	return error!;
}

function expectSent(mimetype: string, filename: string, bytes: Buffer | string) {
	const base64 = Buffer.from(bytes as string).toString('base64');
	expect(bodyOf(gateway.theRequest()).media).toEqual({ mimetype, filename, base64 });
}

const VOICE = Buffer.from(`OggS${'\0'.repeat(24)}OpusHead`);

// Without the codecs, phones do not play a voice message.
test.each([
	['audio/ogg; codecs=opus', 'audio/ogg; codecs=opus'],
	['Audio/Ogg;CODECS="opus"; charset=x', 'audio/ogg;CODECS="opus"'],
	['audio/ogg; codecs=<b>', 'audio/ogg'],
])('a voice message of type %s goes out as %s, from each source', async (declared, type) => {
	files.file('/voice', VOICE, { 'Content-Type': declared });
	const dataUrl = `data:${declared.replaceAll(' ', '')};base64,${VOICE.toString('base64')}`;
	for (const [name, sentType, sent] of [
		['voice.ogg', type, byUrl(`${files.url}/voice`)],
		['file.ogg', type.replaceAll(' ', ''), byBase64(dataUrl)],
		['file.ogg', type, inField(VOICE, { mimeType: declared })],
	] as const) {
		expect((await run(sent)).error).toBeUndefined();
		expectSent(sentType, name, VOICE);
		gateway.clearRequests();
	}
});

describe('a file by URL', () => {
	test('is downloaded without credential, signature or token, and without compression', async () => {
		files.file('/photos/sun.png', PNG);
		await run(byUrl(`${files.url}/photos/sun.png?size=2`));
		expectSent('image/png', 'sun.png', PNG);
		expect(files.requests).toHaveLength(1);
		const { method, url: path, headers, rawHeaders } = files.requests[0]!;
		expect([method, path]).toEqual(['GET', '/photos/sun.png?size=2']);
		const usual = ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'];
		expect(Object.keys(headers).sort()).toEqual(usual);
		// The HTTP library takes what comes out of gzip that ends early for the whole file.
		expect(headers['accept-encoding']).toBe('identity');
		expect(JSON.stringify(rawHeaders)).not.toContain(gateway.account.token);
	});

	test('is found behind redirects, which get no user and password', async () => {
		const redirect = (path: string, Location: string) =>
			files.on(path, (_request, response) => response.writeHead(302, { Location }).end());
		redirect('/sun.png', '/long');
		redirect('/long', `${elsewhere.url}/files/1?signature=x`);
		elsewhere.file('/files/1', PNG);
		await run(byUrl(`${files.url.replace('//', '//user:password@')}/sun.png`));
		expectSent('image/png', 'sun.png', PNG);
		expect(files.requests[0]?.headers.authorization).toBe('Basic dXNlcjpwYXNzd29yZA==');
		expect(elsewhere.requests[0]?.headers.authorization).toBeUndefined();
	});

	test.each([
		[403, {}, 'the server requires a sign-in', 'without any credential'],
		[404, {}, 'the server does not have it', 'typo'],
		[400, {}, 'the server did not send it', 'browser'],
		[202, {}, 'the server did not send it', 'browser'],
		[200, { 'Content-Range': 'bytes 0-9/20' }, 'the server did not send it', 'browser'],
	])('is not in a response with status %i and %j', async (status, headers, reason, whatToDo) => {
		files.on('/secret/a.pdf', (_request, response) => response.writeHead(status, headers).end(PDF));
		const url = `${files.url.replace('//', '//user:password@')}/secret/a.pdf?X-Signature=abc`;
		const items = [{ json: { to: chat(0), url } }];
		const { error, run: result } = await run(byUrl('={{ $json.url }}', { items }));
		expect(error?.message).toBe(
			`The file at ${files.url}/…/a.pdf (Media URL) could not be downloaded: ${reason} (status ${status}) [item 0]`,
		);
		expect(error?.description).toContain(whatToDo);
		expect(error?.description).not.toContain('attempts');
		const stored = JSON.stringify([result.data.resultData.runData['Messaging Gateway'], error]);
		expect(stored).not.toMatch(/password|X-Signature|abc|secret\//);
		expect(files.requests).toHaveLength(1);
		expect(gateway.requests()).toEqual([]);
	});

	test('fails with a clear message, after attempts only if they can help', async () => {
		const refused = await rejectedWith(byUrl('http://127.0.0.1:9/a.pdf'));
		expect(refused.message).toContain('could not be downloaded: the connection was refused');
		expect(refused.description).toMatch(/Check the URL.* attempts/);
		const insecure = await rejectedWith(byUrl(`${files.url.replace('http:', 'https:')}/a.pdf`));
		expect(insecure.message).toContain('no secure connection could be established');
		expect(insecure.description).not.toContain('attempts');
		const wrong = await rejectedWith(byUrl('{{ $json.url }}'));
		expect(wrong.message).toMatch(/^'Media URL' is not an address .*\[item 0\]$/);
		files.file('/photo', '<html>');
		const page = await rejectedWith(byUrl(`${files.url}/photo`));
		expect(page.message).toMatch(/^The server sent a web page instead .*\[item 0\]$/);
		expect(page.description).toContain("'MIME Type'");
		expect(files.requests).toHaveLength(1);
	});

	test.each([
		['announces', { 'Content-Length': '1048577' }, 1],
		['sends', {}, 1_048_577],
	])('is rejected if its server %s too much, without reading it all', async (_, headers, size) => {
		let isOpen = true;
		files.on('/long', (_request, response) => {
			response.writeHead(200, headers).write(Buffer.alloc(size));
			// Only the node can end it.
			response.on('close', () => (isOpen = false));
		});
		const tooLong = byUrl(`${files.url}/long`, { options: ONE_MB });
		const { message, description } = await rejectedWith(tooLong);
		expect(message).toBe(
			`The file at ${files.url}/long (Media URL) is larger than the 1 MB that 'Max File Size (MB)' allows [item 0]`,
		);
		expect(description).not.toContain('attempts');
		while (isOpen) await turn();
	});

	test('is sent if it has exactly the maximum size, and rejected if it is empty', async () => {
		files.file('/file', Buffer.alloc(1024 * 1024));
		await run(byUrl(`${files.url}/file`, { options: ONE_MB }));
		expect(gateway.state().delivered).toHaveLength(1);
		files.file('/file', '');
		const { error } = await run(byUrl(`${files.url}/file`));
		expect(error?.message).toBe(`The file at ${files.url}/file (Media URL) is empty [item 0]`);
	});

	test('is given up after the timeout, even if it arrives byte by byte', async () => {
		files.on('/slow.bin', (_request, response) => {
			const timer = setInterval(() => response.write('x'), 100);
			response.on('close', () => clearInterval(timer));
		});
		const fields = { requestOptions: { timeout: 1_000 } };
		const slow = byUrl(`${files.url}/slow.bin`, { fields, options: { maxTries: 2 } });
		const { message, description } = await rejectedWith(slow);
		expect(message).toContain('it took longer than the timeout [item 0]');
		expect(description).toContain('The node made 2 attempts.');
	});

	test('is downloaded again when its server allows it, and after a cut in the middle', async () => {
		const times: number[] = [];
		files.on('/sun.png', (_request, response) => {
			times.push(Date.now());
			if (times.length === 1) response.writeHead(429, { 'Retry-After': '7' }).end();
			else if (times.length === 3) send(response, PNG);
			else {
				response.writeHead(200, { 'Content-Length': '10' }).write('12345');
				setTimeout(() => response.destroy(), 10);
			}
		});
		await run(byUrl(`${files.url}/sun.png`));
		expectSent('image/png', 'sun.png', PNG);
		expect(times[1]! - times[0]!).toBe(7_000);
	});

	test('is downloaded through the proxy under Request Options', async () => {
		const through = async (url: string) => {
			const fields = { requestOptions: { proxy: url } };
			return await run(byUrl('http://files.invalid/sun.png', { fields }));
		};
		await through(proxy.url);
		expect(proxy.seen[0]).toBe('GET http://files.invalid/sun.png');
		const { error } = await through('http://127.0.0.1:1');
		expect(error?.message).toContain('could not be downloaded: The proxy cannot be reached');
	});

	test('is blocked by the SSRF protection of n8n, with its reason', async () => {
		Container.get(SsrfProtectionConfig).enabled = true;
		try {
			const { message, description } = await rejectedWith(byUrl(`${files.url}/a.pdf`));
			expect(message).toContain('could not be downloaded: n8n blocked the request [item 0]');
			expect(description).toMatch(/^n8n says: The request was blocked/);
			expect(description).toContain('The target 127.0.0.1 is not allowed.');
			expect(files.requests).toEqual([]);
		} finally {
			Container.get(SsrfProtectionConfig).enabled = false;
		}
	});

	test('that fails names its item, and neither delays nor limits the others', async () => {
		files.on('/limited.png', (_request, response) =>
			response.writeHead(429, { 'Retry-After': '30' }).end(),
		);
		files.file('/a.png', PNG);
		const items = messages(20);
		items[3]!.json.text = 'limited';
		const url = `=${files.url}/{{ $json.text === 'limited' ? 'limited' : 'a' }}.png`;
		const settings = { onError: 'continueErrorOutput' } as const;
		const outcome = await run(byUrl(url, { items, options: { concurrency: 4 }, settings }));
		expect(outcome.errorItems.map(({ json }) => json.error)).toEqual([
			expect.stringMatching(/limited\.png \(Media URL\) could not be .*429\) \[item 3\]$/),
		]);
		expect(outcome.hints).toEqual([]);
		expect(gapsMs(gateway)).toEqual(Array(18).fill(0));
	});

	test('has one automatic idempotency key for all attempts, although each download differs', async () => {
		files.on('/report.pdf', (_request, response) =>
			send(response, `%PDF-1.7 ${files.requests.length}`),
		);
		gateway.faults([{ times: 1, cut: 'after' }]);
		const sameRun = { establishedAt: 5, options: { idempotencyKey: 'automatic' } };
		const message = byUrl(`${files.url}/report.pdf`, sameRun);
		expect((await run(message)).items[0]?.json).toMatchObject({ outcome: 'duplicate' });
		await run(message);
		const [first, second, other] = keysSent(gateway);
		expect(first).toMatch(/^n8n-/);
		expect(second).toBe(first);
		// The key covers the file.
		expect(other).not.toBe(first);
		expect(gateway.state().delivered).toHaveLength(2);
	});

	test('is no longer downloaded when the execution is cancelled', async () => {
		let isClosed = false;
		files.on('/slow.bin', (_request, response) => {
			response.writeHead(200).write('x');
			response.on('close', () => (isClosed = true));
		});
		const execution = start(byUrl(`${files.url}/slow.bin`));
		while (files.requests.length === 0) await turn();
		execution.cancel();
		await execution.outcome;
		while (!isClosed) await turn();
		expect(gateway.requests()).toEqual([]);
		expect(files.requests).toHaveLength(1);
	});
});

test.each([
	[PDF, { fileName: '../../etc/invoice' }, 'application/pdf', 'invoice.pdf'],
	[PNG, { mimeType: 'text/plain' }, 'image/png', 'file.png'],
	['xyz', { mimeType: 'Chemical/X-XYZ; a=b' }, 'chemical/x-xyz', 'file'],
	['xyz', { mimeType: 'a\r\nb', fileExtension: 'xyz' }, 'application/octet-stream', 'file.xyz'],
])('a binary field with %p and %j has the type %s', async (bytes, metadata, type, name) => {
	await run(inField(bytes, metadata));
	expectSent(type, name, bytes);
});

test('a file as base64 has the name of the option, and is rejected by its size', async () => {
	await run(byBase64('data:text/csv;base64,YTti', { options: { fileName: '..\\list.csv' } }));
	expectSent('text/csv', 'list.csv', 'a;b');
	const text = 'A'.repeat(4 * Math.ceil((1024 * 1024 + 3) / 3));
	const { error } = await run(byBase64(text, { options: ONE_MB }));
	expect(error?.message).toBe(
		"The file in 'Media Base64' is larger than the 1 MB that 'Max File Size (MB)' allows [item 0]",
	);
});

test.each<[Sending, RegExp]>([
	[{ options: { fileName: 'invoice.pdf' } }, /^The file '[\w.]+' is text, and not of the type /],
	[{ options: { mimeType: 'application/pdf' } }, /^The file 'file.pdf' is text, and not of the /],
	[{ fields: { mediaType: 'media' } }, /^'Media Type' is Shown in the Chat, but the file is not /],
])('text in place of a file is not sent: %j', async (sent, message) => {
	expect((await rejectedWith(byBase64('Tm90IGZvdW5k', sent))).message).toMatch(message);
});
