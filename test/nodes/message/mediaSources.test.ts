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
		['PNG', '89504e470d0a1a0a00ff'],
		['JPEG', 'ffd8ffe000104a464946'],
		['GIF', '474946383961'],
		['WebP', '524946462400000057454250'],
		['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('hex')],
		['BMP', '424d460000000000000036'],
		['TIFF', '49492a0008000000'],
		['HEIC', '0000001866747970686569630000'],
		['MP4', '00000018667479706d703432'],
		['QuickTime', '00000014667479707174202020'],
		['WebM', '1a45dfa39f4286810142'],
		['AVI', '52494646240000004156492000'],
		['MPEG', '000001ba4400'],
		['MP3 with a tag', '49443303000000'],
		['MP3', 'fffb9064'],
		['AAC', 'fff15080'],
		['M4A', '00000020667479704d344120'],
		['Ogg', '4f6767530002'],
		['AMR', '2321414d520a'],
		['FLAC', '664c614300000022'],
		['WAV', '52494646240000005741564500'],
	])('sends %s', async (_format, hex) => {
		const file = Buffer.from(hex, 'hex');
		expect((await sentWith(shown(file))).base64).toBe(file.toString('base64'));
	});

	// Whatever name and type the options give it.
	test.each([
		['text', TEXT],
		['XML', '<?xml version="1.0"?><Error/>'],
		['text with the beginning of a signature', 'BM, GIF, RIFF and ftyp are signatures'],
		['UTF-16', Buffer.from('\ufeffsecret', 'utf16le')],
		['a PDF file', PDF],
		['a ZIP file', ZIP],
	])('refuses %s', async (_what, content) => {
		const { message } = await rejectedWith(shown(Buffer.from(content)));
		expect(message).toMatch(
			/^'Media Type' is Shown in the Chat, but the file is not an image, |^The file 'sun.png' is text, /,
		);
	});
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
		['/a/invoice.pdf', PDF, 'application/pdf', 'application/pdf', 'invoice.pdf'],
		['/a/Gr%C3%BC%C3%9Fe%20(1).pdf', PDF, undefined, 'application/pdf', 'Grüße (1).pdf'],
		['/a/100%.pdf', PDF, undefined, 'application/pdf', '100%.pdf'],
		['/photo', PNG, undefined, 'image/png', 'photo.png'],
		['/', PNG, undefined, 'image/png', 'file.png'],
		['/image.php', PNG, 'text/html; charset=utf-8', 'image/png', 'image.png'],
		['/sun.jpg', PNG, 'image/jpeg', 'image/png', 'sun.jpg'],
		['/list.csv', TEXT, 'text/plain', 'text/csv', 'list.csv'],
		['/list.csv', TEXT, 'text/html', 'text/csv', 'list.csv'],
		['/notes', TEXT, 'text/plain; charset=utf-8', 'text/plain', 'notes.txt'],
		['/letter.docx', ZIP, 'application/octet-stream', DOCX, 'letter.docx'],
		['/archive', ZIP, 'binary/octet-stream', 'application/zip', 'archive.zip'],
		['/a.xyz', 'xyz', undefined, 'application/octet-stream', 'a.xyz'],
		['/a.xyz', 'xyz', 'not a type', 'application/octet-stream', 'a.xyz'],
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
		['attachment; filename=a.pdf', 'a.pdf'],
		['inline;FileName = "a.pdf" ; size=3', 'a.pdf'],
		['attachment; filename="b.pdf"; filename*=UTF-8\'\'%C3%A4%20%E2%82%AC.pdf', 'ä €.pdf'],
		["attachment; filename*=iso-8859-1'en'%E4.pdf", 'ä.pdf'],
		["attachment; filename*=UTF-8''%E4.pdf; filename=b.pdf", '%E4.pdf'],
		[Buffer.from('attachment; filename="Grüße.pdf"').toString('latin1'), 'Grüße.pdf'],
		['attachment; filename="Gr\xfc\xdfe.pdf"', 'Grüße.pdf'],
		['attachment; filename="%C3%A4.pdf"', 'ä.pdf'],
		[String.raw`attachment; filename="say \"hi\".pdf"`, 'say hi.pdf'],
		['attachment; filename="../../etc/passwd.pdf"', 'passwd.pdf'],
		[String.raw`attachment; filename="C:\\Windows\\a.pdf"`, 'a.pdf'],
		["attachment; filename*=UTF-8''..%2F..%2Fa.pdf", 'a.pdf'],
		["attachment; filename*=UTF-8''a%0d%0aSet-Cookie%3A%201.pdf", 'aSet-Cookie 1.pdf'],
		["attachment; filename*=UTF-8''a%E2%80%AEfdp.exe", 'afdp.exe'],
		['attachment; filename=".."', 'download.pdf'],
		['attachment', 'download.pdf'],
		['attachment; filename="', 'download.pdf'],
		['attachment; filename="invoice"', 'invoice.pdf'],
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
		['/photo.jpg', 'image/jpeg', PAGE, {}, 'a web page'],
		['/photo.jpg', '', `\ufeff\n<!-- x --><HTML lang="en">`, {}, 'a web page'],
		['/photo', 'text/html', 'Please sign in', {}, 'a web page'],
		['/photo.jpg', 'application/json', ERROR, {}, 'JSON or XML'],
		['/photo.jpg', 'text/plain', ` \n[${ERROR}]`, {}, 'JSON or XML'],
		['/letter.docx', 'application/octet-stream', XML, {}, 'JSON or XML'],
		['/photo', 'application/json', ERROR, {}, 'JSON or XML'],
		['/photo', 'application/json', ERROR, { mimeType: 'image/png' }, 'JSON or XML'],
		['/image.php', 'text/plain', XML, { fileName: 'image.png' }, 'JSON or XML'],
		['/logo.svg', 'application/json', ERROR, {}, 'JSON or XML'],
		['/list.csv', 'text/csv', XML, {}, 'JSON or XML'],
		['/card.vcf', 'text/plain', ERROR, {}, 'JSON or XML'],
		['/a.rar', 'application/json', ERROR, {}, 'JSON or XML'],
		['/track.gpx', 'application/problem+json', ERROR, {}, 'JSON or XML'],
		['/track.gpx', 'application/xml', '<!DOCTYPE e><Error/>', {}, 'JSON or XML'],
		['/a.pdf', 'application/pdf', 'File not found', {}, 'text'],
		['/a.png', 'image/png', '\u00bfNo existe?', {}, 'text'],
		['/a.mp4', 'video/mp4', '<!DOCTYPE e><Error/>', {}, 'JSON or XML'],
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
		['/report', 'text/html', PAGE, { fileName: 'report.htm' }],
		['/report.html', 'text/html', PAGE, {}],
		['/a.json', 'application/json', ERROR, {}],
		['/a.xml', 'application/xml', XML, {}],
		['/track.gpx', 'application/gpx+xml', XML, {}],
		['/map.geojson', 'text/plain', ERROR, {}],
		['/list.csv', 'text/csv', '[a],b\n1,2', {}],
		['/a.txt', 'text/plain', ERROR, {}],
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
		[201, {}],
		[202, {}],
		[206, { 'Content-Range': 'bytes 0-9/20' }],
		[200, { 'Content-Range': 'bytes 0-9/20' }],
	])('is not in a response with status %i and %j', async (status, headers) => {
		files.on('/a.pdf', (_request, response) => response.writeHead(status, headers).end(PDF));
		const { message } = await rejectedWith(byUrl(`${files.url}/a.pdf`));
		expect(message).toContain(`the server did not send it (status ${status})`);
		expect(files.requests).toHaveLength(1);
	});

	test.each([
		[401, 'the server requires a sign-in', 'without any credential'],
		[403, 'the server requires a sign-in', 'without any credential'],
		[404, 'the server does not have it', 'typo'],
		[410, 'the server does not have it', 'expired'],
		[400, 'the server did not send it', 'browser'],
		[304, 'the server did not send it', 'browser'],
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

	test.each([
		['http://127.0.0.1:9', 'the connection was refused', 'Check the URL'],
		['http://files.invalid', 'the host name', 'Check the URL'],
		['TLS to a plain port', 'no secure connection could be established', ''],
	])('fails with a clear message: %s', async (server, reason, whatToDo) => {
		const origin = server.startsWith('TLS') ? files.url.replace('http:', 'https:') : server;
		const { message, description } = await rejectedWith(byUrl(`${origin}/a.pdf`));
		expect(message).toContain(`${origin}/a.pdf (Media URL) could not be downloaded: ${reason}`);
		expect(description).toContain(whatToDo);
		expect(description!.includes('attempts')).toBe(whatToDo !== '');
	});

	test.each([
		['too large', { 'Content-Length': '1048577' }, 1_048_577],
		['too large, without its length', { 'Transfer-Encoding': 'chunked' }, 1_500_000],
	])('is rejected if it is %s, without reading it all', async (_how, headers, size) => {
		let wasClosed = false;
		files.on('/big.bin', (_request, response) => {
			response.writeHead(200, headers).write(Buffer.alloc(size));
			// Never ends: only the node can end it.
			response.on('close', () => (wasClosed = true));
		});
		const options = { maxFileSize: 1 };
		const { message, description } = await rejectedWith(byUrl(`${files.url}/big.bin`, { options }));
		expect(message).toBe(
			`The file at ${files.url}/big.bin (Media URL) is larger than the 1 MB that 'Max File Size (MB)' allows [item 0]`,
		);
		expect(description).not.toContain('attempts');
		while (!wasClosed) await turn();
	});

	test('is sent if it has exactly the maximum size, and rejected if it is empty', async () => {
		files.file('/big.bin', Buffer.alloc(1024 * 1024));
		files.file('/empty.bin', '');
		const options = { maxFileSize: 1 };
		const { message } = await rejectedWith(byUrl(`${files.url}/empty.bin`, { options }));
		expect(message).toBe(`The file at ${files.url}/empty.bin (Media URL) is empty [item 0]`);
		await run(byUrl(`${files.url}/big.bin`, { options }));
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
		['500', (_request, response) => response.writeHead(500).end()],
		['429', (_request, response) => response.writeHead(429).end()],
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

	test('is not downloaded more often than Max Tries allows', async () => {
		files.on('/sun.png', (_request, response) => response.writeHead(503).end());
		const options = { maxTries: 4 };
		const { message, description } = await rejectedWith(byUrl(`${files.url}/sun.png`, { options }));
		expect(message).toContain('the server did not send it (status 503) [item 0]');
		expect(description).toBe('Try again later. The node made 4 attempts.');
		expect(files.requests).toHaveLength(4);
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
		['photo.jpg', "'Media URL' is not an address that starts with http:// or https://"],
		['file:///etc/passwd', "'Media URL' is not an address that starts with"],
		['https:photo.jpg', "'Media URL' is not an address that starts with"],
		['https:///photo.jpg', "'Media URL' is not an address that starts with"],
		['http://[::1/a', "'Media URL' is not an address that starts with"],
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
		[{ items: inField(PDF, { mimeType, fileName: '..' }) }, 'file.pdf'],
		[{ items: inField(PDF, { mimeType, fileName: 'invoice' }) }, 'invoice.pdf'],
		[{ items: inField(PDF, { mimeType }), options: { fileName: 'C:\\Windows\\a.pdf' } }, 'a.pdf'],
		[{ items: inField(PDF, { mimeType }), options: { fileName: 'a\u202efdp.exe' } }, 'afdp.exe'],
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

describe('text in place of a file is not sent', () => {
	const text = (type = '') => `${type}${Buffer.from('Not found').toString('base64')}`;

	test.each<[string, () => ReturnType<typeof media>]>([
		['as base64 with File Name', () => byBase64(text(), { options: { fileName: 'invoice.pdf' } })],
		['with MIME Type', () => byBase64(text(), { options: { mimeType: 'application/pdf' } })],
		['as a data URL', () => byBase64(text('data:image/png;base64,'))],
		[
			'as a binary field with a name',
			() => media({ items: inField('Not found', { fileName: 'a.pdf', mimeType: 'text/html' }) }),
		],
		[
			'as a binary field with a type',
			() => media({ items: inField('Not found', { fileName: 'a', mimeType: 'application/pdf' }) }),
		],
	])('%s', async (_how, sent) => {
		const { message } = await rejectedWith(sent());
		expect(message).toMatch(/^The file '[\w.]+' is text, and not of the type /);
	});
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
		['no type', 'data:;base64,YTti', 'application/octet-stream', 'file', 'a;b'],
	])('is sent from text with %s', async (_what, text, mimetype, filename, content) => {
		const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
		const base64 = bytes.toString('base64');
		expect(await sentWith(byBase64(text))).toEqual({ mimetype, filename, base64 });
	});

	test('has the name and type of the options', async () => {
		const named = await sentWith(byBase64('YTti', { options: { fileName: 'list.csv' } }));
		expect(named).toMatchObject({ mimetype: 'text/csv', filename: 'list.csv' });
		gateway.clearRequests();
		const options = { mimeType: 'application/x-list' };
		const typed = await sentWith(byBase64('data:text/csv;base64,YTti', { options }));
		expect(typed).toMatchObject({ mimetype: 'application/x-list', filename: 'file' });
	});

	test.each([
		[' \n', "'Media Base64' is empty"],
		['data:image/png;base64,', "'Media Base64' contains no file"],
		['====', "'Media Base64' contains no file"],
		['filesystem-v2', "'Media Base64' is not complete: 13 characters"],
		...['null', 'Notfound', '1234', 'bnVsbA==', 'W29iamVjdCBPYmplY3Rd'].map(
			(word): [string, string] => [word, `'Media Base64' is '${word}', which is no file`],
		),
		['aHR0cHM6Ly9leGFtcGxlLmNvbS9hLnBkZg==', 'which is no file'],
		['reports/2026/invoice', 'which is no file'],
		['0f8fad5b-d9cb-469f-a165-70867728950e', 'which is no file'],
		['iVBO 😀w0K', 'does not have: "😀" at position 5'],
		['iVBORw0KG', 'is not complete: 9 characters'],
		['iVBORw0KGg=', 'is not complete: 11 characters'],
		['iVBO=w0K', 'is not complete: 8 characters'],
		['iVBOR===', 'is not complete: 8 characters'],
		['data:image/png,abc', "'Media Base64' is a data URL that does not contain base64"],
		['data:text/plain;base64', "'Media Base64' is a data URL that does not contain base64"],
		['https://example.com/photo.jpg', 'does not have: ":" at position 6'],
	])('is rejected before anything is sent: %p', async (text, reason) => {
		const items = [text, PNG.toString('base64')].map((file, index) => ({
			json: { to: chat(index), file },
		}));
		const { message } = await rejectedWith(byBase64('={{ $json.file }}', { items }));
		expect(message).toContain(reason);
		expect(message).toContain('[item 0]');
	});

	test('is rejected by its size before it is decoded', async () => {
		const text = 'A'.repeat(Math.ceil(((1024 * 1024 + 3) * 4) / 3 / 4) * 4);
		const decode = jest.spyOn(Buffer, 'from') as jest.SpyInstance<Buffer, unknown[]>;
		const { message } = await rejectedWith(byBase64(text, { options: { maxFileSize: 1 } }));
		expect(message).toBe(
			"The file in 'Media Base64' is larger than the 1 MB that 'Max File Size (MB)' allows [item 0]",
		);
		expect(decode.mock.calls.filter(([, how]) => how === 'base64')).toEqual([]);
		decode.mockRestore();
	});
});

const fileOfItem = '={{ $json.url }}';

const itemsWith = (...urls: string[]) =>
	messages(urls.length).map(({ json }, index) => ({ json: { ...json, url: urls[index]! } }));

test('a download that fails names its item, and the others are sent', async () => {
	files.file('/a.png', PNG);
	const items = itemsWith(`${files.url}/a.png`, `${files.url}/missing.png`, `${files.url}/a.png`);
	const outcome = await run(
		byUrl(fileOfItem, { items, settings: { onError: 'continueErrorOutput' } }),
	);
	expect(outcome.items.map(({ json }) => json.chatId)).toEqual([chat(0), chat(2)]);
	expect(outcome.errorItems.map(({ json }) => json.error)).toEqual([
		expect.stringMatching(
			/missing\.png \(Media URL\) could not be downloaded: .*404\) \[item 1\]$/,
		),
	]);
});

test('a rate limit of the server of the files does not slow down the account', async () => {
	files.on('/limited.png', (_request, response) =>
		response.writeHead(429, { 'Retry-After': '30' }).end(),
	);
	files.file('/a.png', PNG);
	const urls = ['limited', ...Array.from({ length: 20 }, () => 'a')];
	const items = itemsWith(...urls.map((name) => `${files.url}/${name}.png`));
	const outcome = await run(
		byUrl(fileOfItem, {
			items,
			options: { concurrency: 4 },
			settings: { onError: 'continueErrorOutput' },
		}),
	);
	expect(outcome.errorItems).toHaveLength(1);
	expect(outcome.items).toHaveLength(20);
	expect(outcome.hints).toEqual([]);
	expect(gapsMs(gateway)).toEqual(Array(19).fill(0));
});

test('messages keep their rate although their downloads end at the same time', async () => {
	const waiting: Array<() => void> = [];
	files.on('/slow.png', (_request, response) => {
		waiting.push(() => send(response, PNG));
		if (waiting.length === 5) for (const respond of waiting) respond();
	});
	const items = messages(5);
	const { error } = await run(
		byUrl(`${files.url}/slow.png`, { items, options: { messagesPerMinute: 1_200 } }),
	);
	expect(error).toBeUndefined();
	expect(gapsMs(gateway)).toEqual(Array(4).fill(50));
});

describe('the automatic idempotency key', () => {
	const options = { idempotencyKey: 'automatic' };
	const again = { executionId: '1', establishedAt: 5, options };

	test('covers the content of the file', async () => {
		files.file('/a.png', PNG);
		const url = `${files.url}/a.png`;
		await run(byUrl(url, again));
		await run(byUrl(url, again));
		files.file('/a.png', Buffer.concat([PNG, PNG]));
		await run(byUrl(url, again));
		const [first, second, third] = keysSent(gateway);
		expect(first).toMatch(/^n8n-/);
		expect(second).toBe(first);
		expect(third).not.toBe(first);
		expect(third).toMatch(/^n8n-/);
	});

	test('stays the same for all attempts, even if each download differs', async () => {
		files.on('/report.pdf', (_request, response) =>
			send(response, `%PDF-1.7 ${files.requests.length}`),
		);
		gateway.faults([{ times: 1, cut: 'after' }]);
		const { items } = await run(byUrl(`${files.url}/report.pdf`, { options }));
		expect(items[0]?.json).toMatchObject({ outcome: 'duplicate' });
		expect(files.requests).toHaveLength(2);
		const [first, second] = keysSent(gateway);
		expect(second).toBe(first);
		expect(gateway.state().delivered).toHaveLength(1);
	});
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
