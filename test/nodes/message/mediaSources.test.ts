import type { RequestListener } from 'node:http';

import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';

import { type Outcome, run, start } from '../../harness/engine';
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

useVirtualTime();
const gateway = useNewGateways();
const files = useFileServer();
const elsewhere = useFileServer();
const proxy = useProxy();

const PNG = Buffer.from('89504e470d0a1a0a00ff', 'hex');
const PDF = Buffer.from('%PDF-1.7\n');
const ZIP = Buffer.from('PK\x03\x04 rest', 'latin1');
const PAGE = '<!doctype html><html><title>Sign in</title></html>';
const TEXT = 'a;b\n1;2\n';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const media = ({ fields, ...rest }: Sending) =>
	sending(gateway, { fields: { operation: 'sendMedia', mediaType: 'file', ...fields }, ...rest });

const byUrl = (url: string, { fields, ...rest }: Sending = {}) =>
	media({ fields: { mediaSource: 'url', mediaUrl: url, ...fields }, ...rest });

const byBase64 = (mediaBase64: string, { fields, ...rest }: Sending = {}) =>
	media({ fields: { mediaSource: 'base64', mediaBase64, ...fields }, ...rest });

const ONE_MB = { maxFileSize: 1 };

interface SentFile {
	mimetype: string;
	filename: string;
	base64: string;
}

const sentFile = () => bodyOf(gateway.theRequest()).media as SentFile;

/** Fails if nothing was sent. */
async function sentWith(options: ReturnType<typeof media>): Promise<SentFile> {
	const { error } = await run(options);
	expect(error).toBeUndefined();
	return sentFile();
}

/** Fails if something was sent. */
async function rejectedWith(
	options: ReturnType<typeof media>,
): Promise<NonNullable<Outcome['error']>> {
	const { error } = await run(options);
	expect(gateway.requests()).toEqual([]);
	return error!;
}

describe('Shown in the Chat', () => {
	const shown = (file: Buffer) =>
		byBase64(`data:image/png;base64,${file.toString('base64')}`, {
			fields: { mediaType: 'media' },
			options: { fileName: 'sun.png', mimeType: 'image/png' },
		});

	test.each([
		...['\x89PNG\r\n\x1a\n', '\xff\xd8\xff\xe0', 'GIF89a', 'RIFF\0\0\0\0WEBP', '<svg xmlns=""/>'],
		...['BM6\0\0\0\0\0\0\0', 'II*\0', '\0\0\0\x18ftypmp42', '\x1aE\xdf\xa3', 'RIFF\0\0\0\0AVI '],
		...['\0\0\x01\xba', '\xff\xfb\x90', 'ID3\x03', '\xff\xf1\x50', 'OggS', '#!AMR', 'fLaC'],
		'RIFF\0\0\0\0WAVE',
	])('sends %j', async (bytes) => {
		const file = Buffer.from(bytes, 'latin1');
		expect((await sentWith(shown(file))).base64).toBe(file.toString('base64'));
	});

	// Whatever name and type the options give it.
	test.each([TEXT, 'BM, GIF, RIFF and ftyp are signatures', '\xff\xfes\0e\0', '%PDF-1.7\n'])(
		'refuses %j',
		async (bytes) => {
			const { message } = await rejectedWith(shown(Buffer.from(bytes, 'latin1')));
			expect(message).toMatch(
				/^'Media Type' is Shown in the Chat, but the file is not an image, |^The file 'sun.png' is text, /,
			);
		},
	);
});

describe('a file by URL', () => {
	test('is downloaded without credential, signature or token, and without compression', async () => {
		files.file('/photos/sun.png', PNG, { 'Content-Type': 'image/png' });
		const url = `${files.url}/photos/sun.png?size=2`;
		await sentWith(byUrl(url, { fields: { caption: 'The sun' } }));
		expect(gateway.theRequest()).toMatchObject({
			status: 200,
			bodyText: `{"chatId":"${chat(0)}","type":"file","caption":"The sun","media":{"mimetype":"image/png","filename":"sun.png","base64":"iVBORw0KGgoA/w=="}}`,
		});
		expect(files.requests).toHaveLength(1);
		const { method, url: path, headers, rawHeaders } = files.requests[0]!;
		expect([method, path]).toEqual(['GET', '/photos/sun.png?size=2']);
		const usual = ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'];
		expect(Object.keys(headers).sort()).toEqual(usual);
		// The HTTP library takes what comes out of gzip that ends early for the whole file.
		expect(headers['accept-encoding']).toBe('identity');
		const { token, secret } = gateway.account;
		expect(JSON.stringify([rawHeaders, path])).not.toContain(token);
		expect(JSON.stringify([rawHeaders, path])).not.toContain(secret);
	});

	test.each([
		['/a/Gr%C3%BC%C3%9Fe%20(1).pdf', PDF, undefined, 'application/pdf', 'Grüße (1).pdf'],
		['/photo', PNG, undefined, 'image/png', 'photo.png'],
		['/', PNG, undefined, 'image/png', 'file.png'],
		['/image.php', PNG, 'text/html; charset=utf-8', 'image/png', 'image.png'],
		['/list.csv', TEXT, 'text/html', 'text/csv', 'list.csv'],
		['/notes', TEXT, 'text/plain; charset=utf-8', 'text/plain', 'notes.txt'],
		['/letter.docx', ZIP, 'application/octet-stream', DOCX, 'letter.docx'],
		['/archive', ZIP, 'binary/octet-stream', 'application/zip', 'archive.zip'],
		['/a.xyz', 'xyz', undefined, 'application/octet-stream', 'a.xyz'],
		['/a.xyz', 'xyz', 'chemical/x-xyz', 'chemical/x-xyz', 'a.xyz'],
	])('%s: takes its type and name', async (path, content, declared, mimetype, filename) => {
		files.file(path, content, declared === undefined ? {} : { 'Content-Type': declared });
		expect(await sentWith(byUrl(files.url + path))).toEqual({
			mimetype,
			filename,
			base64: Buffer.from(content).toString('base64'),
		});
	});

	test.each([
		['attachment; filename="a b.pdf"', 'a b.pdf'],
		['attachment; filename="b.pdf"; filename*=UTF-8\'\'%C3%A4%20%E2%82%AC.pdf', 'ä €.pdf'],
		["attachment; filename*=iso-8859-1'en'%E4.pdf", 'ä.pdf'],
		["attachment; filename*=UTF-8''%E4.pdf; filename=b.pdf", '%E4.pdf'],
		[Buffer.from('attachment; filename="Grüße.pdf"').toString('latin1'), 'Grüße.pdf'],
		['attachment; filename="Gr\xfc\xdfe.pdf"', 'Grüße.pdf'],
		[String.raw`attachment; filename="say \"hi\".pdf"`, 'say hi.pdf'],
		['attachment; filename="../../etc/passwd.pdf"', 'passwd.pdf'],
		["attachment; filename*=UTF-8''a%0d%0aSet-Cookie%3A%201.pdf", 'aSet-Cookie 1.pdf'],
		["attachment; filename*=UTF-8''a%E2%80%AEfdp.exe", 'afdp.exe'],
		['attachment; filename=".."', 'download.pdf'],
		['attachment', 'download.pdf'],
		[`attachment; filename="${'x'.repeat(3_000)}.pdf"`, `${'x'.repeat(146)}.pdf`],
	])('takes its name from the header %p', async (header, filename) => {
		const head = `HTTP/1.1 200 OK\r\nContent-Length: ${PDF.length}\r\nContent-Disposition: ${header}`;
		files.on('/download', (_request, { socket }) => {
			// Node.js would change the bytes of the header.
			socket!.end(Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), PDF]));
		});
		const sent = await sentWith(byUrl(`${files.url}/download`));
		expect(sent).toMatchObject({ mimetype: 'application/pdf', filename });
	});

	test('is found behind redirects, which get no user and password', async () => {
		const redirect =
			(Location: string): RequestListener =>
			(_request, response) =>
				void response.writeHead(302, { Location }).end();
		files.on('/sun.png', redirect('/long'));
		files.on('/long', redirect(`${elsewhere.url}/files/1?signature=x`));
		elsewhere.file('/files/1', PNG);
		const url = `${files.url.replace('//', '//user:password@')}/sun.png`;
		expect(await sentWith(byUrl(url))).toMatchObject({
			mimetype: 'image/png',
			filename: 'sun.png',
		});
		expect(files.requests[0]?.headers.authorization).toBe('Basic dXNlcjpwYXNzd29yZA==');
		expect(elsewhere.requests[0]?.headers.authorization).toBeUndefined();
	});

	const ERROR = '{"error":"link_expired"}';
	const XML = '<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>';
	const UTF16 = Buffer.from(`\ufeff${XML}`, 'utf16le');

	test.each([
		['/photo.jpg', '', `\ufeff\n<!-- x --><HTML lang="en">`, {}, 'a web page'],
		['/photo', 'text/html', 'Please sign in', {}, 'a web page'],
		['/photo.jpg', 'application/json', ERROR, {}, 'JSON or XML'],
		['/photo.jpg', 'text/plain', ` \n[${ERROR}]`, {}, 'JSON or XML'],
		['/photo', 'application/json', ERROR, { mimeType: 'image/png' }, 'JSON or XML'],
		['/card.vcf', 'text/plain', ERROR, {}, 'JSON or XML'],
		['/track.gpx', 'application/problem+json', ERROR, {}, 'JSON or XML'],
		['/a.pdf', 'application/pdf', 'File not found', {}, 'text'],
		['/a.docx', 'application/octet-stream', UTF16, {}, 'text'],
	])(
		'%s of type %s is not what is sent instead: %j',
		async (path, type, content, options, what) => {
			files.file(path, content, type ? { 'Content-Type': type } : {});
			const { message, description } = await rejectedWith(byUrl(files.url + path, { options }));
			expect(message).toBe(
				`The server sent ${what} instead of the file at ${files.url}${path} (Media URL) [item 0]`,
			);
			expect(description).toContain("'MIME Type'");
			expect(files.requests).toHaveLength(1);
		},
	);

	test.each([
		['/report', 'text/html', PAGE, { mimeType: 'text/html' }],
		['/a.json', 'application/json', ERROR, {}],
		['/track.gpx', 'application/gpx+xml', XML, {}],
		['/list.csv', 'text/csv', '[a],b\n1,2', {}],
		['/a', 'application/json', ERROR, { mimeType: 'application/json' }],
		['/a', 'text/plain', '[2026-01-01] Started', {}],
		['/a', 'application/json', `{"a":"${'b'.repeat(100_000)}"}`, {}],
	])(
		'%s of type %s can be a page, data or text on purpose',
		async (path, type, content, options) => {
			files.file(path, content, { 'Content-Type': type });
			await run(byUrl(files.url + path, { options }));
			expect(gateway.state().delivered).toHaveLength(1);
		},
	);

	test.each([
		[202, {}],
		[200, { 'Content-Range': 'bytes 0-9/20' }],
	])('is not in a response with status %i and %j', async (status, headers) => {
		files.on('/a.pdf', (_request, response) => response.writeHead(status, headers).end(PDF));
		const { message } = await rejectedWith(byUrl(`${files.url}/a.pdf`));
		expect(message).toContain(`the server did not send it (status ${status})`);
		expect(files.requests).toHaveLength(1);
	});

	test.each([
		[403, 'the server requires a sign-in', 'without any credential'],
		[404, 'the server does not have it', 'typo'],
		[400, 'the server did not send it', 'browser'],
	])(
		'fails with a clear message on status %i, without secrets',
		async (status, reason, whatToDo) => {
			files.on('/secret/a.pdf', (_request, response) => response.writeHead(status).end('No'));
			const url = `${files.url.replace('//', '//user:password@')}/secret/a.pdf?X-Signature=abc`;
			const items = [{ json: { to: chat(0), url } }];
			const { error, run: result } = await run(byUrl('={{ $json.url }}', { items }));
			expect(error?.message).toBe(
				`The file at ${files.url}/…/a.pdf (Media URL) could not be downloaded: ${reason} (status ${status}) [item 0]`,
			);
			expect(error?.description).toContain(whatToDo);
			expect(error?.description).not.toContain('attempts');
			const { runData } = result.data.resultData;
			const stored = JSON.stringify([runData['Messaging Gateway'], error]);
			expect(stored).not.toMatch(/password|X-Signature|abc|secret\//);
			expect(files.requests).toHaveLength(1);
			expect(gateway.requests()).toEqual([]);
		},
	);

	test('fails with a clear message, after attempts only if they can help', async () => {
		const refused = await rejectedWith(byUrl('http://127.0.0.1:9/a.pdf'));
		expect(refused.message).toMatch(
			/\(Media URL\) could not be downloaded: the connection was refused/,
		);
		expect(refused.description).toMatch(/Check the URL.* attempts/);
		const insecure = await rejectedWith(byUrl(`${files.url.replace('http:', 'https:')}/a.pdf`));
		expect(insecure.message).toContain('no secure connection could be established');
		expect(insecure.description).not.toContain('attempts');
	});

	test('is rejected if it is too large, without reading it all', async () => {
		let open = 0;
		for (const [path, length] of Object.entries({ '/long': '1048577', '/endless': undefined })) {
			files.on(path, (_request, response) => {
				open += 1;
				response.writeHead(200, length ? { 'Content-Length': length } : {});
				response.write(Buffer.alloc(1_048_577));
				// Only the node can end it.
				response.on('close', () => (open -= 1));
			});
			const url = files.url + path;
			const { message, description } = await rejectedWith(byUrl(url, { options: ONE_MB }));
			expect(message).toBe(
				`The file at ${url} (Media URL) is larger than the 1 MB that 'Max File Size (MB)' allows [item 0]`,
			);
			expect(description).not.toContain('attempts');
			while (open > 0) await turn();
		}
	});

	test('is sent if it has exactly the maximum size, and rejected if it is empty', async () => {
		files.file('/big.bin', Buffer.alloc(1024 * 1024));
		files.file('/empty.bin', '');
		const { message } = await rejectedWith(byUrl(`${files.url}/empty.bin`));
		expect(message).toBe(`The file at ${files.url}/empty.bin (Media URL) is empty [item 0]`);
		await run(byUrl(`${files.url}/big.bin`, { options: ONE_MB }));
		expect(gateway.state().delivered).toHaveLength(1);
	});

	test('is given up after the timeout, even if it arrives byte by byte', async () => {
		files.on('/slow.bin', (_request, response) => {
			response.writeHead(200);
			const timer = setInterval(() => response.write('x'), 100);
			response.on('close', () => clearInterval(timer));
		});
		const { message, description } = await rejectedWith(
			byUrl(`${files.url}/slow.bin`, {
				fields: { requestOptions: { timeout: 1_000 } },
				options: { maxTries: 2 },
			}),
		);
		expect(message).toBe(
			`The file at ${files.url}/slow.bin (Media URL) could not be downloaded: it took longer than the timeout [item 0]`,
		);
		expect(description).toContain('The node made 2 attempts.');
	});

	test.each<[string, RequestListener]>([
		['503', (_request, response) => response.writeHead(503).end()],
		['a lost connection', (_request, response) => response.destroy()],
		[
			'a connection that is lost in the middle',
			(_request, response) => {
				response.writeHead(200, { 'Content-Length': '10' }).write('12345');
				setTimeout(() => response.destroy(), 10);
			},
		],
	])('is downloaded again after %s', async (_what, fail) => {
		files.on('/sun.png', (request, response) =>
			files.requests.length < 3 ? fail(request, response) : send(response, PNG),
		);
		expect(await sentWith(byUrl(`${files.url}/sun.png`))).toMatchObject({
			filename: 'sun.png',
			base64: PNG.toString('base64'),
		});
		expect(files.requests).toHaveLength(3);
	});

	test('waits as long as its server asks for', async () => {
		const times: number[] = [];
		files.on('/sun.png', (_request, response) => {
			times.push(Date.now());
			if (times.length > 1) send(response, PNG);
			else response.writeHead(429, { 'Retry-After': '7' }).end();
		});
		await sentWith(byUrl(`${files.url}/sun.png`));
		expect(times[1]! - times[0]!).toBe(7_000);
	});

	test('is downloaded through the proxy under Request Options', async () => {
		const through = async (url: string) => {
			const fields = { requestOptions: { proxy: url } };
			return await run(byUrl('http://files.invalid/sun.png', { fields }));
		};
		await through(proxy.url);
		expect(proxy.seen[0]).toBe('GET http://files.invalid/sun.png');
		expect((await through('http://127.0.0.1:1')).error?.message).toMatch(
			/^The file at http:\/\/files\.invalid\/sun\.png \(Media URL\) could not be downloaded: The proxy cannot be reached/,
		);
	});

	test.each([
		['   ', "'Media URL' is empty"],
		['file:///etc/passwd', "'Media URL' is not an address that starts with"],
		['https:photo.jpg', "'Media URL' is not an address that starts with"],
		['http://a.test/1.png, http://a.test/2.png', "'Media URL' contains more than one address"],
		['data:image/png;base64,iVBORw0KGgo=', "'Media URL' is a data URL"],
		[`https://files.test/${'x'.repeat(9_000)}`, "'Media URL' is longer than 8192 characters"],
	])('is rejected before anything is sent: %p', async (mediaUrl, reason) => {
		const items = [
			{ json: { to: chat(0), url: mediaUrl } },
			{ json: { to: chat(1), url: `${files.url}/sun.png` } },
		];
		const { message } = await rejectedWith(byUrl('={{ $json.url }}', { items }));
		expect(message).toContain(reason);
		expect(message).toContain('[item 0]');
		expect(files.requests).toEqual([]);
	});

	test('is blocked by the SSRF protection of n8n, with its reason', async () => {
		Container.get(SsrfProtectionConfig).enabled = true;
		try {
			files.file('/a.pdf', PDF);
			const { message, description } = await rejectedWith(byUrl(`${files.url}/a.pdf`));
			expect(message).toBe(
				`The file at ${files.url}/a.pdf (Media URL) could not be downloaded: n8n blocked the request [item 0]`,
			);
			expect(description).toMatch(/^n8n says: The request was blocked/);
			expect(description).toContain('The target 127.0.0.1 is not allowed.');
			expect(files.requests).toEqual([]);
		} finally {
			Container.get(SsrfProtectionConfig).enabled = false;
		}
	});
});

const inField = (bytes: Buffer | string, metadata: object) => {
	const data = { mimeType: '', ...metadata, data: Buffer.from(bytes).toString('base64') };
	return [{ json: { to: chat(0) }, binary: { data } }];
};

describe('a file in a binary field', () => {
	const mimeType = 'application/pdf';

	test.each<[Sending, string]>([
		[{ items: inField(PDF, { mimeType, fileName: '../../etc/passwd.pdf' }) }, 'passwd.pdf'],
		[{ items: inField(PDF, { mimeType, fileName: 'invoice' }) }, 'invoice.pdf'],
		[{ items: inField(PDF, { mimeType }), options: { fileName: 'C:\\Windows\\a.pdf' } }, 'a.pdf'],
	])('has a name that is safe to store: %j', async (sent, filename) => {
		expect((await sentWith(media(sent))).filename).toBe(filename);
	});

	test.each([
		[PNG, { mimeType: 'text/plain' }, 'image/png', 'file.png'],
		['xyz', { mimeType: 'Chemical/X-XYZ; a=b' }, 'chemical/x-xyz', 'file'],
		['xyz', { mimeType: 'a\r\nb', fileExtension: 'xyz' }, 'application/octet-stream', 'file.xyz'],
	])('has the type of its first bytes: %p %j', async (bytes, metadata, mimetype, filename) => {
		const sent = await sentWith(media({ items: inField(bytes, metadata) }));
		expect(sent).toMatchObject({ mimetype, filename });
	});
});

test.each<[Sending]>([
	[{ options: { fileName: 'invoice.pdf' } }],
	[{ options: { mimeType: 'application/pdf' } }],
	[{ items: inField('Not found', { fileName: 'a.pdf', mimeType: 'text/html' }) }],
])('text in place of a file is not sent: %j', async (sent) => {
	const items = inField('Not found', {});
	const { message } = await rejectedWith(media({ items, ...sent }));
	expect(message).toMatch(/^The file '[\w.]+' is text, and not of the type /);
});

describe('a file as base64', () => {
	test.each([
		['line breaks', ` iVBORw0K\r\nGgoA\n/w== \n`, 'image/png', 'file.png', PNG],
		['no padding', 'iVBORw0KGgoA/w', 'image/png', 'file.png', PNG],
		[
			'the alphabet for URLs',
			'-_-_'.repeat(20),
			...(['application/octet-stream', 'file', '\xfb\xff\xbf'.repeat(20)] as const),
		],
		['a charset', 'data:text/csv;charset=utf-8;base64,YTti', 'text/csv', 'file.csv', 'a;b'],
		['capitals', ' DATA:Text/CSV;BASE64,\nYTti', 'text/csv', 'file.csv', 'a;b'],
	])('is sent from text with %s', async (_what, text, mimetype, filename, content) => {
		const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
		const base64 = bytes.toString('base64');
		expect(await sentWith(byBase64(text))).toEqual({ mimetype, filename, base64 });
	});

	test.each([
		[' \n', "'Media Base64' is empty"],
		['data:image/png;base64,', "'Media Base64' contains no file"],
		['null', "'Media Base64' is 'null', which is no file"],
		['bnVsbA==', "'Media Base64' is 'bnVsbA==', which is no file"],
		['aHR0cHM6Ly9leGFtcGxlLmNvbS9hLnBkZg==', 'which is no file'],
		['0f8fad5b-d9cb-469f-a165-70867728950e', 'which is no file'],
		['iVBO 😀w0K', 'does not have: "😀" at position 5'],
		['iVBORw0KGg=', 'is not complete: 11 characters'],
		['iVBO=w0K', 'is not complete: 8 characters'],
		['data:image/png,abc', "'Media Base64' is a data URL that does not contain base64"],
	])('is rejected before anything is sent: %p', async (text, reason) => {
		const items = [text, PNG.toString('base64')].map((file, index) => ({
			json: { to: chat(index), file },
		}));
		const { message } = await rejectedWith(byBase64('={{ $json.file }}', { items }));
		expect(message).toContain(reason);
		expect(message).toContain('[item 0]');
	});

	test('is rejected by its size', async () => {
		const text = 'A'.repeat(4 * Math.ceil((1024 * 1024 + 3) / 3));
		const { message } = await rejectedWith(byBase64(text, { options: ONE_MB }));
		expect(message).toBe(
			"The file in 'Media Base64' is larger than the 1 MB that 'Max File Size (MB)' allows [item 0]",
		);
	});
});

test('a download that fails names its item, and neither delays nor limits the others', async () => {
	files.on('/limited.png', (_request, response) =>
		response.writeHead(429, { 'Retry-After': '30' }).end(),
	);
	files.file('/a.png', PNG);
	const items = messages(20);
	items[3]!.json.text = 'limited';
	const url = `=${files.url}/{{ $json.text === 'limited' ? 'limited' : 'a' }}.png`;
	const options = { concurrency: 4 };
	const outcome = await run(
		byUrl(url, { items, options, settings: { onError: 'continueErrorOutput' } }),
	);
	expect(outcome.errorItems.map(({ json }) => json.error)).toEqual([
		expect.stringMatching(
			/limited\.png \(Media URL\) could not be downloaded: .*429\) \[item 3\]$/,
		),
	]);
	expect(outcome.items).toHaveLength(19);
	expect(outcome.hints).toEqual([]);
	expect(gapsMs(gateway)).toEqual(Array(18).fill(0));
});

test('the automatic idempotency key covers the file, and stays the same for all attempts', async () => {
	// Each download differs.
	files.on('/report.pdf', (_request, response) =>
		send(response, `%PDF-1.7 ${files.requests.length}`),
	);
	gateway.faults([{ times: 1, cut: 'after' }]);
	const options = { idempotencyKey: 'automatic' };
	const message = byUrl(`${files.url}/report.pdf`, { executionId: '1', establishedAt: 5, options });
	expect((await run(message)).items[0]?.json).toMatchObject({ outcome: 'duplicate' });
	await run(message);
	const [first, second, other] = keysSent(gateway);
	expect(first).toMatch(/^n8n-/);
	expect(second).toBe(first);
	expect(other).not.toBe(first);
	expect(gateway.state().delivered).toHaveLength(2);
});

test('a download ends when the execution is cancelled', async () => {
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
