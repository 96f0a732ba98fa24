import type { INodeProperties } from 'n8n-workflow';

import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { run } from '../harness/engine';
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
	['Caption', (caption) => ({ operation: 'sendMedia', chatId, caption }), 1_000_000],
	['File Name', (fileName) => ({ operation: 'sendMedia', chatId, options: { fileName } })],
	['MIME Type', (mimeType) => ({ operation: 'sendMedia', chatId, options: { mimeType } })],
	[
		'Input Data Field Name',
		(binaryPropertyName) => ({ operation: 'sendMedia', chatId, binaryPropertyName }),
	],
	['Delivery Key', (deliveryKey) => ({ resource: 'deferred', operation: 'get', deliveryKey })],
	[
		'Value of a query parameter',
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

test.each(fields)(
	'%s accepts its limit, and nothing longer',
	async (label, parametersWith, limit = LIMIT) => {
		const outcomeOf = async (length: number) =>
			await run({
				account: gateway.account,
				parameters: {
					...{ resource: 'message', timeout: 1, pollInterval: 0.5 },
					...parametersWith('A'.repeat(length)),
				},
				items,
			});
		const { error } = await outcomeOf(limit + 1);
		expect(error?.message).toBe(`'${label}' is longer than ${limit} characters [item 0]`);
		expect(error?.description).toBe(
			'No real value is this long. If it is an expression, check what it returns.',
		);
		expect(gateway.requests()).toEqual([]);
		// It depends on the value what happens then.
		expect((await outcomeOf(limit)).error?.message ?? '').not.toContain('longer');
	},
);

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

describe('each field', () => {
	const { properties } = new MessagingGateway().description;

	const isChoice = ({ type, allowArbitraryValues }: INodeProperties) =>
		type === 'boolean' || (type === 'options' && !allowArbitraryValues);

	/** Without these, some fields would not be read, or n8n would miss others. */
	const OTHERS = {
		...{ returnAll: false, mediaUrl: 'https://example.com/a.png', mediaBase64: 'AAAA' },
		caption: 'x',
	};

	/** The fields for a number and those with choices, and where their values belong. */
	const limited = OPERATIONS.flatMap(({ parameters }) => {
		const shown = properties.filter(
			({ name, displayOptions: { show = {} } = {} }) =>
				name !== 'operation' &&
				show.resource?.includes(parameters.resource) &&
				show.operation?.includes(parameters.operation),
		);
		const inOptions = shown
			.filter(({ name }) => name === 'options')
			.flatMap(({ options }) => options as INodeProperties[]);
		const entry = (field: INodeProperties, put: (value: unknown) => object) => ({
			...{ field, label: field.displayName, where: parameters.operation },
			with: (value: unknown) => ({ ...parameters, ...OTHERS, ...put(value) }) as never,
		});
		return [
			...shown.map((field) => entry(field, (value) => ({ [field.name]: value }))),
			...inOptions.map((field) => entry(field, (value) => ({ options: { [field.name]: value } }))),
		];
	});
	const numbers = limited.filter(({ field }) => field.type === 'number');
	const choices = limited.filter(({ field }) => isChoice(field));

	const rejects = async (
		entry: (typeof limited)[number],
		wrong: unknown[],
		message: string,
	): Promise<void> => {
		for (const value of wrong) {
			const { error } = await run({
				account: gateway.account,
				parameters: entry.with(value),
				items,
			});
			expect([value, error?.message]).toEqual([value, `'${entry.label}' ${message} [item 0]`]);
		}
		expect(gateway.requests()).toEqual([]);
	};

	test('is in the list', () => {
		expect(limited.map(({ label }) => label)).toEqual(
			expect.arrayContaining(['Concurrency', 'Limit', 'Media Source', 'Max File Size (MB)']),
		);
		expect(choices.map(({ label }) => label)).toEqual(
			expect.arrayContaining(['Endpoint', 'Field Names', 'Return All', 'Output', 'On Timeout']),
		);
	});

	test.each(numbers)('rejects a number outside its range: $label of $where', async (entry) => {
		const { minValue, maxValue, numberPrecision } = entry.field.typeOptions!;
		const kind = numberPrecision === 0 ? 'whole number' : 'number';
		const range =
			maxValue === undefined ? `of at least ${minValue}` : `from ${minValue} to ${maxValue}`;
		const wrong = [
			...[minValue! - 1, ...(maxValue === undefined ? [] : [maxValue + 1])],
			...(numberPrecision === 0 ? [minValue! + 0.5] : []),
			...['some', '', '={{ null }}', '={{ true }}', '={{ NaN }}', '={{ [5] }}'],
		];
		await rejects(entry, wrong, `is not a ${kind} ${range}`);
	});

	test.each(choices)('rejects what is not among its choices: $label of $where', async (entry) => {
		const wrong = ['={{ "other" }}', '={{ "" }}', '={{ null }}', '={{ 1 }}'];
		await rejects(entry, wrong, 'is not one of its choices');
	});
});
