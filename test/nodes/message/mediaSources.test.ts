import { createServer as createHttpServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';

import { type Outcome, run, start } from '../../harness/engine';
import { send, useFileServer } from '../../harness/fileServer';
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

const PNG = Buffer.from('89504e470d0a1a0a00ff', 'hex');
const PDF = Buffer.from('%PDF-1.7\n');
const ZIP = Buffer.from('PK\x03\x04 rest', 'latin1');
const MP4 = Buffer.from('\0\0\0\x18ftypmp42', 'latin1');
const PAGE = '<!doctype html><html><title>Sign in</title></html>';
const TEXT = 'a;b\n1;2\n';

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

/** Texts that must not appear anywhere in what leaves the node. */
function expectWithout(secrets: string[], { run: { data } }: Outcome): void {
	const { runData, error } = data.resultData;
	const ours = JSON.stringify([runData['Messaging Gateway'], error?.message, error?.description]);
	for (const secret of secrets) expect(ours).not.toContain(secret);
}

describe.each([
	['in a workflow', false],
	['as a tool', true],
])('%s', (_name, asTool) => {
	describe('Shown in the Chat', () => {
		const shown = (file: Buffer) =>
			run(
				byBase64(`data:image/png;base64,${file.toString('base64')}`, {
					asTool,
					fields: { mediaType: 'media' },
					options: { fileName: 'sun.png', mimeType: 'image/png' },
				}),
			);

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
			const { error } = await shown(Buffer.from(hex, 'hex'));
			expect(error).toBeUndefined();
			expect(sentFile().base64).toBe(Buffer.from(hex, 'hex').toString('base64'));
		});

		// Whatever name and type the URL, its server and the options give it.
		test.each([
			['text', TEXT],
			['JSON', '{"AccessKeyId":"x"}'],
			['a web page', PAGE],
			['XML', '<?xml version="1.0"?><Error/>'],
			['text with the beginning of a signature', 'BM, GIF, RIFF and ftyp are signatures'],
			['UTF-16', Buffer.from('\ufeffsecret', 'utf16le')],
			['a PDF file', PDF],
			['a ZIP file', ZIP],
		])('refuses %s', async (_what, content) => {
			const { error } = await shown(Buffer.from(content));
			expect(error?.message).toMatch(
				/^'Media Type' is Shown in the Chat, but the file is not an image, |^The file 'sun.png' is text, /,
			);
			expect(gateway.requests()).toEqual([]);
		});
	});

	describe('a file by URL', () => {
		test('is downloaded without credential, signature or token', async () => {
			files.file('/photos/sun.png', PNG, { 'Content-Type': 'image/png' });
			const url = `${files.url}/photos/sun.png?size=2`;
			const { error } = await run(byUrl(url, { asTool, fields: { caption: 'The sun' } }));
			expect(error).toBeUndefined();
			expect(gateway.theRequest()).toMatchObject({
				status: 200,
				bodyText: `{"chatId":"${chat(0)}","type":"file","caption":"The sun","media":{"mimetype":"image/png","filename":"sun.png","base64":"iVBORw0KGgoA/w=="}}`,
			});
			const [request] = files.requests;
			expect(files.requests).toHaveLength(1);
			expect(request).toMatchObject({ method: 'GET', url: '/photos/sun.png?size=2' });
			expect(Object.keys(request!.headers).sort()).toEqual([
				'accept',
				'accept-encoding',
				'connection',
				'host',
				'user-agent',
			]);
			const { token, secret } = gateway.account;
			const received = JSON.stringify([request!.rawHeaders, request!.url]);
			expect(received).not.toContain(token);
			expect(received).not.toContain(secret);
		});

		test.each([
			[
				'/a/invoice.pdf',
				PDF,
				{ 'Content-Type': 'application/pdf' },
				'application/pdf',
				'invoice.pdf',
			],
			['/a/Gr%C3%BC%C3%9Fe%20(1).pdf', PDF, {}, 'application/pdf', 'Grüße (1).pdf'],
			['/a/100%.pdf', PDF, {}, 'application/pdf', '100%.pdf'],
			['/photo', PNG, {}, 'image/png', 'photo.png'],
			['/', PNG, {}, 'image/png', 'file.png'],
			['/image.php', PNG, { 'Content-Type': 'text/html; charset=utf-8' }, 'image/png', 'image.png'],
			['/sun.jpg', PNG, { 'Content-Type': 'image/jpeg' }, 'image/png', 'sun.jpg'],
			['/list.csv', TEXT, { 'Content-Type': 'text/plain' }, 'text/csv', 'list.csv'],
			['/list.csv', TEXT, { 'Content-Type': 'text/html' }, 'text/csv', 'list.csv'],
			['/notes', TEXT, { 'Content-Type': 'text/plain; charset=utf-8' }, 'text/plain', 'notes.txt'],
			[
				'/letter.docx',
				ZIP,
				{ 'Content-Type': 'application/octet-stream' },
				'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
				'letter.docx',
			],
			[
				'/archive',
				ZIP,
				{ 'Content-Type': 'binary/octet-stream' },
				'application/zip',
				'archive.zip',
			],
			['/clip', MP4, {}, 'video/mp4', 'clip.mp4'],
			['/a.xyz', 'xyz', {}, 'application/octet-stream', 'a.xyz'],
			['/a.xyz', 'xyz', { 'Content-Type': 'not a type' }, 'application/octet-stream', 'a.xyz'],
			['/a.xyz', 'xyz', { 'Content-Type': 'chemical/x-xyz' }, 'chemical/x-xyz', 'a.xyz'],
			['/page.html', PAGE, { 'Content-Type': 'text/html' }, 'text/html', 'page.html'],
		])('%s: takes its type and name', async (path, content, headers, mimetype, filename) => {
			files.file(path, content, headers);
			const { error } = await run(byUrl(files.url + path, { asTool }));
			expect(error).toBeUndefined();
			expect(sentFile()).toEqual({
				mimetype,
				filename,
				base64: Buffer.from(content).toString('base64'),
			});
		});

		const LONG = 'x'.repeat(3_000);

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
			['attachment; filename=""', 'download.pdf'],
			['attachment', 'download.pdf'],
			['attachment; filename="', 'download.pdf'],
			['attachment; filename="invoice"', 'invoice.pdf'],
			[`attachment; filename="${LONG}.pdf"`, `${'x'.repeat(146)}.pdf`],
		])('takes its name from the header %p', async (header, filename) => {
			const head = `HTTP/1.1 200 OK\r\nContent-Length: ${PDF.length}\r\nContent-Disposition: ${header}`;
			files.on('/download', (_request, { socket }) => {
				// Node.js would change the bytes of the header.
				socket!.end(Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), PDF]));
			});
			const { error } = await run(byUrl(`${files.url}/download`, { asTool }));
			expect(error).toBeUndefined();
			expect(sentFile()).toMatchObject({ mimetype: 'application/pdf', filename });
		});

		test('has the name and type of the options', async () => {
			files.file('/a.bin', PNG, { 'Content-Type': 'image/png' });
			const options = { fileName: 'sun.webp', mimeType: 'image/x-sun' };
			await run(byUrl(`${files.url}/a.bin`, { asTool, options }));
			expect(sentFile()).toMatchObject({ mimetype: 'image/x-sun', filename: 'sun.webp' });
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
			const { error } = await run(byUrl(url, { asTool }));
			expect(error).toBeUndefined();
			expect(sentFile()).toMatchObject({ mimetype: 'image/png', filename: 'sun.png' });
			expect(files.requests[0]?.headers.authorization).toBe('Basic dXNlcjpwYXNzd29yZA==');
			expect(elsewhere.requests[0]?.headers.authorization).toBeUndefined();
		});

		test.each([
			['as HTML', '/photo.jpg', PAGE, { 'Content-Type': 'text/html; charset=utf-8' }],
			['as an image', '/photo.jpg', PAGE, { 'Content-Type': 'image/jpeg' }],
			['without a type', '/photo.jpg', `\ufeff\n<!-- x --><HTML lang="en">`, {}],
			['without markup', '/photo', 'Please sign in', { 'Content-Type': 'text/html' }],
			['as XHTML', '/a.pdf', '<p>Sign in</p>', { 'Content-Type': 'application/xhtml+xml' }],
		])('is not a web page that is sent instead, %s', async (_how, path, content, headers) => {
			files.file(path, content, headers);
			const { error } = await run(byUrl(files.url + path, { asTool }));
			expect(error?.message).toBe(
				`The server sent a web page instead of the file at ${files.url}${path} (Media URL) [item 0]`,
			);
			expect(error?.description).toContain('sign-in');
			expect(gateway.requests()).toEqual([]);
			expect(files.requests).toHaveLength(1);
		});

		const ERROR = '{"error":"link_expired"}';
		const XML = '<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>';

		test.each([
			['/photo.jpg', 'application/json', ERROR, {}],
			['/photo.jpg', 'image/jpeg', ERROR, {}],
			['/photo.jpg', 'text/plain', ` \n[${ERROR}]`, {}],
			['/photo.jpg', 'application/xml', XML, {}],
			['/photo.jpg', 'image/jpeg', XML.split('\n')[1]!, {}],
			['/a.pdf', 'application/pdf', ERROR, {}],
			['/letter.docx', 'application/octet-stream', XML, {}],
			['/photo', 'application/json', ERROR, {}],
			['/photo', 'application/json', ERROR, { mimeType: 'image/png' }],
			['/image.php', 'text/plain', XML, { fileName: 'image.png' }],
			['/logo.svg', 'application/json', ERROR, {}],
			['/list.csv', 'application/json', ERROR, {}],
			['/list.csv', 'text/csv', XML, {}],
			['/card.vcf', 'text/plain', ERROR, {}],
			['/a.rar', 'application/json', ERROR, {}],
			['/photo.bmp', 'application/xml', XML, {}],
			['/track.gpx', 'application/problem+json', ERROR, {}],
			['/track.gpx', 'application/xml', `<!DOCTYPE e>${XML.split('\n')[1]}`, {}],
		])(
			'%s of type %s is not JSON or XML that is sent instead',
			async (path, type, content, options) => {
				files.file(path, content, { 'Content-Type': type });
				const { error } = await run(byUrl(files.url + path, { asTool, options }));
				expect(error?.message).toBe(
					`The server sent JSON or XML instead of the file at ${files.url}${path} (Media URL) [item 0]`,
				);
				expect(error?.description).toContain("'MIME Type'");
				expect(gateway.requests()).toEqual([]);
			},
		);

		test.each([
			['/a.pdf', 'application/pdf', 'File not found'],
			['/a.pdf', 'application/pdf', ERROR.slice(0, -2)],
			['/a.png', 'image/png', '\u00bfNo existe?'],
			['/a.mp4', 'video/mp4', `<!DOCTYPE e>${XML.split('\n')[1]}`],
			['/a.docx', 'application/octet-stream', Buffer.from(`\ufeff${XML}`, 'utf16le')],
		])('%s of type %s is not a text that is sent instead', async (path, type, content) => {
			files.file(path, content, { 'Content-Type': type });
			const { error } = await run(byUrl(files.url + path, { asTool }));
			expect(error?.message).toMatch(/^The server sent (text|JSON or XML) instead of the file at /);
			expect(gateway.requests()).toEqual([]);
		});

		test.each([201, 202])('is not in a response with status %i', async (status) => {
			files.on('/a.pdf', (_request, response) => response.writeHead(status).end('%PDF-1.7'));
			const { error } = await run(byUrl(`${files.url}/a.pdf`, { asTool }));
			expect(error?.message).toContain(`(status ${status})`);
			expect(gateway.requests()).toEqual([]);
		});

		test.each([
			['/a.json', 'application/json', ERROR, {}],
			['/a.xml', 'application/xml', XML, {}],
			['/track.gpx', 'application/gpx+xml', XML, {}],
			['/map.geojson', 'text/plain', ERROR, {}],
			['/list.csv', 'text/csv', '[a],b\n1,2', {}],
			['/a.txt', 'text/plain', ERROR, {}],
			['/a', 'application/json', ERROR, { mimeType: 'application/json' }],
			['/a', 'application/xml', XML, { fileName: 'a.xml' }],
			['/a', 'text/plain', '[2026-01-01] Started', {}],
			['/a', 'application/json', `{"a":"${'b'.repeat(100_000)}"}`, {}],
		])(
			'%s of type %s can be JSON, XML or text on purpose',
			async (path, type, content, options) => {
				files.file(path, content, { 'Content-Type': type });
				const { error } = await run(byUrl(files.url + path, { asTool, options }));
				expect(error).toBeUndefined();
				expect(gateway.state().delivered).toHaveLength(1);
			},
		);

		// The HTTP library takes what comes out of gzip that ends early for the whole file.
		test('is requested without compression', async () => {
			files.on('/a.txt', ({ headers }, response) => {
				if (/gzip/.test(headers['accept-encoding'] ?? '')) {
					response.writeHead(200, { 'Content-Encoding': 'gzip' });
					response.end(gzipSync(TEXT).subarray(0, -12));
				} else {
					response.end(TEXT);
				}
			});
			const { error } = await run(byUrl(`${files.url}/a.txt`, { asTool }));
			expect(error).toBeUndefined();
			expect(Buffer.from(sentFile().base64, 'base64').toString()).toBe(TEXT);
		});

		test.each([206, 200])('is not a part of it, with status %i', async (status) => {
			files.on('/sun.png', (_request, response) => {
				response.writeHead(status, { 'Content-Range': 'bytes 0-9/20' }).end(PNG);
			});
			const { error } = await run(byUrl(`${files.url}/sun.png`, { asTool }));
			expect(error?.message).toContain(`the server did not send it (status ${status})`);
			expect(files.requests).toHaveLength(1);
			expect(gateway.requests()).toEqual([]);
		});

		test.each<[string, string, { fileName?: string; mimeType?: string }]>([
			['the option MIME Type', '/report', { mimeType: 'text/html' }],
			['the option File Name', '/report', { fileName: 'report.htm' }],
			['the URL', '/report.html', {}],
		])('is a web page if %s says so', async (_what, path, options) => {
			files.file(path, PAGE, { 'Content-Type': 'text/html' });
			const { error } = await run(byUrl(files.url + path, { asTool, options }));
			expect(error).toBeUndefined();
			expect(sentFile()).toMatchObject({
				mimetype: 'text/html',
				filename: options.fileName ?? 'report.html',
			});
		});

		test.each([
			[401, 'the server requires a sign-in', 'without any credential'],
			[403, 'the server requires a sign-in', 'without any credential'],
			[404, 'the server does not have it', 'typo'],
			[410, 'the server does not have it', 'expired'],
			[400, 'the server did not send it', 'browser'],
			[304, 'the server did not send it', 'browser'],
		])('fails with a clear message on status %i', async (status, reason, whatToDo) => {
			files.on('/secret/a.pdf', (_request, response) => response.writeHead(status).end('No'));
			const url = `${files.url.replace('//', '//user:password@')}/secret/a.pdf?X-Signature=abc`;
			const outcome = await run(
				byUrl('={{ $json.url }}', { asTool, items: [{ json: { to: chat(0), url } }] }),
			);
			expect(outcome.error?.message).toBe(
				`The file at ${files.url}/…/a.pdf (Media URL) could not be downloaded: ${reason} (status ${status}) [item 0]`,
			);
			expect(outcome.error?.description).toContain(whatToDo);
			expect(outcome.error?.description).not.toContain('attempts');
			expectWithout(['password', 'X-Signature', 'abc', 'secret/'], outcome);
			expect(files.requests).toHaveLength(1);
			expect(gateway.requests()).toEqual([]);
		});

		test.each([
			['too large', { 'Content-Length': '1048577' }, 1_048_577],
			['too large, without its length', { 'Transfer-Encoding': 'chunked' }, 5_000_000],
		])('is rejected if it is %s, without reading it all', async (_how, headers, size) => {
			let wasClosed = false;
			files.on('/big.bin', (_request, response) => {
				response.writeHead(200, headers).write(Buffer.alloc(Math.min(size, 1_500_000)));
				// Never ends: only the node can end it.
				response.on('close', () => (wasClosed = true));
			});
			const options = { maxFileSize: 1 };
			const { error } = await run(byUrl(`${files.url}/big.bin`, { asTool, options }));
			expect(error?.message).toBe(
				`The file at ${files.url}/big.bin (Media URL) is larger than the 1 MB that 'Max File Size (MB)' allows [item 0]`,
			);
			expect(error?.description).not.toContain('attempts');
			expect(gateway.requests()).toEqual([]);
			while (!wasClosed) await turn();
		});

		test('is sent if it has exactly the maximum size', async () => {
			files.file('/big.bin', Buffer.alloc(1024 * 1024));
			const options = { maxFileSize: 1 };
			const { error } = await run(byUrl(`${files.url}/big.bin`, { asTool, options }));
			expect(error).toBeUndefined();
			expect(gateway.state().delivered).toHaveLength(1);
		});

		test('is rejected if it is empty', async () => {
			files.file('/a.pdf', '', { 'Content-Type': 'application/pdf' });
			const { error } = await run(byUrl(`${files.url}/a.pdf`, { asTool }));
			expect(error?.message).toBe(`The file at ${files.url}/a.pdf (Media URL) is empty [item 0]`);
			expect(gateway.requests()).toEqual([]);
		});

		test('is given up after the timeout, even if it arrives byte by byte', async () => {
			files.on('/slow.bin', (_request, response) => {
				response.writeHead(200);
				const timer = setInterval(() => response.write('x'), 100);
				response.on('close', () => clearInterval(timer));
			});
			const { error } = await run(
				byUrl(`${files.url}/slow.bin`, {
					asTool,
					fields: { requestOptions: { timeout: 1_000 } },
					options: { maxTries: 2 },
				}),
			);
			expect(error?.message).toBe(
				`The file at ${files.url}/slow.bin (Media URL) could not be downloaded: it took longer than the timeout [item 0]`,
			);
			expect(error?.description).toContain('The node made 2 attempts.');
			expect(gateway.requests()).toEqual([]);
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
			const { items, error } = await run(byUrl(`${files.url}/sun.png`, { asTool }));
			expect(error).toBeUndefined();
			expect(items).toHaveLength(1);
			expect(files.requests).toHaveLength(3);
			expect(sentFile()).toMatchObject({ filename: 'sun.png', base64: PNG.toString('base64') });
		});

		test('is not downloaded more often than Max Tries allows', async () => {
			files.on('/sun.png', (_request, response) => response.writeHead(503).end());
			const { error } = await run(
				byUrl(`${files.url}/sun.png`, { asTool, options: { maxTries: 4 } }),
			);
			expect(error?.message).toContain('the server did not send it (status 503) [item 0]');
			expect(error?.description).toBe('Try again later. The node made 4 attempts.');
			expect(files.requests).toHaveLength(4);
			expect(gateway.requests()).toEqual([]);
		});

		test('waits as long as its server asks for', async () => {
			const times: number[] = [];
			files.on('/sun.png', (_request, response) => {
				times.push(Date.now());
				if (times.length > 1) send(response, PNG);
				else response.writeHead(429, { 'Retry-After': '7' }).end();
			});
			const { error } = await run(byUrl(`${files.url}/sun.png`, { asTool }));
			expect(error).toBeUndefined();
			expect(times[1]! - times[0]!).toBe(7_000);
		});

		test.each([
			['http://127.0.0.1:9/a.pdf', 'the connection was refused'],
			['http://files.invalid/a.pdf', 'the host name'],
		])('fails with a clear message if %s has no server', async (url, reason) => {
			const { error } = await run(byUrl(url, { asTool }));
			expect(error?.message).toContain(`${url} (Media URL) could not be downloaded: ${reason}`);
			expect(error?.description).toContain('Check the URL');
			expect(gateway.requests()).toEqual([]);
		});

		test('fails with a clear message if TLS is spoken to a plain port', async () => {
			const url = `${files.url.replace('http:', 'https:')}/a.pdf`;
			const { error } = await run(byUrl(url, { asTool }));
			expect(error?.message).toContain('no secure connection could be established');
			expect(error?.description).not.toContain('attempts');
		});

		test('is downloaded through the proxy under Request Options', async () => {
			const seen: string[] = [];
			const proxy = createHttpServer((request, response) => {
				seen.push(request.url!);
				send(response, PNG);
			});
			await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready));
			const { port } = proxy.address() as AddressInfo;
			await run(
				byUrl('http://files.invalid/sun.png', {
					asTool,
					fields: { requestOptions: { proxy: `http://127.0.0.1:${port}` } },
				}),
			);
			proxy.closeAllConnections();
			await new Promise((done) => proxy.close(done));
			expect(seen[0]).toBe('http://files.invalid/sun.png');
		});

		test('says that the proxy cannot be reached', async () => {
			const { error } = await run(
				byUrl('http://files.invalid/sun.png', {
					asTool,
					fields: { requestOptions: { proxy: 'http://127.0.0.1:1' } },
				}),
			);
			expect(error?.message).toMatch(
				/^The file at http:\/\/files\.invalid\/sun\.png \(Media URL\) could not be downloaded: The proxy cannot be reached/,
			);
		});

		test.each([
			['', "'Media URL' is empty"],
			['   ', "'Media URL' is empty"],
			['photo.jpg', "'Media URL' is not an address that starts with http:// or https://"],
			['ftp://files.test/a.pdf', "'Media URL' is not an address that starts with"],
			['file:///etc/passwd', "'Media URL' is not an address that starts with"],
			['https:photo.jpg', "'Media URL' is not an address that starts with"],
			['https:///photo.jpg', "'Media URL' is not an address that starts with"],
			['http://a.test/1.png, http://a.test/2.png', "'Media URL' contains more than one address"],
			['http://[::1/a', "'Media URL' is not an address that starts with"],
			['data:image/png;base64,iVBORw0KGgo=', "'Media URL' is a data URL"],
			[`https://files.test/${'x'.repeat(9_000)}`, "'Media URL' is longer than 8192 characters"],
		])('is rejected before anything is sent: %p', async (mediaUrl, reason) => {
			const items = [
				{ json: { to: chat(0), url: mediaUrl } },
				{ json: { to: chat(1), url: `${files.url}/sun.png` } },
			].slice(0, asTool ? 1 : 2);
			const { error } = await run(byUrl('={{ $json.url }}', { asTool, items }));
			expect(error?.message).toContain(reason);
			expect(error?.message).toContain('[item 0]');
			expect(error?.description).not.toBe('');
			expect(files.requests).toEqual([]);
			expect(gateway.requests()).toEqual([]);
		});

		describe('with the SSRF protection of n8n', () => {
			beforeEach(() => (Container.get(SsrfProtectionConfig).enabled = true));
			afterEach(() => (Container.get(SsrfProtectionConfig).enabled = false));

			test('is blocked with the reason of n8n', async () => {
				files.file('/a.pdf', PDF);
				const { error } = await run(byUrl(`${files.url}/a.pdf`, { asTool }));
				expect(error?.message).toBe(
					`The file at ${files.url}/a.pdf (Media URL) could not be downloaded: n8n blocked the request [item 0]`,
				);
				expect(error?.description).toMatch(/^n8n says: The request was blocked/);
				expect(error?.description).toContain('The target 127.0.0.1 is not allowed.');
				expect(files.requests).toEqual([]);
				expect(gateway.requests()).toEqual([]);
			});
		});
	});

	describe('a file in a binary field', () => {
		const binary = (bytes: Buffer | string, metadata: object) => [
			{
				json: { to: chat(0) },
				binary: {
					data: { mimeType: '', ...metadata, data: Buffer.from(bytes).toString('base64') },
				},
			},
		];

		test.each([
			['../../etc/passwd.pdf', 'passwd.pdf'],
			['C:\\Windows\\a.pdf', 'a.pdf'],
			['a\u202efdp.exe', 'afdp.exe'],
			['a\r\nSet-Cookie: 1.pdf', 'aSet-Cookie 1.pdf'],
			[`${'x'.repeat(3_000)}.pdf`, `${'x'.repeat(146)}.pdf`],
			['..', 'file.pdf'],
			['invoice', 'invoice.pdf'],
			['', 'file.pdf'],
		])('has a name that is safe to store: %j', async (fileName, filename) => {
			const mimeType = 'application/pdf';
			for (const sent of [
				{ items: binary(PDF, { fileName, mimeType }) },
				{ items: binary(PDF, { fileName: 'a.pdf', mimeType }), options: { fileName } },
			]) {
				// An empty option is no option, and an entered name keeps its extension.
				if ('options' in sent && ['', '..', 'invoice'].includes(fileName)) continue;
				gateway.clearRequests();
				const { error } = await run(media({ asTool, ...sent }));
				expect(error).toBeUndefined();
				expect(sentFile().filename).toBe(filename);
			}
		});

		test.each([
			[PNG, { mimeType: 'image/jpeg', fileName: 'sun.jpg' }, 'image/png', 'sun.jpg'],
			[PNG, { mimeType: 'text/plain' }, 'image/png', 'file.png'],
			[PDF, { mimeType: 'application/octet-stream', fileName: 'a' }, 'application/pdf', 'a.pdf'],
			[TEXT, { mimeType: 'text/plain', fileName: 'list.csv' }, 'text/csv', 'list.csv'],
			['xyz', { mimeType: 'Chemical/X-XYZ; a=b' }, 'chemical/x-xyz', 'file'],
			['xyz', { mimeType: 'a\r\nb', fileExtension: 'xyz' }, 'application/octet-stream', 'file.xyz'],
		])('has the type of its first bytes: %p %j', async (bytes, metadata, mimetype, filename) => {
			const { error } = await run(media({ asTool, items: binary(bytes, metadata) }));
			expect(error).toBeUndefined();
			expect(sentFile()).toMatchObject({ mimetype, filename });
		});
	});

	describe.each(['{"error":"not found"}', PAGE, 'Not found', '<Error><Code>x</Code></Error>'])(
		'%s in place of a file is not sent',
		(content) => {
			const base64 = Buffer.from(content).toString('base64');

			test.each<[string, Sending]>([
				['with File Name', { options: { fileName: 'invoice.pdf' } }],
				['with MIME Type', { options: { mimeType: 'application/pdf' } }],
				['as a data URL', { fields: { mediaBase64: `data:image/png;base64,${base64}` } }],
			])('as base64 %s', async (_how, sent) => {
				const { error } = await run(byBase64(base64, { asTool, ...sent }));
				expect(error?.message).toMatch(/^The file '[\w.]+' is text, and not of the type /);
				expect(gateway.requests()).toEqual([]);
			});

			test.each([
				{ fileName: 'invoice.pdf', mimeType: 'application/json' },
				{ fileName: 'photo.jpg', mimeType: 'text/html' },
				{ fileName: 'a', mimeType: 'application/pdf' },
			])('as the binary field %j', async (metadata) => {
				const binary = { data: { ...metadata, data: base64 } };
				const { error } = await run(media({ asTool, items: [{ json: { to: chat(0) }, binary }] }));
				expect(error?.message).toMatch(/^The file '[\w.]+' is text, and not of the type /);
				expect(gateway.requests()).toEqual([]);
			});
		},
	);

	describe('a file as base64', () => {
		const base64 = PNG.toString('base64');

		test.each([
			['text', base64, 'image/png', 'file.png', PNG],
			['text with line breaks', ` iVBORw0K\r\nGgoA\n/w== \n`, 'image/png', 'file.png', PNG],
			['text without padding', 'iVBORw0KGgoA/w', 'image/png', 'file.png', PNG],
			[
				'text in the alphabet for URLs',
				'-_-_'.repeat(20),
				...(['application/octet-stream', 'file', '\xfb\xff\xbf'.repeat(20)] as const),
			],
			['a data URL', `data:image/png;base64,${base64}`, 'image/png', 'file.png', PNG],
			[
				'a data URL of text',
				'data:text/csv;charset=utf-8;base64,YTti',
				'text/csv',
				'file.csv',
				'a;b',
			],
			['a data URL in capitals', ' DATA:Text/CSV;BASE64,\nYTti', 'text/csv', 'file.csv', 'a;b'],
			['a data URL without a type', 'data:;base64,YTti', 'application/octet-stream', 'file', 'a;b'],
			['a data URL of an unknown type', 'data:a/b;base64,YTti', 'a/b', 'file', 'a;b'],
		])('is sent from %s', async (_what, text, mimetype, filename, content) => {
			const { error } = await run(byBase64(text, { asTool }));
			expect(error).toBeUndefined();
			const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
			expect(sentFile()).toEqual({ mimetype, filename, base64: bytes.toString('base64') });
		});

		test('has the name and type of the options', async () => {
			await run(byBase64('YTti', { asTool, options: { fileName: 'list.csv' } }));
			expect(sentFile()).toMatchObject({ mimetype: 'text/csv', filename: 'list.csv' });
			gateway.reset();
			gateway.setStatus('ONLINE');
			const options = { mimeType: 'application/x-list' };
			await run(byBase64('data:text/csv;base64,YTti', { asTool, options }));
			expect(sentFile()).toMatchObject({ mimetype: 'application/x-list', filename: 'file' });
		});

		test.each([
			['', "'Media Base64' is empty"],
			[' \n', "'Media Base64' is empty"],
			['data:image/png;base64,', "'Media Base64' contains no file"],
			['filesystem-v2', "'Media Base64' is not complete: 13 characters"],
			['database', "'Media Base64' is 'database', which is no file"],
			['null', "'Media Base64' is 'null', which is no file"],
			...['file', 'bnVsbA==', 'W29iamVjdCBPYmplY3Rd', 'aHR0cHM6Ly9leGFtcGxlLmNvbS9hLnBkZg=='].map(
				(word): [string, string] => [word, `'Media Base64' is '${word}', which is no file`],
			),
			['1234', "'Media Base64' is '1234', which is no file"],
			['Not found', "'Media Base64' is 'Notfound', which is no file"],
			['reports/2026/invoice', "'Media Base64' is 'reports/2026/invoice', which is no file"],
			[
				'0f8fad5b-d9cb-469f-a165-70867728950e',
				"'Media Base64' is '0f8fad5b-d9cb-469f-a165-70867728950e', which is no file",
			],
			['====', "'Media Base64' contains no file"],
			['iVBO*w0K', 'does not have: "*" at position 5'],
			['iVBO 😀w0K', 'does not have: "😀" at position 5'],
			['iVBORw0KG', 'is not complete: 9 characters'],
			['iVBORw0KGg=', 'is not complete: 11 characters'],
			['iVBO=w0K', 'is not complete: 8 characters'],
			['iVBOR===', 'is not complete: 8 characters'],
			['data:image/png,abc', "'Media Base64' is a data URL that does not contain base64"],
			['data:text/plain;base64', "'Media Base64' is a data URL that does not contain base64"],
			['https://example.com/photo.jpg', 'does not have: ":" at position 6'],
		])('is rejected before anything is sent: %p', async (text, reason) => {
			const items = [
				{ json: { to: chat(0), file: text } },
				{ json: { to: chat(1), file: base64 } },
			].slice(0, asTool ? 1 : 2);
			const { error } = await run(byBase64('={{ $json.file }}', { asTool, items }));
			expect(error?.message).toContain(reason);
			expect(error?.message).toContain('[item 0]');
			expect(gateway.requests()).toEqual([]);
		});

		test('is rejected by its size before it is decoded', async () => {
			const text = 'A'.repeat(Math.ceil(((1024 * 1024 + 3) * 4) / 3 / 4) * 4);
			const decode = jest.spyOn(Buffer, 'from') as jest.SpyInstance<Buffer, unknown[]>;
			const { error } = await run(byBase64(text, { asTool, options: { maxFileSize: 1 } }));
			expect(error?.message).toBe(
				"The file in 'Media Base64' is larger than the 1 MB that 'Max File Size (MB)' allows [item 0]",
			);
			expect(decode.mock.calls.filter(([, how]) => how === 'base64')).toEqual([]);
			decode.mockRestore();
			expect(gateway.requests()).toEqual([]);
		});
	});

	test('rejects an unknown Media Source', async () => {
		const { error } = await run(media({ asTool, fields: { mediaSource: 'disk' } }));
		expect(error?.message).toContain("'Media Source' is not one of its choices");
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
