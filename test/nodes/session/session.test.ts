import { type Outcome } from '../../harness/engine';
import { jsonBody, runner } from '../../harness/messages';
import { textOf } from '../../harness/qrReader';
import { useGateway } from '../../harness/sandboxAccount';

const gateway = useGateway();

const session = async (operation: string, parameters = {}) =>
	await runner(gateway, { resource: 'session', operation })(parameters);

const json = ({ items }: Outcome) => items[0]?.json;

function binary({ items }: Outcome, field = 'data') {
	const image = items[0]?.binary?.[field];
	if (!image) throw new Error(`no image in ${field}`);
	return { ...image, bytes: Buffer.from(image.data, 'base64') };
}

test.each(['refresh', 'terminate'])('%s sends withDeletion only if it is on', async (operation) => {
	await session(operation);
	expect(gateway.theRequest()).toMatchObject({ bodyLength: 0, status: 200 });
	gateway.clearRequests();
	await session(operation, { withDeletion: true });
	expect(gateway.theRequest()).toMatchObject({ bodyText: '{"withDeletion":true}', status: 200 });
});

test('draws the QR code of the gateway, and returns its text', async () => {
	gateway.setStatus('AWAITING_QR');
	const outcome = await session('qr', { outputDataFieldName: 'code' });
	const { bytes, ...file } = binary(outcome, 'code');
	const image = { fileName: 'qr.png', mimeType: 'image/png' };
	expect(file).toMatchObject(image);
	const qr = textOf(bytes);
	expect(qr).toMatch(/^2@.{100,}/);
	expect(json(outcome)).toEqual({ qr, available: true, ...image, fileSize: bytes.length });
});

test('Get QR Image draws the code that Get QR Code reads', async () => {
	gateway.answerWith(jsonBody([{ data: { session: { qr: { code: '2@abcd' } } } }]));
	expect(json(await session('qr', { qrOutput: 'data' }))?.qr).toBe('2@abcd');
	expect(textOf(binary(await session('qrImage')).bytes)).toBe('2@abcd');
});

const jpeg = Buffer.from('ffd8ffe000104a46494600010100', 'hex');

// test/gateway/responses/ has the forms of images, codes and statuses.
test("returns the gateway's own image unchanged, whatever type it declares", async () => {
	const body = { contentType: 'application/octet-stream', base64: jpeg.toString('base64') };
	gateway.answerWith(body);
	const outcome = await session('qrImage', { outputDataFieldName: 'picture' });
	const image = { mimeType: 'image/jpeg', fileName: 'qr.jpg' };
	expect(binary(outcome, 'picture')).toMatchObject({ ...image, bytes: jpeg });
	expect(json(outcome)).toEqual({ available: true, ...image, fileSize: 14 });
	expect(json(await session('qr'))).toEqual({ ...json(outcome), qr: null });
});

describe.each(['qr', 'qrImage'])('%s without a QR code', (operation) => {
	test('says that the session is online, or what to do', async () => {
		expect(json(await session(operation))).toEqual({
			...{ qr: null, available: false, reason: 'alreadyOnline', status: 'ONLINE' },
			hint: expect.stringContaining('no code to scan') as string,
		});
		gateway.setStatus('DISCONNECTED');
		expect(json(await session(operation))).toMatchObject({
			...{ qr: null, available: false, reason: 'noneYet' },
			hint: expect.stringContaining('Session > Start') as string,
		});
	});

	test.each([
		[404, jsonBody({ statusCode: 404, message: 'Cannot GET /wrong', error: 'Not Found' })],
		[401, jsonBody({ error: 'invalid_token', message: 'no qr for you' })],
	])('does not treat every %d as a missing QR code: %j', async (status, body) => {
		gateway.answerWith(body, { status });
		const { items, error } = await session(operation);
		expect(items).toEqual([]);
		expect(error?.message).toContain(`(${status}`);
	});
});

test('outputs the fields next to the text of a QR code, but no image', async () => {
	const image = `data:image/jpeg;base64,${jpeg.toString('base64')}`;
	gateway.answerWith(
		jsonBody({ success: true, data: { qrCode: '2@abcdef', expiresIn: 20, image } }),
	);
	const { items } = await session('qr', { qrOutput: 'data' });
	const code = { available: true, qr: '2@abcdef', qrCode: '2@abcdef', expiresIn: 20 };
	expect(items).toEqual([{ json: code, pairedItem: { item: 0 } }]);
});

test.each([
	[200, { state: 'grazing' }, { status: 'grazing', state: 'grazing', online: null }],
	[
		200,
		{ status: 'DISCONNECTED', online: true },
		{ status: 'DISCONNECTED', online: false, gatewayOnline: true },
	],
	[
		404,
		{ error: 'session_not_found', status: 'DISCONNECTED' },
		{ gatewayError: 'session_not_found', status: 'DISCONNECTED', online: false },
	],
])('outputs the status of a %d with %j, but not of every error', async (status, body, expected) => {
	gateway.answerWith(jsonBody(body), { status });
	const { items } = await session('status');
	expect(items).toEqual([{ json: expected, pairedItem: { item: 0 } }]);
	gateway.answerWith(jsonBody({ error: 'invalid_token', ...body }), { status: 401 });
	expect((await session('status')).error?.message).toContain('401');
});
