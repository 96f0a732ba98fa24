import { readFileSync } from 'node:fs';

import { Resvg } from '@resvg/resvg-js';

import { type Outcome, run } from '../../harness/engine';
import { textOf } from '../../harness/qrReader';
import { useGateway } from '../../harness/sandboxAccount';

const gateway = useGateway();

const session = (operation: string, parameters: Record<string, unknown> = {}): Promise<Outcome> =>
	run({
		account: gateway.account,
		parameters: { resource: 'session', operation, ...parameters },
	});

const json = (value: unknown) => ({ contentType: 'application/json', text: JSON.stringify(value) });

function binary({ items }: Outcome, field = 'data') {
	const image = items[0]?.binary?.[field];
	if (!image) throw new Error(`no image in ${field}`);
	return { ...image, bytes: Buffer.from(image.data, 'base64') };
}

test('pairs a phone by start, QR code and status', async () => {
	gateway.setStatus('DISCONNECTED');
	expect((await session('start')).items[0]?.json).toMatchObject({ success: true });
	const code = await session('qr');
	expect(code.items[0]?.json).toMatchObject({
		available: true,
		qr: expect.stringMatching(/^2@/) as string,
	});
	expect((await session('status')).items[0]?.json).toMatchObject({ status: 'AWAITING_QR' });
	gateway.scan();
	expect((await session('status')).items).toEqual([
		{ json: { status: 'ONLINE', online: true }, pairedItem: { item: 0 } },
	]);
});

test.each(['refresh', 'terminate'])(
	'%s sends no body if withDeletion is off',
	async (operation) => {
		await session(operation);
		expect(gateway.theRequest()).toMatchObject({ bodyLength: 0, status: 200 });
	},
);

test.each(['refresh', 'terminate'])(
	'%s sends withDeletion if it is switched on',
	async (operation) => {
		await session(operation, { withDeletion: true });
		expect(gateway.theRequest()).toMatchObject({ bodyText: '{"withDeletion":true}', status: 200 });
	},
);

test('Text Only returns the text of the QR code without an image', async () => {
	gateway.setStatus('AWAITING_QR');
	const { items } = await session('qr', { qrOutput: 'data' });
	expect(items[0]).toMatchObject({ json: { qr: expect.stringMatching(/^2@/) as string } });
	expect(items[0]?.binary).toBeUndefined();
});

test('draws the QR code of the gateway as PNG and returns its text, by default', async () => {
	gateway.setStatus('AWAITING_QR');
	const outcome = await session('qr');
	const { bytes, mimeType, fileName } = binary(outcome);
	expect({ mimeType, fileName }).toEqual({ mimeType: 'image/png', fileName: 'qr.png' });
	expect(outcome.items[0]?.json).toEqual({
		qr: textOf(bytes),
		available: true,
		fileName: 'qr.png',
		mimeType: 'image/png',
		fileSize: bytes.length,
	});
	expect(textOf(bytes)).toMatch(/^2@.{100,}/);
});

test('draws the QR code of the gateway as SVG', async () => {
	gateway.setStatus('AWAITING_QR');
	const outcome = await session('qr', { qrOutput: 'svg', outputDataFieldName: 'code' });
	const { bytes, mimeType, fileName } = binary(outcome, 'code');
	expect({ mimeType, fileName }).toEqual({ mimeType: 'image/svg+xml', fileName: 'qr.svg' });
	const rendered = new Resvg(bytes.toString()).render().asPng();
	expect(textOf(rendered)).toBe(outcome.items[0]?.json.qr);
});

test("returns the gateway's own image unchanged", async () => {
	gateway.setStatus('AWAITING_QR');
	const code = async () => (await session('qr')).items[0]?.json.qr;
	const before = await code();
	const outcome = await session('qrImage', { outputDataFieldName: 'picture' });
	const { bytes, mimeType, fileName } = binary(outcome, 'picture');
	expect({ mimeType, fileName }).toEqual({ mimeType: 'image/png', fileName: 'qr.png' });
	// The code may have been renewed in the meantime.
	expect([before, await code()]).toContain(textOf(bytes));
	expect(outcome.items[0]?.json).toEqual({
		available: true,
		fileName: 'qr.png',
		mimeType: 'image/png',
		fileSize: bytes.length,
	});
});

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';
const jpeg = Buffer.from('ffd8ffe000104a46494600010100', 'hex');

test.each([
	[
		'as octet-stream',
		{ contentType: 'application/octet-stream', base64: jpeg.toString('base64') },
		'image/jpeg',
		'qr.jpg',
		jpeg,
	],
	[
		'as SVG',
		{ contentType: 'image/svg+xml', text: svg },
		'image/svg+xml',
		'qr.svg',
		Buffer.from(svg),
	],
	[
		'as a data URL in JSON',
		json({ data: { image: `data:image/jpeg;base64,${jpeg.toString('base64')}` } }),
		'image/jpeg',
		'qr.jpg',
		jpeg,
	],
	[
		'as base64 in JSON',
		json({ qr: Buffer.concat([jpeg, Buffer.alloc(64)]).toString('base64') }),
		'image/jpeg',
		'qr.jpg',
		Buffer.concat([jpeg, Buffer.alloc(64)]),
	],
])('recognizes an image sent %s', async (_how, body, mimeType, fileName, bytes) => {
	gateway.answerWith(body);
	const outcome = await session('qrImage');
	expect(binary(outcome)).toMatchObject({ mimeType, fileName, bytes });
	expect(outcome.items[0]?.json).toMatchObject({
		available: true,
		mimeType,
		fileSize: bytes.length,
	});
});

describe.each(['qr', 'qrImage'])('%s without a QR code', (operation) => {
	test('reports that the session is already online', async () => {
		const { items, error } = await session(operation);
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({
			qr: null,
			available: false,
			reason: 'alreadyOnline',
			status: 'ONLINE',
			hint: expect.stringContaining('no code to scan') as string,
		});
	});

	test('reports a text that says so', async () => {
		gateway.answerWith(json({ qr: 'Already connected' }));
		const { items } = await session(operation);
		expect(items[0]?.json).toMatchObject({ qr: null, available: false, reason: 'alreadyOnline' });
	});

	test('reports that there is none yet', async () => {
		gateway.setStatus('DISCONNECTED');
		const { items, error } = await session(operation);
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({
			qr: null,
			available: false,
			reason: 'noneYet',
			hint: expect.stringContaining('Session > Start') as string,
		});
	});

	test.each([
		[
			'null',
			json({ qr: null, status: 'AWAITING_QR' }),
			{ reason: 'noneYet', status: 'AWAITING_QR' },
		],
		[
			'null and online',
			json({ data: { qr: null, status: 'ONLINE' } }),
			{ reason: 'alreadyOnline' },
		],
		['an empty body', { contentType: 'text/plain', text: '' }, { reason: 'noneYet' }],
		['a link', json({ qr: 'https://example.com/qr.png' }), { reason: 'link', qr: null }],
	])('gives the reason for %s', async (_what, body, expected) => {
		gateway.answerWith(body);
		const { items, error } = await session(operation);
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ available: false, ...expected });
	});

	test.each([
		[
			409,
			'already_online',
			'QR code is not available: the session is already online',
			'alreadyOnline',
		],
		[409, undefined, 'The session is already starting, wait for the QR code', 'noneYet'],
		[200, 'already_connected', 'Nothing to scan', 'alreadyOnline'],
		[400, 'ALREADY_LOGGED_IN', 'You are already logged in', 'alreadyOnline'],
		[400, 'qr_not_ready', 'Later', 'noneYet'],
		[410, undefined, 'QR already expired', 'noneYet'],
		[404, undefined, 'QR code not found', 'noneYet'],
	])('reads %d %s "%s" as %4$s', async (status, error, words, reason) => {
		gateway.answerWith(json({ success: false, error, message: words }), { status });
		const { items } = await session(operation);
		expect(items[0]?.json).toMatchObject({ available: false, reason });
	});

	test.each([
		[404, { statusCode: 404, message: 'Cannot GET /wrong/api/whatsapp/x/qr', error: 'Not Found' }],
		[425, { message: 'Wait until the socket is connected' }],
		[401, { error: 'invalid_token', message: 'no qr for you' }],
	])('does not treat every %d as a missing QR code', async (status, value) => {
		gateway.answerWith(json(value), { status });
		const { items, error } = await session(operation);
		expect(items).toEqual([]);
		expect(error?.message).toBeDefined();
	});

	test('does not hide a wrong address', async () => {
		gateway.answerWith({ contentType: 'text/html', text: 'Not Found' }, { status: 404 });
		const { error } = await session(operation);
		expect(error?.message).toBe('The gateway found nothing at this address (404) [item 0]');
		expect(error?.description).toContain("'Base URL'");
	});
});

test.each([
	['bare text', { contentType: 'text/plain', text: '2@abcdef' }, { qr: '2@abcdef' }],
	[
		'wrapped',
		json({ success: true, data: { qr: '2@abcdef', expiresIn: 20 } }),
		{ qr: '2@abcdef', expiresIn: 20 },
	],
	['under another name', json({ qrCode: '2@abcdef' }), { qr: '2@abcdef' }],
	[
		'served as a web page',
		{ contentType: 'text/html', text: '{"qr":"2@abcdef"}' },
		{ qr: '2@abcdef' },
	],
	[
		'alongside its image',
		json({ qr: '2@abcdef', image: `data:image/jpeg;base64,${jpeg.toString('base64')}` }),
		{ qr: '2@abcdef' },
	],
])('finds the text of a QR code %s', async (_how, body, expected) => {
	gateway.answerWith(body);
	const { items } = await session('qr');
	expect(items[0]?.json).toMatchObject({ available: true, ...expected });
});

test.each([
	['bare text', { contentType: 'text/plain', text: 'ONLINE' }, { status: 'ONLINE', online: true }],
	[
		'wrapped',
		json({ success: true, data: { status: 'AWAITING_QR', since: 7 } }),
		{ status: 'AWAITING_QR', since: 7, online: false },
	],
	[
		'in a nested session',
		json({ status: 'ok', data: { session: { status: 'ONLINE' } } }),
		{ status: 'ONLINE', online: true },
	],
	[
		'under another name',
		json({ state: 'DISCONNECTED' }),
		{ status: 'DISCONNECTED', state: 'DISCONNECTED', online: false },
	],
	[
		'with an error alongside',
		json({ status: 'AUTH_FAILURE', error: 'logged_out' }),
		{ status: 'AUTH_FAILURE', gatewayError: 'logged_out', online: false },
	],
	[
		'after a word for success',
		json({ status: 'success', state: 'CONNECTED' }),
		{ status: 'CONNECTED', state: 'CONNECTED', online: true },
	],
	['in a word that is not known', json({ status: 'NAPPING' }), { status: 'NAPPING', online: null }],
	[
		"next to the gateway's own verdict",
		json({ status: 'DISCONNECTED', online: true }),
		{ status: 'DISCONNECTED', online: false, gatewayOnline: true },
	],
	['nowhere', json({ up: true }), { up: true, online: null }],
])('finds the status %s', async (_how, body, expected) => {
	gateway.answerWith(body);
	const { items } = await session('status');
	expect(items).toEqual([{ json: expected, pairedItem: { item: 0 } }]);
});

test.each([
	[404, { error: 'session_not_found', status: 'DISCONNECTED' }],
	[409, { success: false, error: 'logged_out', data: { state: 'AUTH_FAILURE' } }],
	[200, { success: false, error: 'not_connected', status: 'DISCONNECTED' }],
	[200, { success: false, state: null, message: 'session_not_found' }],
	[422, { error: 'Session status is not as expected', status: 'SCAN_QR_CODE' }],
	[500, { error: 'internal', status: 'DISCONNECTED' }],
])('reads the status of an error response with %d', async (status, value) => {
	gateway.answerWith(json(value), { status });
	const { items, error } = await session('status');
	expect(error).toBeUndefined();
	expect(items[0]?.json).toMatchObject({
		status: expect.stringMatching(
			/^(DISCONNECTED|AUTH_FAILURE|SESSION_NOT_FOUND|SCAN_QR_CODE)$/,
		) as string,
		online: false,
	});
	expect(items[0]?.json).not.toHaveProperty('error');
});

test.each([
	[404, { statusCode: 404, message: 'Cannot GET /status', error: 'Not Found' }],
	[404, 'Offline'],
	[401, { error: 'invalid_token', status: 'DISCONNECTED' }],
])('does not read a status from every %d', async (status, value) => {
	gateway.answerWith(json(value), { status });
	const { items, error } = await session('status');
	expect(items).toEqual([]);
	expect(error?.message).toContain(String(status));
});

test('an error that says that the session is not online has no QR code yet', async () => {
	gateway.answerWith(json({ success: false, state: null, message: 'session_not_found' }));
	const { items } = await session('qr');
	expect(items[0]?.json).toMatchObject({
		...{ qr: null, available: false, reason: 'noneYet', status: 'SESSION_NOT_FOUND' },
	});
});

test.each([
	{ result: 'ok', qr: null },
	{ success: true, data: 'No QR code available' },
	{ status: 'ONLINE', data: 'connected' },
	'ONLINE',
	...['WZYEH1YY', 'error_404', 'qr/abc.png', 'cdn.example.com/qr.png', '2026-11-26T10:00:00Z'].map(
		(qr) => ({ qr }),
	),
	...['0f8fad5b-d9cb-469f-a165-70867728950e', '+4915123456789', 'a@b.de'].map((qr) => ({ qr })),
])('does not invent a QR code from %j', async (value) => {
	for (const operation of ['qr', 'qrImage']) {
		gateway.answerWith(json(value));
		const { items } = await session(operation);
		expect(items[0]?.json).toMatchObject({ qr: null, available: false });
	}
});

test('reports a text that is too long for a QR code', async () => {
	gateway.answerWith(json({ qr: '2@'.padEnd(4000, 'x') }));
	const { error } = await session('qr', { qrOutput: 'png' });
	expect(error?.message).toMatch(
		/^The text of the QR code cannot be drawn: its 4000 characters are too many/,
	);
	expect(error?.description).toContain("'Text Only'");
});

test('returns one output item for each input item', async () => {
	const { items } = await run({
		account: gateway.account,
		parameters: { resource: 'session', operation: 'ping' },
		items: [{ json: {} }, { json: {} }, { json: {} }],
	});
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
		{ item: 0 },
		{ item: 1 },
		{ item: 2 },
	]);
});

test('the icons are valid images', () => {
	for (const icon of ['messagingGateway.svg', 'messagingGateway.dark.svg']) {
		const drawing = new Resvg(readFileSync(`nodes/MessagingGateway/${icon}`, 'utf8'));
		expect(drawing.render().pixels.some((value) => value !== 0)).toBe(true);
	}
});
