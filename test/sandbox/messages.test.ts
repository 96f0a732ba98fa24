import { sendRequest, post, signatureHeaders, textTo, urlOf } from '../harness/client';
import { useGateway } from '../harness/sandboxAccount';

const ADA = '4915112345678';
const sandbox = useGateway({ token: 'tok-123', secret: 'sandbox-secret' });

// printf 'hello' | base64, and | sha256sum
const media = { mimetype: 'image/png', filename: 'a.png', base64: 'aGVsbG8=' };
const file = { chatId: ADA, type: 'file', media };

it('accepts a message, also with the legacy field names, and stores unknown fields', async () => {
	const response = await post(sandbox, 'sendMessage', textTo('4915112345678@c.us'));
	expect(response.json).toEqual({
		...{ success: true, chatId: '4915112345678@c.us', status: 'sent' },
		messageId: expect.stringMatching(/^3EB0[0-9A-F]{18}$/),
	});
	const legacy = { phone: ADA, type: 'text', message: 'Hello', idempotency_key: 'k-1' };
	await post(sandbox, 'sendMessage', { ...legacy, priority: [1] });
	expect(sandbox.state().delivered).toMatchObject([
		{ messageId: response.json.messageId, chatId: '4915112345678@c.us', text: 'Hello' },
		{ chatId: ADA, text: 'Hello', idempotencyKey: 'k-1', unknownFields: { priority: [1] } },
	]);
});

it.each<[string, string, unknown]>([
	['sendMessage', 'chatId', textTo('1234')],
	['sendMessage', 'chatId', { ...textTo(ADA), phone: '4915112345679' }],
	['sendMessage', 'type', { ...textTo(ADA), type: 'TEXT' }],
	['sendMessage', 'idempotencyKey', { ...textTo(ADA), idempotencyKey: 7 }],
	['sendMessage', 'windowMs', { ...textTo(ADA), windowMs: Number.MAX_SAFE_INTEGER }],
	['sendMedia', 'type', { ...textTo(ADA), media }],
	['sendMedia', 'media.base64', { ...file, media: { ...media, base64: 'aGVsbG8' } }],
	['invite-info', 'inviteCode', { inviteCode: '' }],
	['channel-info', 'inviteCode', { inviteCode: 'Abc', inviteLink: 'https://a.example/Xyz' }],
])('%s names the invalid field: %s', async (endpoint, field, body) => {
	const response = await post(sandbox, endpoint, body);
	expect(response.status).toBe(422);
	expect(response.json).toEqual({
		error: 'validation_error',
		message: expect.stringMatching(`^${field}\\b`),
	});
	expect(sandbox.state().delivered).toEqual([]);
});

it('rejects invalid JSON, and a Content-Type other than JSON', async () => {
	const invalid = await post(sandbox, 'sendMessage', '{"a":1}x');
	expect([invalid.status, invalid.json.error]).toEqual([422, 'invalid_json']);
	const body = JSON.stringify(textTo(ADA));
	const contentType = { 'Content-Type': 'application/x-www-form-urlencoded' };
	const headers = { ...contentType, ...signatureHeaders(sandbox, body) };
	const form = await sendRequest(urlOf(sandbox, 'sendMessage'), { method: 'POST', headers, body });
	expect([form.status, form.json.error]).toEqual([422, 'invalid_json']);
	expect(form.json.message).toContain('Content-Type');
});

it('delivers concurrent requests with the same idempotency key once', async () => {
	const message = { ...textTo(ADA), idempotencyKey: 'order-7' };
	const responses = await Promise.all(
		Array.from({ length: 20 }, async () => await post(sandbox, 'sendMessage', message)),
	);
	const [first, ...others] = responses
		.map(({ json }) => json)
		.sort((a, b) => Number(a.duplicate ?? 0) - Number(b.duplicate ?? 0));
	expect(others).toEqual(others.map(() => ({ ...first, duplicate: true })));
	expect(sandbox.state().delivered).toHaveLength(1);
});
