import type { INodeProperties } from 'n8n-workflow';

import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { run } from '../harness/engine';
import { OPERATIONS } from '../harness/operations';
import { useNewGateways } from '../harness/sandboxAccount';

const gateway = useNewGateways();

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
	['Token', { token: 'A'.repeat(LIMIT + 1) }],
	['Secret', { secret: 'A'.repeat(LIMIT + 1) }],
])('%s of the credential has a limit', async (label, changed) => {
	const { error } = await run({
		account: { ...gateway.account, ...changed },
		parameters: { resource: 'session', operation: 'ping' },
	});
	expect(error?.message).toBe(
		`'${label}' of the credential is longer than ${LIMIT} characters [item 0]`,
	);
});

const { properties } = new MessagingGateway().description;

/** Without these, some fields would not be read, or n8n would miss others. */
const OTHERS = {
	...{ returnAll: false, mediaUrl: 'https://example.com/a.png', mediaBase64: 'AAAA' },
	caption: 'x',
};

/** The fields and options of each operation, and where their values belong. */
const entered = OPERATIONS.flatMap(({ title, parameters }) => {
	const shown = properties.filter(
		({ name, displayOptions: { show = {} } = {} }) =>
			name !== 'operation' &&
			show.resource?.includes(parameters.resource) &&
			show.operation?.includes(parameters.operation),
	);
	const options = shown.find(({ name }) => name === 'options')?.options as INodeProperties[];
	const entry = (field: INodeProperties, put: (value: unknown) => object) => ({
		...{ field, label: field.displayName, title },
		with: (value: unknown) => ({ ...parameters, ...OTHERS, ...put(value) }) as never,
	});
	return [
		...shown.map((field) => entry(field, (value) => ({ [field.name]: value }))),
		...(options ?? []).map((field) =>
			entry(field, (value) => ({ options: { [field.name]: value } })),
		),
	];
});

/** Values that the field does not allow, and what the error message says. */
function wrongValues({ type, typeOptions = {}, allowArbitraryValues }: INodeProperties) {
	const { minValue, maxValue, numberPrecision } = typeOptions;
	if (type === 'number') {
		const kind = numberPrecision === 0 ? 'whole number' : 'number';
		const range =
			maxValue === undefined ? `of at least ${minValue}` : `from ${minValue} to ${maxValue}`;
		const outside = [minValue! - 1, ...(maxValue === undefined ? [] : [maxValue + 1])];
		const broken = numberPrecision === 0 ? [minValue! + 0.5] : [];
		const values = [...outside, ...broken, 'some', '', '={{ null }}', '={{ NaN }}', '={{ [5] }}'];
		return { message: `is not a ${kind} ${range}`, values };
	}
	const isChoice = type === 'boolean' || (type === 'options' && !allowArbitraryValues);
	const values = ['={{ "other" }}', '={{ "" }}', '={{ null }}', '={{ 1 }}'];
	return isChoice ? { message: 'is not one of its choices', values } : undefined;
}

test.each(entered.filter(({ field }) => wrongValues(field)))(
	'$label of $title rejects what is outside its range or choices',
	async ({ field, label, with: parametersWith }) => {
		const { message, values } = wrongValues(field)!;
		for (const value of values) {
			const parameters = parametersWith(value);
			const { error } = await run({ account: gateway.account, parameters, items });
			expect([value, error?.message]).toEqual([value, `'${label}' ${message} [item 0]`]);
		}
		expect(gateway.requests()).toEqual([]);
	},
);
