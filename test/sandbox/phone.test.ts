import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Resvg } from '@resvg/resvg-js';
import { PNG } from 'pngjs';

import { describeFault } from '../../sandbox/faults/faultDescription';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/sandbox';
import { textOf } from '../harness/qrReader';
import { sendRequest, get, post, textTo } from '../harness/client';
import { EventStream, FROM_PAGE } from '../harness/eventStream';
import { emptyFolder } from '../harness/sandboxProgram';

const ADA = '4915112345678';
/** The SHA-256 of "secret". */
const FILE = '2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b';

let sandbox: Sandbox;
let streams: EventStream[] = [];

async function start(options: SandboxOptions = {}) {
	await sandbox?.close();
	sandbox = await startSandbox({ token: 'tok-123', ...options });
}

async function open(query = ''): Promise<EventStream> {
	const stream = await EventStream.open(sandbox.phoneUrl, query);
	streams.push(stream);
	return stream;
}

const getPath = async (path: string, headers = {}) =>
	await sendRequest(`http://127.0.0.1:${sandbox.port}${path}`, { headers });

/** As a browser sends the requests of the page. */
const getFromPage = async (path: string) => await getPath(path, FROM_PAGE);

beforeEach(async () => await start());
afterEach(async () => {
	streams.forEach((stream) => stream.close());
	streams = [];
	await sandbox.close();
});

describe('phone page', () => {
	it('is where the root redirects browsers, but not API clients', async () => {
		const browser = await getPath('/', { Accept: 'text/html,application/xhtml+xml' });
		expect(browser.status).toBe(302);
		expect(browser.headers.location).toBe('/_sandbox/phone');
		expect((await getPath('/', { Accept: 'application/json' })).status).toBe(404);
		expect(sandbox.phoneUrl).toBe(`http://127.0.0.1:${sandbox.port}/_sandbox/phone`);
	});

	it.each([
		['', 'text/html; charset=utf-8', /<title>Sandbox phone<\/title>/],
		['/page.css', 'text/css; charset=utf-8', /prefers-color-scheme/],
		['/page.js', 'text/javascript; charset=utf-8', /new EventSource\(/],
		['/icon.svg', 'image/svg+xml; charset=utf-8', /^<svg/],
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

	it.each([
		['/_sandbox/phone', { Host: 'evil.example' }, 403],
		['/_sandbox/phone/events', { Host: 'evil.example' }, 403],
		['/', { Host: 'evil.example', Accept: 'text/html' }, 403],
		['/_sandbox/phone/', FROM_PAGE, 404],
		['/_sandbox/phone/constructor', FROM_PAGE, 404],
		['/_sandbox/phone/main.ts', FROM_PAGE, 404],
		['/_sandbox/phone/files/../../main.ts', FROM_PAGE, 404],
		[`/_sandbox/phone/files/${'0'.repeat(64)}`, FROM_PAGE, 404],
		['/_sandbox/phone/qr.svg', FROM_PAGE, 404],
	])('rejects %s with headers %j: %i', async (path, headers, status) => {
		const response = await getPath(path, headers);
		expect(response.status).toBe(status);
		expect(response.json).toEqual({ error: expect.any(String), message: expect.any(String) });
	});

	it.each(['/key', '/events', '/qr.svg', `/files/${FILE}`, '/anything'])(
		'serves %s to its own page only, not to other programs and pages',
		async (path) => {
			sandbox.setStatus('ONLINE');
			await post(sandbox, 'sendMedia', {
				chatId: ADA,
				type: 'media',
				media: { mimetype: 'text/plain', filename: 'a.txt', base64: btoa('secret') },
			});
			sandbox.setStatus('AWAITING_QR');
			// n8n sends no such header when it downloads a file, and so do most programs. Pages of other ports are same-site.
			for (const site of [undefined, '', 'none', 'same-site', 'cross-site']) {
				const headers = site === undefined ? {} : { 'Sec-Fetch-Site': site };
				const response = await getPath(`/_sandbox/phone${path}`, headers);
				expect([response.status, response.json.error]).toEqual([403, 'phone_page_only']);
			}
		},
	);

	it('accepts GET only and is not in the request log', async () => {
		const response = await sendRequest(sandbox.phoneUrl, { method: 'POST', body: '{}' });
		expect(response.status).toBe(405);
		expect(response.headers.allow).toBe('GET');
		expect(sandbox.requests()).toEqual([]);
	});

	it('shows the QR code that the gateway returns', async () => {
		sandbox.setStatus('AWAITING_QR');
		const { qr } = (await get(sandbox, 'qr')).json;
		const svg = await getFromPage('/_sandbox/phone/qr.svg?any');
		expect(svg.headers['content-type']).toBe('image/svg+xml; charset=utf-8');
		const fitTo = { mode: 'width', value: 400 } as const;
		const image = new Resvg(svg.body.toString(), { fitTo }).render().asPng();
		expect(textOf(Buffer.from(image))).toBe(qr);
		expect((await (await open()).view()).qr).toBe(qr);
	});
});

describe('phone events', () => {
	it('start with the current state and report changes', async () => {
		const stream = await open(`?chat=${ADA}`);
		expect(stream.response.headers).toMatchObject({
			'content-type': 'text/event-stream; charset=utf-8',
			'cache-control': 'no-store',
		});
		expect(await stream.view()).toEqual({
			status: 'DISCONNECTED',
			paired: false,
			messages: 0,
			waiting: 0,
			chatCount: 0,
			chats: [],
			faults: [],
		});

		sandbox.setStatus('ONLINE');
		await stream.view(({ status, paired }) => status === 'ONLINE' && paired);
		const { messageId } = (await post(sandbox, 'sendMessage', textTo(`${ADA}@c.us`))).json;
		const bubble = {
			id: messageId,
			state: 'sent',
			kind: 'text',
			at: expect.stringMatching(/Z$/),
			text: 'Hello',
		};
		const chat = { id: ADA, kind: 'person', count: 1, last: bubble };
		expect(await stream.view(({ messages }) => messages === 1)).toMatchObject({
			chats: [chat],
			open: { ...chat, bubbles: [bubble] },
		});

		const later = await open();
		expect(await later.view()).toMatchObject({ status: 'ONLINE', messages: 1, chats: [chat] });
	});

	it('send nothing if nothing has changed', async () => {
		const stream = await open();
		await stream.view();
		await new Promise((done) => setTimeout(done, 500));
		expect(stream.views).toHaveLength(1);
	});

	it('list people, groups and channels, newest first', async () => {
		sandbox.setStatus('ONLINE');
		for (const chatId of [ADA, '120363025246125486@g.us', '120363025246125486@newsletter', ADA]) {
			await post(sandbox, 'sendMessage', textTo(chatId));
		}
		const { chats, chatCount } = await (await open()).view();
		expect(chats.map(({ id, kind, count }) => [id, kind, count])).toEqual([
			[ADA, 'person', 2],
			['120363025246125486@newsletter', 'channel', 1],
			['120363025246125486@g.us', 'group', 1],
		]);
		expect(chatCount).toBe(3);
	});

	it('keep the bubble of a deferred message when it is delivered', async () => {
		sandbox.setStatus('ONLINE');
		sandbox.setStatus('DISCONNECTED');
		const stream = await open(`?chat=${ADA}`);
		const sent = await post(sandbox, 'sendMessage', { ...textTo(ADA), windowMs: 60_000 });
		const { deliveryKey, expiresAt } = sent.json;
		const waiting = await stream.view((view) => view.waiting === 1);
		expect(waiting.paired).toBe(true);
		expect(waiting.open?.bubbles).toMatchObject([
			{ id: deliveryKey, state: 'deferred', until: expiresAt },
		]);
		sandbox.setStatus('ONLINE');
		const gone = await stream.view((view) => view.messages === 1);
		expect(gone.open?.bubbles).toMatchObject([{ id: deliveryKey, state: 'sent' }]);
		expect(gone.open?.bubbles[0]?.until).toBeUndefined();
	});

	it('report an expired message and an expired QR code', async () => {
		let ahead = 0;
		await start({ now: () => Date.now() + ahead });
		const stream = await open();
		await post(sandbox, 'sendMessage', { ...textTo(ADA), windowMs: 60_000 });
		await stream.view((view) => view.waiting === 1);
		sandbox.setStatus('AWAITING_QR');
		const { qr } = await stream.view((view) => view.qr !== undefined);
		ahead = 61_000;
		const after = await stream.view((view) => view.qr !== undefined && view.qr !== qr);
		expect(after.waiting).toBe(0);
	});

	it('list the active faults', async () => {
		const stream = await open();
		sandbox.faults([{ times: 1, status: 429, retryAfter: 3 }, { latencyMs: 50 }]);
		const armed = await stream.view(({ faults }) => faults.length === 2);
		expect(armed.faults).toEqual([
			'Any request: 429, Retry-After 3 · 1 left',
			'Any request: 0.05 s delay',
		]);
		await get(sandbox, 'ping');
		await stream.view(({ faults }) => faults.length === 1);
	});

	it('escape text that contains HTML or event syntax', async () => {
		sandbox.setStatus('ONLINE');
		const text = '</script><img src=x onerror=alert(1)>\n\ndata: {"status":"x"}\r\n\u2028\u202e\0';
		const stream = await open(`?chat=${ADA}`);
		const before = stream.views.length;
		await post(sandbox, 'sendMessage', textTo(ADA, text));
		const view = await stream.view(({ messages }) => messages === 1);
		expect(view.open?.bubbles[0]?.text).toBe(text);
		expect(stream.views.length - before).toBeLessThanOrEqual(2);
	});

	it('limit chats, messages and text length', async () => {
		sandbox.setStatus('ONLINE');
		for (let i = 0; i < 400; i += 1) {
			await post(sandbox, 'sendMessage', textTo(`49151${10_000 + i}`, String(i)));
			await post(sandbox, 'sendMessage', textTo(ADA, String(i)));
		}
		await post(sandbox, 'sendMessage', textTo(ADA, `a${'👋'.repeat(200_000)}`));
		const view = await (await open(`?chat=${ADA}&bubbles=nonsense`)).view();
		expect(view).toMatchObject({ messages: 801, chatCount: 401 });
		expect(view.chats).toHaveLength(100);
		expect(view.open?.count).toBe(401);
		expect(view.open?.bubbles).toHaveLength(100);
		expect(view.open?.bubbles[98]?.text).toBe('399');
		expect(view.open?.bubbles[99]).toMatchObject({ text: `a${'👋'.repeat(999)}`, more: 398_002 });

		const more = await (await open(`?chat=${ADA}&bubbles=200&chats=150`)).view();
		expect(more.chats).toHaveLength(150);
		expect(more.open?.bubbles).toHaveLength(200);
		const all = await (await open(`?chat=${ADA}&bubbles=1000000&chats=1000000`)).view();
		expect(all.chats).toHaveLength(401);
		expect(all.open?.bubbles).toHaveLength(401);
	});

	it('are limited to eight pages', async () => {
		for (let i = 0; i < 8; i += 1) await open();
		const rejected = await getFromPage('/_sandbox/phone/events');
		expect(rejected.status).toBe(503);
		expect(rejected.json.error).toBe('too_many_pages');
		streams[0]?.close();
		let stream = await open();
		while (stream.response.statusCode !== 200) stream = await open();
		expect(await stream.view()).toMatchObject({ status: 'DISCONNECTED' });
	});
});

describe('phone files', () => {
	const png = PNG.sync.write(new PNG({ width: 2, height: 2 }));
	const send = async (bytes: Buffer, { type = 'media', mimetype = 'image/png', name = 'a.png' }) =>
		await post(sandbox, 'sendMedia', {
			chatId: ADA,
			type,
			caption: 'Look',
			media: { mimetype, filename: name, base64: bytes.toString('base64') },
		});
	const bubbles = async () => (await (await open(`?chat=${ADA}`)).view()).open?.bubbles ?? [];
	const served = async (sha256 = '') => await getFromPage(`/_sandbox/phone/files/${sha256}`);

	beforeEach(() => sandbox.setStatus('ONLINE'));

	it('are displayed if they are images', async () => {
		await send(png, {});
		const [bubble] = await bubbles();
		expect(bubble).toMatchObject({
			kind: 'picture',
			text: 'Look',
			file: { name: 'a.png', size: png.length, bytes: 'shown' },
		});
		const response = await served(bubble?.file?.sha256);
		expect(response.status).toBe(200);
		expect(response.body.equals(png)).toBe(true);
		expect(response.headers).toMatchObject({
			'content-type': 'image/png',
			'content-disposition': 'inline',
			'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
			'x-content-type-options': 'nosniff',
			'cross-origin-resource-policy': 'same-origin',
		});
	});

	it.each([
		['image/png', 'picture', '<script>alert(1)</script>'],
		['image/svg+xml', 'file', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
		['text/html', 'file', '<!doctype html><script>alert(1)</script>'],
		['text/javascript', 'file', 'alert(1)'],
	])(
		'are download-only if their bytes are not those of an image: %s',
		async (mimetype, kind, content) => {
			await send(Buffer.from(content), { mimetype });
			const [bubble] = await bubbles();
			expect(bubble).toMatchObject({ kind, file: { bytes: 'kept' } });
			const response = await served(bubble?.file?.sha256);
			expect(response.headers).toMatchObject({
				'content-type': 'application/octet-stream',
				'content-disposition': 'attachment',
				'content-security-policy': expect.stringMatching(/sandbox$/),
				'x-content-type-options': 'nosniff',
			});
			expect(response.body.toString()).toBe(content);
		},
	);

	it.each([
		['image/jpeg', Buffer.from('ffd8ffe000104a464946', 'hex')],
		['image/gif', Buffer.from('GIF89a\x01\x00\x01\x00')],
		['image/webp', Buffer.from('RIFF\x10\x00\x00\x00WEBPVP8 ')],
	])('are recognized as %s by their first bytes', async (type, bytes) => {
		await send(bytes, { type: 'file', mimetype: 'application/octet-stream' });
		const [bubble] = await bubbles();
		expect(bubble?.kind).toBe('file');
		expect((await served(bubble?.file?.sha256)).headers['content-type']).toBe(type);
	});

	it('are not in the event log, the state or the request log', async () => {
		const stateFile = join(emptyFolder(), 'state.jsonl');
		await start({ stateFile });
		sandbox.setStatus('ONLINE');
		const bytes = Buffer.concat([png, Buffer.alloc(200_000, 'neverkept')]);
		await send(bytes, {});
		const reported = [sandbox.state(), sandbox.requests()].map((value) => JSON.stringify(value));
		const eventLog = readFileSync(stateFile, 'utf8');
		for (const text of [...reported, eventLog]) expect(text.length).toBeLessThan(2_000);

		expect((await bubbles())[0]?.file?.bytes).toBe('shown');
		await start({ stateFile });
		const [placeholder] = await bubbles();
		expect(placeholder).toMatchObject({ kind: 'picture', file: { bytes: 'gone' } });
		expect((await served(placeholder?.file?.sha256)).status).toBe(404);
	});

	it('are not kept after a rejected message or a reset', async () => {
		sandbox.setStatus('DISCONNECTED');
		expect((await send(png, {})).status).toBe(409);
		sandbox.setStatus('ONLINE');
		await send(Buffer.from('other'), {});
		const sha256 = (await bubbles())[0]?.file?.sha256;
		expect((await served(sha256)).status).toBe(200);
		sandbox.reset();
		expect((await served(sha256)).status).toBe(404);
	});
});

describe('describeFault', () => {
	it.each([
		[{ status: 500, after: true }, 'Any request: 500 after processing'],
		[
			{ endpoint: 'sendMessage', chatId: ADA, cut: 'before', times: 2, timesLeft: 1 } as const,
			`sendMessage to +${ADA}: connection closed before processing · 1 left`,
		],
		[
			{ endpoint: 'message', cut: 'after' } as const,
			'Any message: connection closed after processing',
		],
		[{ clockOffsetMs: -90_000 }, 'Any request: clock 1.5 min behind'],
		[
			{ body: { contentType: 'text/html', text: '<p>' }, probability: 0.5 },
			'Any request: 200 with a custom body · probability 0.5',
		],
		[{ status: 503, code: 'x'.repeat(1_000) }, `Any request: 503 ${'x'.repeat(183)}`],
	])('%j', (fault, description) => {
		expect(describeFault(fault)).toBe(description);
	});
});
