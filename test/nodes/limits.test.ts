import { run } from '../harness/engine';
import { Polling } from '../harness/polling';
import { useNewGateways } from '../harness/sandboxAccount';

const gateway = useNewGateways();

const TOO_LONG = 'A'.repeat(150_000);
const LIMIT = 4_096;
const chatId = '4915123456789';
const items = [
	{ json: {}, binary: { data: { data: 'AAAA', mimeType: 'image/png', fileName: 'a.png' } } },
];

/** Each field with the parameters around it. */
const fields: Array<
	[label: string, parametersWith: (value: string) => Record<string, unknown>, limit?: number]
> = [
	['Chat ID', (value) => ({ operation: 'send', chatId: value, text: 'x' })],
	['Text', (text) => ({ operation: 'send', chatId, text }), 1_000_000],
	[
		'Idempotency Key',
		(idempotencyKey) => ({ operation: 'send', chatId, text: 'x', options: { idempotencyKey } }),
	],
	['Invite Code', (inviteCode) => ({ operation: 'inviteInfo', inviteCode })],
	['Channel', (channel) => ({ operation: 'channelInfo', channel })],
	['Caption', (caption) => ({ operation: 'sendMedia', chatId, options: { caption } }), 1_000_000],
	['File Name', (fileName) => ({ operation: 'sendMedia', chatId, options: { fileName } })],
	['MIME Type', (mimeType) => ({ operation: 'sendMedia', chatId, options: { mimeType } })],
	[
		'Input Data Field Name',
		(binaryPropertyName) => ({ operation: 'sendMedia', chatId, binaryPropertyName }),
	],
	['Delivery Key', (deliveryKey) => ({ resource: 'deferred', operation: 'get', deliveryKey })],
	[
		'Query Parameters',
		(value) => ({
			resource: 'deferred',
			operation: 'getAll',
			queryParameters: { parameters: [{ name: 'filter', value }] },
		}),
	],
	[
		'Online Statuses',
		(onlineStatuses) => ({
			resource: 'session',
			operation: 'waitUntilOnline',
			options: { onlineStatuses },
		}),
	],
];

test.each(fields)('%s has a limit', async (label, parametersWith, limit = LIMIT) => {
	const { error } = await run({
		account: gateway.account,
		parameters: { resource: 'message', ...parametersWith('A'.repeat(limit + 1)) },
		items,
	});
	expect(error?.message).toBe(`'${label}' is longer than ${limit} characters [item 0]`);
	expect(error?.description).toBe(
		'No real value is this long. If it is an expression, check what it returns.',
	);
	expect(gateway.requests()).toEqual([]);
});

// It depends on the value what happens then.
test.each(fields)('%s accepts its limit', async (_label, parametersWith, limit = LIMIT) => {
	const { error } = await run({
		account: gateway.account,
		parameters: {
			resource: 'message',
			timeout: 1,
			pollInterval: 0.5,
			...parametersWith('A'.repeat(limit)),
		},
		items,
	});
	expect(error?.message ?? '').not.toContain('longer');
});

test.each([
	['Base URL', { baseUrl: `http://localhost/${'/'.repeat(40_000)}` }],
	['Token', { token: TOO_LONG }],
	['Secret', { secret: TOO_LONG }],
])('%s of the credential has a limit', async (label, changed) => {
	const { error } = await run({
		account: { ...gateway.account, ...changed },
		parameters: { resource: 'session', operation: 'ping' },
	});
	expect(error?.message).toBe(
		`'${label}' of the credential is longer than ${LIMIT} characters [item 0]`,
	);
});

test.each([
	['otherFromStatuses', 'Other From Statuses'],
	['otherToStatuses', 'Other To Statuses'],
])('%s of the trigger has a limit', async (name, label) => {
	const options = { [name]: TOO_LONG };
	const trigger = new Polling(gateway.account, { event: 'statusChanged', options });
	await expect(trigger.poll()).rejects.toMatchObject({
		message: `'${label}' is longer than ${LIMIT} characters`,
	});
});
