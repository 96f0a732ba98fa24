import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PNG } from 'pngjs';

import { type Sandbox, startSandbox } from '../../dev/sandbox/sandbox';
import { sendRequest, post, textTo } from '../harness/client';
import { EventStream, FROM_PAGE, viewOf } from '../harness/eventStream';
import { useNewGateways } from '../harness/sandboxAccount';
import { emptyFolder } from '../harness/sandboxProgram';

const ADA = '4915112345678';
/** The SHA-256 of "secret". */
const FILE = '2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b';

/** Text with HTML and the syntax of events. */
const HOSTILE = '</script><img src=x onerror=alert(1)>\n\ndata: {"status":"x"}\r\n\u2028\u202e\0';

const sandbox = useNewGateways({ token: 'tok-123' });

const getPath = async (path: string, headers = {}, { port }: Sandbox = sandbox) =>
	await sendRequest(`http://127.0.0.1:${port}${path}`, { headers });

describe('phone page', () => {
	it.each([
		['', 'text/html; charset=utf-8', /<title>Sandbox phone<\/title>/],
		['/page.js', 'text/javascript; charset=utf-8', /new EventSource\(/],
	])('serves %p as %s with security headers', async (path, type, content) => {
		const response = await getPath(`/_sandbox/phone${path}`);
		expect(response.status).toBe(200);
		expect(response.headers['content-type']).toBe(type);
		expect(response.body.toString()).toMatch(content);
		expect(response.headers).toMatchObject({
			'content-security-policy':
				"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
				"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
				"require-trusted-types-for 'script'; trusted-types 'none'",
			'x-content-type-options': 'nosniff',
			'x-frame-options': 'DENY',
			'cross-origin-resource-policy': 'same-origin',
		});
		expect(response.body.toString()).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
	});

	it.each(['/key', '/events', '/qr.svg', `/files/${FILE}`, '/anything'])(
		'serves %s to its own page only, not to other programs and pages',
		async (path) => {
			const media = { mimetype: 'text/plain', filename: 'a.txt', base64: btoa('secret') };
			await post(sandbox, 'sendMedia', { chatId: ADA, type: 'media', media });
			sandbox.setStatus('AWAITING_QR');
			// n8n sends no such header when it downloads a file, and so do most programs. Pages of other ports are same-site.
			for (const site of [undefined, '', 'none', 'same-site', 'cross-site']) {
				const headers = site === undefined ? {} : { 'Sec-Fetch-Site': site };
				const response = await getPath(`/_sandbox/phone${path}`, headers);
				expect([response.status, response.json.error]).toEqual([403, 'phone_page_only']);
			}
		},
	);

	it('gets the control key, which other web pages do not', async () => {
		const { origin } = new URL(sandbox.phoneUrl);
		const key = async (headers: object) =>
			await getPath('/_sandbox/phone/key', { ...FROM_PAGE, ...headers });
		const own = await key({ Origin: origin });
		expect([own.status, own.body.toString()]).toEqual([200, sandbox.controlKey]);
		expect(own.headers['cache-control']).toBe('no-store');
		expect(own.headers).not.toHaveProperty('access-control-allow-origin');
		for (const headers of [
			{ Origin: 'http://127.0.0.1:5678' },
			{ Origin: 'null' },
			{ Host: 'evil.example' },
			{ Host: `evil.example:${sandbox.port}`, Origin: `http://evil.example:${sandbox.port}` },
		]) {
			const foreign = await key(headers);
			expect(foreign.status).toBe(403);
			expect(foreign.body.toString()).not.toContain(sandbox.controlKey);
		}
	});
});

it('reports changes to the page, with any text as it is', async () => {
	const stream = await EventStream.open(sandbox.phoneUrl, `?chat=${ADA}`);
	await post(sandbox, 'sendMessage', textTo(`${ADA}@c.us`, HOSTILE));
	const last = { state: 'sent', kind: 'text', text: HOSTILE };
	expect(await stream.view(({ messages }) => messages === 1)).toMatchObject({
		chats: [{ id: ADA, kind: 'person', count: 1, last }],
		open: { bubbles: [last] },
	});
	stream.close();
});

describe('phone files', () => {
	const png = PNG.sync.write(new PNG({ width: 2, height: 2 }));
	const send = async (bytes: Buffer, mimetype = 'image/png', to: Sandbox = sandbox) =>
		await post(to, 'sendMedia', {
			...{ chatId: ADA, type: 'media', caption: 'Look' },
			media: { mimetype, filename: 'a.png', base64: bytes.toString('base64') },
		});
	const theBubble = async ({ phoneUrl }: Sandbox = sandbox) =>
		(await viewOf(phoneUrl, `?chat=${ADA}`)).open!.bubbles[0]!;
	const served = async (sha256 = '', by: Sandbox = sandbox) =>
		await getPath(`/_sandbox/phone/files/${sha256}`, FROM_PAGE, by);

	const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');

	it.each([
		['are displayed if they are images', png, 'shown', 'image/png', 'inline'],
		['can only be downloaded if not', svg, 'kept', 'application/octet-stream', 'attachment'],
	])('%s, as their first bytes say', async (_, bytes, shown, type, disposition) => {
		await send(bytes);
		const bubble = await theBubble();
		expect(bubble).toMatchObject({
			...{ kind: 'picture', text: 'Look' },
			file: { name: 'a.png', size: bytes.length, bytes: shown },
		});
		const response = await served(bubble.file?.sha256);
		expect([response.status, response.body.equals(bytes)]).toEqual([200, true]);
		expect(response.headers).toMatchObject({
			...{ 'content-type': type, 'content-disposition': disposition },
			'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
			'x-content-type-options': 'nosniff',
			'cross-origin-resource-policy': 'same-origin',
		});
	});

	it('are not in the event log, the state or the request log', async () => {
		const stateFile = join(emptyFolder(), 'state.jsonl');
		const before = await startSandbox({ token: 'tok-123', stateFile });
		before.setStatus('ONLINE');
		await send(Buffer.concat([png, Buffer.alloc(200_000, 'x')]), 'image/png', before);
		const reported = [before.state(), before.requests()].map((value) => JSON.stringify(value));
		for (const text of [...reported, readFileSync(stateFile, 'utf8')]) {
			expect(text.length).toBeLessThan(2_000);
		}
		await before.close();

		const after = await startSandbox({ token: 'tok-123', stateFile });
		const { kind, file } = await theBubble(after);
		expect([kind, file?.bytes]).toEqual(['picture', 'gone']);
		expect((await served(file?.sha256, after)).status).toBe(404);
		await after.close();
	});
});
