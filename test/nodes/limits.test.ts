import type { INodeProperties } from 'n8n-workflow';

import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { run, type RunOptions } from '../harness/engine';
import { OPERATIONS } from '../harness/operations';
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

describe('each field for a number', () => {
	const { properties } = new MessagingGateway().description;

	/** All number fields of the operations, and where their values belong. */
	const numbers = OPERATIONS.flatMap(({ parameters }) => {
		const shown = properties.filter(
			({ displayOptions: { show = {} } = {} }) =>
				show.resource?.includes(parameters.resource) &&
				show.operation?.includes(parameters.operation) &&
				!show.bodyForm?.includes('json'),
		);
		const inOptions = shown
			.filter(({ name }) => name === 'options')
			.flatMap(({ options }) => options as INodeProperties[]);
		const fieldsOf = (list: INodeProperties[]) => list.filter(({ type }) => type === 'number');
		return [
			...fieldsOf(shown).map((field) => ({
				field,
				with: (value: unknown) => ({ returnAll: false, [field.name]: value }),
			})),
			...fieldsOf(inOptions).map((field) => ({
				field,
				with: (value: unknown) => ({ options: { whenOffline: 'wait', [field.name]: value } }),
			})),
		].map((found) => ({
			...found,
			parameters,
			label: found.field.displayName,
			where: parameters.operation,
		}));
	});

	test('is in the list', () => {
		expect(numbers.map(({ label }) => label)).toEqual(
			expect.arrayContaining([
				'Concurrency',
				'Limit',
				'Max File Size (MB)',
				'Poll Interval (Seconds)',
			]),
		);
	});

	test.each(numbers)('rejects values outside its range: $label of $where', async (entry) => {
		const { minValue, maxValue, numberPrecision } = entry.field.typeOptions!;
		const whole = numberPrecision === 0 ? 'whole number' : 'number';
		const range =
			maxValue === undefined ? `of at least ${minValue}` : `from ${minValue} to ${maxValue}`;
		const wrong = [
			...[minValue! - 1, ...(maxValue === undefined ? [] : [maxValue + 1])],
			...(numberPrecision === 0 ? [minValue! + 0.5] : []),
			...['some', '', '={{ null }}', '={{ true }}', '={{ NaN }}', '={{ [5] }}'],
		];
		for (const value of wrong) {
			const { error } = await run({
				account: gateway.account,
				parameters: { ...entry.parameters, ...entry.with(value) } as RunOptions['parameters'],
				items,
			});
			expect([value, error?.message]).toEqual([
				value,
				`'${entry.label}' is not a ${whole} ${range} [item 0]`,
			]);
		}
		expect(gateway.requests()).toEqual([]);
	});
});
