import { type Sandbox, startSandbox } from '../../sandbox/sandbox';
import { sendRequest, post, signatureHeaders, textTo, urlOf } from '../harness/client';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ token: 'tok-123', secret: 'sandbox-secret' });
});
beforeEach(() => {
	sandbox.reset();
	sandbox.setStatus('ONLINE');
});
afterAll(async () => await sandbox.close());

// printf 'hello' | base64, and | sha256sum
const image = { mimetype: 'image/png', filename: 'a.png', base64: 'aGVsbG8=' };
const storedImage = {
	mimetype: 'image/png',
	filename: 'a.png',
	byteLength: 5,
	sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
};

describe('sendMessage', () => {
	it.each([
		['12345'],
		['4915112345678'],
		['4915112345678@c.us'],
		['120363025246125486@g.us'],
		['4915112345678-1412345678@g.us'],
		['120363025246125486@newsletter'],
	])('accepts the chat ID %s', async (chatId) => {
		const response = await post(sandbox, 'sendMessage', textTo(chatId));
		expect(response.status).toBe(200);
		expect(response.json).toEqual({
			success: true,
			messageId: expect.stringMatching(/^3EB0[0-9A-F]{18}$/),
			chatId,
			status: 'sent',
		});
		expect(sandbox.state().delivered).toEqual([
			{
				messageId: response.json.messageId,
				...textTo(chatId),
				deliveredAt: expect.stringMatching(/Z$/),
			},
		]);
	});

	it.each([
		['chatId', { type: 'text', text: 'x' }],
		['chatId', textTo('1234')],
		['chatId', textTo('+4915112345678')],
		['chatId', textTo('4915112345678@s.whatsapp.net')],
		['chatId', textTo('491511234-5678')],
		['chatId', textTo('4915112345678\n')],
		['chatId', { ...textTo('4915112345678'), chatId: 4915112345678 }],
		['chatId', { ...textTo('4915112345678'), phone: '4915112345679' }],
		['type', { chatId: '4915112345678', text: 'x' }],
		['type', { ...textTo('4915112345678'), type: 'TEXT' }],
		['text', { chatId: '4915112345678', type: 'text' }],
		['text', textTo('4915112345678', '')],
		['text', { ...textTo('4915112345678'), text: null }],
		['media', { chatId: '4915112345678', type: 'media', text: 'x' }],
		['idempotencyKey', { ...textTo('4915112345678'), idempotencyKey: 7 }],
		['windowMs', { ...textTo('4915112345678'), windowMs: '1000' }],
		['windowMs', { ...textTo('4915112345678'), windowMs: 0 }],
		['windowMs', { ...textTo('4915112345678'), window_ms: 1.5 }],
		['windowMs', { ...textTo('4915112345678'), windowMs: Number.MAX_SAFE_INTEGER }],
		['The body', []],
		['The body', null],
	])('names the invalid field: %s', async (field, body) => {
		const response = await post(sandbox, 'sendMessage', body);
		expect(response.status).toBe(422);
		expect(response.json).toEqual({
			error: 'validation_error',
			message: expect.stringMatching(`^${field}\\b`),
		});
		expect(sandbox.state().delivered).toEqual([]);
	});

	it.each([['{"chatId":'], [''], ['{"a":1}x'], ['\ufeff{}']])(
		'rejects invalid JSON: %p',
		async (body) => {
			const response = await post(sandbox, 'sendMessage', body);
			expect(response.status).toBe(422);
			expect(response.json.error).toBe('invalid_json');
		},
	);

	it('rejects a Content-Type other than JSON', async () => {
		const body = JSON.stringify(textTo('4915112345678'));
		const response = await sendRequest(urlOf(sandbox, 'sendMessage'), {
			method: 'POST',
			headers: {
				'Content-Type': 'application/x-www-form-urlencoded',
				...signatureHeaders(sandbox, body),
			},
			body,
		});
		expect(response.json.error).toBe('invalid_json');
		expect(response.json.message).toContain('Content-Type');
	});

	it('accepts the legacy field names', async () => {
		const response = await post(sandbox, 'sendMessage', {
			phone: '4915112345678',
			type: 'text',
			message: 'Hello',
			idempotency_key: 'k-1',
		});
		expect(response.json).toMatchObject({ chatId: '4915112345678', status: 'sent' });
		expect(sandbox.state().delivered).toMatchObject([
			{ chatId: '4915112345678', text: 'Hello', idempotencyKey: 'k-1' },
		]);
	});

	it('accepts and stores unknown fields', async () => {
		await post(sandbox, 'sendMessage', { ...textTo('4915112345678'), priority: [1] });
		expect(sandbox.state().delivered[0]?.unknownFields).toEqual({ priority: [1] });
	});

	it('keeps messages in order of arrival', async () => {
		for (const text of ['a', 'b', 'c']) {
			await post(sandbox, 'sendMessage', textTo('4915112345678', text));
		}
		expect(sandbox.state().delivered.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
	});
});

describe('idempotency', () => {
	it('delivers a repeated message once and returns the first response', async () => {
		const message = { ...textTo('4915112345678'), idempotencyKey: 'order-7' };
		const first = await post(sandbox, 'sendMessage', message);
		const second = await post(sandbox, 'sendMessage', message);
		expect(first.json.duplicate).toBeUndefined();
		expect(second.status).toBe(200);
		expect(second.json).toEqual({ ...first.json, duplicate: true });
		expect(sandbox.state().delivered).toHaveLength(1);
	});

	it('covers concurrent requests with the same key', async () => {
		const message = { ...textTo('4915112345678'), idempotencyKey: 'order-7' };
		const responses = await Promise.all(
			Array.from({ length: 20 }, async () => await post(sandbox, 'sendMessage', message)),
		);
		expect(responses.filter(({ json }) => json.duplicate !== true)).toHaveLength(1);
		expect(new Set(responses.map(({ json }) => json.messageId)).size).toBe(1);
		expect(sandbox.state().delivered).toHaveLength(1);
	});

	it('does not store the key of a rejected message', async () => {
		sandbox.setStatus('DISCONNECTED');
		const message = { ...textTo('4915112345678'), idempotencyKey: 'order-7' };
		const rejected = await post(sandbox, 'sendMessage', message);
		expect(rejected.status).toBe(409);
		expect(rejected.json.error).toBe('session_not_online');
		sandbox.setStatus('ONLINE');
		const sent = await post(sandbox, 'sendMessage', message);
		expect(sent.json).toMatchObject({ status: 'sent' });
		expect(sent.json.duplicate).toBeUndefined();
	});
});

describe('sendMedia', () => {
	it('stores the metadata of a file but not its bytes', async () => {
		const response = await post(sandbox, 'sendMedia', {
			chatId: '4915112345678',
			type: 'media',
			caption: 'A picture',
			media: image,
		});
		expect(response.status).toBe(200);
		expect(sandbox.state().delivered).toMatchObject([
			{ type: 'media', caption: 'A picture', media: storedImage },
		]);
		expect(JSON.stringify(sandbox.state())).not.toContain('aGVsbG8');
	});

	it.each([
		['type', { type: 'text', text: 'x', media: image }],
		['media', { type: 'file' }],
		['media', { type: 'file', media: 'aGVsbG8=' }],
		['media.mimetype', { type: 'file', media: { ...image, mimetype: 'png' } }],
		['media.filename', { type: 'file', media: { ...image, filename: '' } }],
		['media.base64', { type: 'file', media: { ...image, base64: '' } }],
		['media.base64', { type: 'file', media: { ...image, base64: 'aGVsbG8' } }],
		['media.base64', { type: 'file', media: { ...image, base64: 'aGVs\nbG8=' } }],
		['media.base64', { type: 'file', media: { ...image, base64: 'aGVsbG9=' } }],
		['media.base64', { type: 'file', media: { ...image, base64: '_-8=' } }],
		[
			'media.base64',
			{ type: 'file', media: { ...image, base64: 'data:image/png;base64,aGVsbG8=' } },
		],
		['caption', { type: 'file', media: image, caption: 5 }],
	])('names the invalid field: %s', async (field, body) => {
		const response = await post(sandbox, 'sendMedia', { chatId: '4915112345678', ...body });
		expect(response.status).toBe(422);
		expect(response.json).toEqual({
			error: 'validation_error',
			message: expect.stringMatching(`^${field}\\b`),
		});
	});
});

describe('invite codes', () => {
	it('return groups and channels', async () => {
		expect((await post(sandbox, 'invite-info', { inviteCode: 'AbC', extra: 1 })).json).toEqual({
			inviteCode: 'AbC',
			subject: 'Sandbox group AbC',
			size: 12,
		});
		const byLink = { inviteLink: 'https://chat.example/channel/Xyz?x=1' };
		expect((await post(sandbox, 'channel-info', byLink)).json).toMatchObject({ inviteCode: 'Xyz' });
		const byCode = await post(sandbox, 'channel-info', { inviteCode: 'Xyz' });
		expect(byCode.json).toMatchObject({ inviteCode: 'Xyz' });
	});

	it.each([
		['invite-info', { inviteCode: 'unknown-1' }, 404, 'invite_not_found'],
		['channel-info', { inviteLink: 'https://chat.example/unknown' }, 404, 'invite_not_found'],
		['invite-info', {}, 422, 'validation_error'],
		['invite-info', { inviteCode: '' }, 422, 'validation_error'],
		['channel-info', {}, 422, 'validation_error'],
		['channel-info', { inviteLink: 'http://chat.example/Xyz' }, 422, 'validation_error'],
		['channel-info', { inviteLink: 'Xyz' }, 422, 'validation_error'],
	])('%s rejects %j', async (path, body, status, error) => {
		const response = await post(sandbox, path, body);
		expect(response.status).toBe(status);
		expect(response.json.error).toBe(error);
	});
});
