import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Resvg } from '@resvg/resvg-js';
import { PNG } from 'pngjs';

import { describeFault } from '../../sandbox/phone/faultDescription';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/sandbox';
import { textOf } from '../qrReader';
import { ask, get, post, textTo } from './client';
import { EventStream } from './eventStream';
import { emptyFolder } from './program';

const ADA = '4915112345678';

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

const look = async (path: string, headers = {}) =>
	await ask(`http://127.0.0.1:${sandbox.port}${path}`, { headers });

beforeEach(async () => await start());
afterEach(async () => {
	streams.forEach((stream) => stream.close());
	streams = [];
	await sandbox.close();
});

describe('the page', () => {
	it('is where a browser at the root is sent, and nobody else', async () => {
		const browser = await look('/', { Accept: 'text/html,application/xhtml+xml' });
		expect(browser.status).toBe(302);
		expect(browser.headers.location).toBe('/_sandbox/phone');
		expect((await look('/', { Accept: 'application/json' })).status).toBe(404);
		expect(sandbox.phoneUrl).toBe(`http://127.0.0.1:${sandbox.port}/_sandbox/phone`);
	});

	it.each([
		['', 'text/html; charset=utf-8', /<title>Sandbox phone<\/title>/],
		['/page.css', 'text/css; charset=utf-8', /prefers-color-scheme/],
		['/page.js', 'text/javascript; charset=utf-8', /new EventSource\(/],
		['/icon.svg', 'image/svg+xml; charset=utf-8', /^<svg/],
	])('serves %p as %s, guarded', async (path, type, content) => {
		const reply = await look(`/_sandbox/phone${path}`);
		expect(reply.status).toBe(200);
		expect(reply.headers['content-type']).toBe(type);
		expect(reply.body.toString()).toMatch(content);
		expect(reply.headers).toMatchObject({
			'content-security-policy':
				"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
				"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
				"require-trusted-types-for 'script'; trusted-types 'none'",
			'x-content-type-options': 'nosniff',
			'x-frame-options': 'DENY',
			'cross-origin-resource-policy': 'same-origin',
		});
		expect(reply.body.toString()).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
	});

	it.each([
		['/_sandbox/phone', { Host: 'evil.example' }, 403],
		['/_sandbox/phone/events', { Host: 'evil.example' }, 403],
		['/', { Host: 'evil.example', Accept: 'text/html' }, 403],
		['/_sandbox/phone/', {}, 404],
		['/_sandbox/phone/constructor', {}, 404],
		['/_sandbox/phone/main.ts', {}, 404],
		['/_sandbox/phone/files/../../main.ts', {}, 404],
		[`/_sandbox/phone/files/${'0'.repeat(64)}`, {}, 404],
		['/_sandbox/phone/qr.svg', {}, 404],
	])('answers %s with %j by %i', async (path, headers, status) => {
		const reply = await look(path, headers);
		expect(reply.status).toBe(status);
		expect(reply.json).toEqual({ error: expect.any(String), message: expect.any(String) });
	});

	it('takes nothing in, and is not on record', async () => {
		const reply = await ask(sandbox.phoneUrl, { method: 'POST', body: '{}' });
		expect(reply.status).toBe(405);
		expect(reply.headers.allow).toBe('GET');
		expect(sandbox.requests()).toEqual([]);
	});

	it('shows the code that the gateway gives', async () => {
		sandbox.setStatus('AWAITING_QR');
		const { qr } = (await get(sandbox, 'qr')).json;
		const drawing = await look('/_sandbox/phone/qr.svg?any');
		expect(drawing.headers['content-type']).toBe('image/svg+xml; charset=utf-8');
		const fitTo = { mode: 'width', value: 400 } as const;
		const picture = new Resvg(drawing.body.toString(), { fitTo }).render().asPng();
		expect(textOf(Buffer.from(picture))).toBe(qr);
		expect((await (await open()).view()).qr).toBe(qr);
	});
});

describe('events', () => {
	it('begin with the state, and go on with what happens', async () => {
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

	it('say nothing when nothing has changed', async () => {
		const stream = await open();
		await stream.view();
		await new Promise((done) => setTimeout(done, 500));
		expect(stream.views).toHaveLength(1);
	});

	it('tell person, group and channel apart, the newest first', async () => {
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

	it('show a deferred message until it goes out, as the same bubble', async () => {
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

	it('see what nothing announces: a window that ends, a QR code that is over', async () => {
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

	it('name the faults in force', async () => {
		const stream = await open();
		sandbox.faults([{ times: 1, status: 429, retryAfter: 3 }, { latencyMs: 50 }]);
		const armed = await stream.view(({ faults }) => faults.length === 2);
		expect(armed.faults).toEqual([
			'Any request: 429, Retry-After 3 · 1 left',
			'Any request: 0.05 s late',
		]);
		await get(sandbox, 'ping');
		await stream.view(({ faults }) => faults.length === 1);
	});

	it('carry hostile text as text', async () => {
		sandbox.setStatus('ONLINE');
		const text = '</script><img src=x onerror=alert(1)>\n\ndata: {"status":"x"}\r\n\u2028\u202e\0';
		const stream = await open(`?chat=${ADA}`);
		const before = stream.views.length;
		await post(sandbox, 'sendMessage', textTo(ADA, text));
		const view = await stream.view(({ messages }) => messages === 1);
		expect(view.open?.bubbles[0]?.text).toBe(text);
		expect(stream.views.length - before).toBeLessThanOrEqual(2);
	});

	it('stay small, however many and however long the messages are', async () => {
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

	it('are for eight pages at most', async () => {
		for (let i = 0; i < 8; i += 1) await open();
		const turnedAway = await look('/_sandbox/phone/events');
		expect(turnedAway.status).toBe(503);
		expect(turnedAway.json.error).toBe('too_many_pages');
		streams[0]?.close();
		const deadline = Date.now() + 5_000;
		let stream = await open();
		while (stream.response.statusCode !== 200 && Date.now() < deadline) stream = await open();
		expect(await stream.view()).toMatchObject({ status: 'DISCONNECTED' });
	});
});

describe('files', () => {
	const png = PNG.sync.write(new PNG({ width: 2, height: 2 }));
	const send = async (bytes: Buffer, { type = 'media', mimetype = 'image/png', name = 'a.png' }) =>
		await post(sandbox, 'sendMedia', {
			chatId: ADA,
			type,
			caption: 'Look',
			media: { mimetype, filename: name, base64: bytes.toString('base64') },
		});
	const bubbles = async () => (await (await open(`?chat=${ADA}`)).view()).open?.bubbles ?? [];
	const served = async (sha256 = '') => await look(`/_sandbox/phone/files/${sha256}`);

	beforeEach(() => sandbox.setStatus('ONLINE'));

	it('that are pictures are shown', async () => {
		await send(png, {});
		const [bubble] = await bubbles();
		expect(bubble).toMatchObject({
			kind: 'picture',
			text: 'Look',
			file: { name: 'a.png', size: png.length, bytes: 'shown' },
		});
		const reply = await served(bubble?.file?.sha256);
		expect(reply.status).toBe(200);
		expect(reply.body.equals(png)).toBe(true);
		expect(reply.headers).toMatchObject({
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
	])('that only call themselves %s are for saving', async (mimetype, kind, content) => {
		await send(Buffer.from(content), { mimetype });
		const [bubble] = await bubbles();
		expect(bubble).toMatchObject({ kind, file: { bytes: 'kept' } });
		const reply = await served(bubble?.file?.sha256);
		expect(reply.headers).toMatchObject({
			'content-type': 'application/octet-stream',
			'content-disposition': 'attachment',
			'content-security-policy': expect.stringMatching(/sandbox$/),
			'x-content-type-options': 'nosniff',
		});
		expect(reply.body.toString()).toBe(content);
	});

	it.each([
		['image/jpeg', Buffer.from('ffd8ffe000104a464946', 'hex')],
		['image/gif', Buffer.from('GIF89a\x01\x00\x01\x00')],
		['image/webp', Buffer.from('RIFF\x10\x00\x00\x00WEBPVP8 ')],
	])('are known as %s by their first bytes', async (type, bytes) => {
		await send(bytes, { type: 'file', mimetype: 'application/octet-stream' });
		const [bubble] = await bubbles();
		expect(bubble?.kind).toBe('file');
		expect((await served(bubble?.file?.sha256)).headers['content-type']).toBe(type);
	});

	it('are neither in the journal nor in state and requests', async () => {
		const stateFile = join(emptyFolder(), 'state.jsonl');
		await start({ stateFile });
		sandbox.setStatus('ONLINE');
		const bytes = Buffer.concat([png, Buffer.alloc(200_000, 'neverkept')]);
		await send(bytes, {});
		const kept = [sandbox.state(), sandbox.requests()].map((value) => JSON.stringify(value));
		const journal = readFileSync(stateFile, 'utf8');
		for (const text of [...kept, journal]) expect(text.length).toBeLessThan(2_000);

		expect((await bubbles())[0]?.file?.bytes).toBe('shown');
		await start({ stateFile });
		const [placeholder] = await bubbles();
		expect(placeholder).toMatchObject({ kind: 'picture', file: { bytes: 'gone' } });
		expect((await served(placeholder?.file?.sha256)).status).toBe(404);
	});

	it('of refused messages are not kept, and none outlives a reset', async () => {
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

describe('a fault in words', () => {
	it.each([
		[{ status: 500, after: true }, 'Any request: 500 after it took effect'],
		[
			{ endpoint: 'sendMessage', chatId: ADA, cut: 'before', times: 2, timesLeft: 1 } as const,
			`sendMessage to ${ADA}: cut off before it took effect · 1 left`,
		],
		[{ clockOffsetMs: -90_000 }, 'Any request: clock 1.5 min behind'],
		[
			{ body: { contentType: 'text/html', text: '<p>' }, probability: 0.5 },
			'Any request: 200 with a body of its own · by chance (0.5)',
		],
		[{ status: 503, code: 'x'.repeat(1_000) }, `Any request: 503 ${'x'.repeat(183)}`],
	])('%j', (fault, words) => {
		expect(describeFault(fault)).toBe(words);
	});
});
