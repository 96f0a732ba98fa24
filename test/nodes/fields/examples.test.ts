/** Values that were ignored or believed once, each as a user, an import or an agent wrote it. The rule is judged by wrongShapes.test.ts. */
import type { IDataObject } from 'n8n-workflow';

import { run, type RunOptions } from '../../harness/engine';
import { OPERATIONS } from '../../harness/operations';
import { Polling } from '../../harness/polling';
import { useNewGateways } from '../../harness/sandboxAccount';

const gateway = useNewGateways();

const chatId = '4915123456789';
const twenty = Array.from({ length: 20 }, (_, index) => ({ json: { index } }));

const sending = (parameters: object, more: Partial<RunOptions> = {}) =>
	run({
		account: gateway.account,
		parameters: { resource: 'message', operation: 'send', chatId, text: 'x', ...parameters },
		...more,
	});

describe('while the session is offline, no message is sent if When Offline is', () => {
	test.each([
		'stop',
		{ offlineAction: 'stop' },
		{ values: [{ offlineAction: 'stop' }] },
		{ values: {} },
		{},
		null,
		true,
		'={{ undefined }}',
		'={{ ({ values: { offlineAction: "stop" } }) }}',
		{ values: { offlineAction: 'Stop ' } },
	])('%j', async (whenOffline) => {
		gateway.setStatus('DISCONNECTED');
		const { error } = await sending({ options: { whenOffline } }, { items: twenty });
		expect(error?.message).toMatch(/When Offline|The session is not online/);
		expect(gateway.requests().filter(({ method }) => method === 'POST')).toEqual([]);
	});
});

test.each<[string, object, string]>([
	['options', { options: 'x' }, "'Options' is not in the form that n8n's editor stores"],
	['options', { options: [] }, "'Options' is not in the form that n8n's editor stores"],
	[
		'options',
		{ options: { mesagesPerMinute: 5 } },
		"'Options' contains 'mesagesPerMinute', which does not exist",
	],
	[
		'options',
		{ options: { delay: { values: { from: 5, to: 5 } } } },
		"'Delay Between Messages' contains 'from', which does not exist",
	],
	[
		'options',
		{ options: { delay: 10 } },
		"'Delay Between Messages' is not in the form that n8n's editor stores",
	],
	[
		'request options',
		{ requestOptions: 'x' },
		"'Request Options' is not in the form that n8n's editor stores",
	],
	['a timeout', { requestOptions: { timeout: '5 s' } }, "'Timeout' is not a number of at least 1"],
	['a proxy', { requestOptions: { proxy: null } }, "'Proxy' has no value"],
	[
		'certificate checks',
		{ requestOptions: { allowUnauthorizedCerts: 'false' } },
		"'Ignore SSL Issues (Insecure)' is not one of its choices",
	],
	[
		'batching',
		{ requestOptions: { batching: { batchSize: 5 } } },
		"'Batching' contains 'batchSize', which does not exist",
	],
	[
		'a large number',
		{ options: { additionalFields: '{"a": 12345678901234567890}' } },
		"'Additional Fields' contains the number 12345678901234567890, which cannot be sent exactly",
	],
	[
		'an infinite number',
		{ options: { additionalFields: '{"a": [1e400]}' } },
		"'Additional Fields' contains the number 1e400, which cannot be sent exactly",
	],
	[
		'a name twice',
		{ options: { additionalFields: '{"a": {"b": 1, "\\u0062": 2}}' } },
		"'Additional Fields' contains 'b' twice",
	],
	...['to', 'chat_id', 'recipient', 'ChatId', 'Phone', 'number', 'remoteJid', 'chatIds'].map(
		(name) =>
			[
				name,
				{ options: { additionalFields: JSON.stringify({ [name]: '4915199999999' }) } },
				`'Additional Fields' contains '${name}', which the node sets itself`,
			] as [string, object, string],
	),
])('a wrong value of %s is rejected before a request: %j', async (_what, parameters, message) => {
	const { error } = await sending(parameters);
	expect(error?.message).toBe(`${message} [item 0]`);
	expect(gateway.requests()).toEqual([]);
});

test('numbers and names that are sent as they were entered are accepted', async () => {
	const additionalFields =
		'{"a": [1.50, -0, 1e3, 9007199254740991], "b": {"a": "12345678901234567890"}, "c": {"a": 1}}';
	const { error } = await sending({ options: { additionalFields } });
	expect(error).toBeUndefined();
});

describe('a text whose expression has no value', () => {
	const file = { data: { data: 'QUJD', mimeType: 'text/plain', fileName: 'a.txt' } };

	const sendingFile = async (parameters: object, json: IDataObject = {}) =>
		await sending(
			{ operation: 'sendMedia', mediaType: 'file', ...parameters },
			{ items: [{ json, binary: file }] },
		);
	const MISSING = '={{ $json.missing }}';

	test.each([
		['Caption', { caption: MISSING }],
		['File Name', { options: { fileName: MISSING } }],
		['MIME Type', { options: { mimeType: MISSING } }],
		['Additional Fields', { options: { additionalFields: MISSING } }],
	])('%s is rejected', async (label, parameters) => {
		const { error } = await sendingFile(parameters);
		expect(error?.message).toMatch(/^'[\w ]+' (has no value|is not a JSON object) \[item 0\]$/);
		expect(error?.message).toContain(`'${label}'`);
		expect(gateway.requests()).toEqual([]);
	});

	test('an empty text is no value on purpose', async () => {
		const { error } = await sendingFile({ caption: '={{ $json.caption }}' }, { caption: '' });
		expect(error).toBeUndefined();
		expect(gateway.theRequest().bodyText).not.toContain('caption');
	});
});

describe('an option of the run', () => {
	const items = ['send', 'stop', 'stop'].map((action) => ({ json: { action, rate: 0 } }));

	test('is rejected if it is not the same for all items', async () => {
		const whenOffline = { values: { offlineAction: '={{ $json.action }}' } };
		const { error } = await sending({ options: { whenOffline } }, { items });
		expect(error?.message).toBe(
			"'When Offline' is not the same for all items: item 1 has another one than item 0 [item 0]",
		);
		expect(gateway.requests()).toEqual([]);
	});

	test('is rejected for tools, too', async () => {
		const options = { allowRepeats: '={{ $itemIndex === 0 }}' };
		const { error } = await sending({ options }, { items, asTool: true });
		expect(error?.message).toContain("'Allow Repeated Messages' is not the same for all items");
	});

	test('also if it is in one expression for all options, or under Request Options', async () => {
		const all = '={{ ({ whenOffline: { values: { offlineAction: $json.action } } }) }}';
		expect((await sending({ options: all }, { items })).error?.message).toContain("'When Offline'");
		const requestOptions = { timeout: '={{ $itemIndex + 1000 }}' };
		expect((await sending({ requestOptions }, { items })).error?.message).toContain(
			"'Request Options'",
		);
		expect(gateway.requests()).toEqual([]);
	});

	test('is accepted from an expression with one value', async () => {
		const { error } = await sending(
			{ options: { messagesPerMinute: '={{ $json.rate }}' } },
			{ items },
		);
		expect(error).toBeUndefined();
		expect(gateway.requests()).toHaveLength(3);
	});
});

describe('Idempotency Key', () => {
	const keysOf = () =>
		gateway
			.requests()
			.map(({ bodyText }) => (JSON.parse(bodyText!) as Record<string, unknown>).idempotencyKey);
	const items = [{ json: { index: 1 } }, { json: { index: 2 } }];

	test.each(['Automatic', 'automatic ', 'AUTOMATIC'])(
		'%j makes a key per message',
		async (idempotencyKey) => {
			await sending({ options: { idempotencyKey } }, { items });
			expect(new Set(keysOf()).size).toBe(2);
			expect(keysOf()[0]).toMatch(/^n8n-[\da-f]{40}$/);
		},
	);

	test.each(['Off', 'OFF', ' off'])('%j makes none', async (idempotencyKey) => {
		await sending({ options: { idempotencyKey } }, { items });
		expect(keysOf()).toEqual([undefined, undefined]);
	});

	test.each(['none', 'null', 'Undefined', 'false', 'true', '={{ null }}', '={{ true }}'])(
		'%j is no key',
		async (idempotencyKey) => {
			const { error } = await sending({ options: { idempotencyKey } }, { items });
			expect(error?.message).toMatch(/^'Idempotency Key' is /);
			expect(gateway.requests()).toEqual([]);
		},
	);
});

test('an option of another operation is ignored', async () => {
	const { error } = await sending({ options: { fileName: { not: 'text' }, onTimeout: 'x' } });
	expect(error).toBeUndefined();
});

test.each(['send', 'sendMedia'])('a field is no option of %s', async (operation) => {
	const { error } = await sending({ operation, options: { caption: 'Your invoice' } });
	expect(error?.message).toBe("'Options' contains 'caption', which does not exist [item 0]");
	expect(gateway.requests()).toEqual([]);
});

// n8n passes the items on as if they had succeeded, if the node itself throws.
describe('with On Error: Continue, a setting of the run fails each item', () => {
	const settings = { onError: 'continueRegularOutput' } as const;
	const items = [1, 2].map((index) => ({
		json: { index },
		binary: { data: { data: 'QUJD', mimeType: 'text/plain', fileName: 'a.txt' } },
	}));

	test.each(
		OPERATIONS.flatMap(({ title, parameters }) =>
			[{ requestOptions: 'x' }, { requestOptions: { batching: 5 } }].map(
				(wrong) => [title, wrong, { ...parameters, ...wrong }] as const,
			),
		),
	)('%s, %j', async (_title, _wrong, parameters) => {
		const outcome = await run({ account: gateway.account, parameters, items, settings });
		expect(outcome.items).toHaveLength(items.length);
		for (const { json } of outcome.items) {
			expect(json.error).toMatch(/^'(Request Options|Batching)' is not in the form/);
		}
		expect(gateway.requests()).toEqual([]);
	});
});

describe('a choice that is written as its label keeps the fields that belong to it', () => {
	const binary = Object.fromEntries(
		['data', 'invoice'].map((name) => [
			name,
			{ data: 'QUJD', mimeType: 'text/plain', fileName: `${name}.txt` },
		]),
	);

	test.each<[string, object, string]>([
		['Binary File', { binaryPropertyName: 'invoice' }, '"filename":"invoice.txt","base64":"QUJD"'],
		['BINARY', { binaryPropertyName: 'invoice' }, '"filename":"invoice.txt","base64":"QUJD"'],
		['Base64', { mediaBase64: 'SU5W' }, '"filename":"file","base64":"SU5W"'],
	])('Media Source %s, %j', async (mediaSource, fields, sent) => {
		const { error } = await sending(
			{ operation: 'sendMedia', mediaType: 'file', mediaSource, ...fields },
			{ items: [{ json: {}, binary }] },
		);
		expect(error).toBeUndefined();
		expect(gateway.theRequest().bodyText).toContain(sent);
	});

	test('Output of a QR code', async () => {
		gateway.setStatus('AWAITING_QR');
		const parameters = { qrOutput: 'Text and SVG Image', outputDataFieldName: 'code' };
		const { items } = await sending({ resource: 'session', operation: 'qr', ...parameters });
		expect(Object.keys(items[0]!.binary!)).toEqual(['code']);
	});
});

describe('an operation that does not exist is rejected before a request', () => {
	const items = [{ json: { index: 1 } }, { json: { index: 2 } }];
	const message = "'Resource' and 'Operation' name no operation";

	describe.each([
		['in a workflow', false],
		['as a tool', true],
	])('%s', (_way, asTool) => {
		test.each([
			{ operation: 'Send' },
			{ operation: 'sendText' },
			{ operation: null },
			{ resource: 'Message' },
			{ resource: 'session' },
		])('%j', async (parameters) => {
			const { error, items: sent } = await sending(parameters, { items, asTool });
			expect(error?.message).toBe(`${message} [item 0]`);
			expect(sent).toEqual([]);
			const settings = { onError: 'continueErrorOutput' } as const;
			const outcome = await sending(parameters, { items, asTool, settings });
			expect(outcome.items).toEqual([]);
			expect(outcome.errorItems.map(({ json }) => json)).toEqual(
				items.map(({ json }, index) => ({
					...json,
					error: `${message} [item ${index}]`,
					details: { cause: 'invalid_input', retry: 'never' },
				})),
			);
			expect(gateway.requests()).toEqual([]);
		});
	});
});

// n8n has rounded two order numbers to the same number, and the gateway drops the second message.
test.each(['text', 'chatId'])('%s is no number that may have lost digits', async (name) => {
	const { error } = await sending({ [name]: '={{ 12345678901234567890 }}' });
	expect(error?.message).toMatch(
		/^'(Text' is not text but not an exact number|Chat ID' cannot be)/,
	);
	expect(gateway.requests()).toEqual([]);
});

test('a key is no number that may have lost digits', async () => {
	const items = ['12345678901234567890', '12345678901234567891'].map((order) => ({
		json: { order: Number(order) },
	}));
	const options = { idempotencyKey: '={{ $json.order }}' };
	const { error } = await sending({ options }, { items });
	expect(error?.message).toMatch(/^'Idempotency Key' is not text but not an exact number either;/);
	expect(gateway.requests()).toEqual([]);
});

test.each([
	['={{ $now }}', 'is not a JSON object'],
	[
		'={{ ({ price: Number("12,50") }) }}',
		'cannot be written as JSON: it contains NaN, which is not an exact number',
	],
	[
		'={{ ({ order: 12345678901234567890 }) }}',
		'cannot be written as JSON: it contains 12345678901234567000, which is not an exact number',
	],
	[
		'={{ ({ toJSON: () => ({ chatId: "4915199999999" }) }) }}',
		"contains 'chatId', which the node sets itself",
	],
])('Additional Fields are what JSON makes of them: %s', async (additionalFields, problem) => {
	const { error } = await sending({ options: { additionalFields } });
	expect(error?.message).toBe(`'Additional Fields' ${problem} [item 0]`);
	expect(error?.description).toMatch(/^(Enter a JSON object in braces|Use the field or option)/);
	expect(gateway.requests()).toEqual([]);
});

test('a body with a number that JSON does not have is rejected', async () => {
	const body = `={{ ({ chatId: "${chatId}", type: "text", text: NaN }) }}`;
	const { error } = await sending({ operation: 'sendJson', body });
	expect(error?.message).toContain("'Body' cannot be written as JSON: it contains NaN");
	expect(gateway.requests()).toEqual([]);
});

describe('a binary field that a Code node filled', () => {
	const media = (data: unknown) =>
		sending(
			{ operation: 'sendMedia', mediaType: 'file' },
			{ items: [{ json: {}, binary: { data: data as never } }] },
		);

	test.each<[object, string]>([
		[{ data: 'QUJD', mimeType: 'text/plain', fileName: 2026 }, '"filename":"2026.txt"'],
		[{ data: 'QUJD', mimeType: 'text/plain', fileName: null }, '"filename":"file.txt"'],
		[{ data: 'data:text/plain;base64,QUJD', mimeType: 'text/plain' }, '"base64":"QUJD"'],
	])('is sent: %j', async (data, sent) => {
		expect((await media(data)).error).toBeUndefined();
		expect(gateway.theRequest().bodyText).toContain(sent);
	});

	test.each<[unknown, RegExp]>([
		[{ data: 'QUJD', fileName: {} }, /^'fileName of data' is not text but of type object/],
		[{ data: 'QUJD', mimeType: ['text/plain'] }, /^'mimeType of data' is not text/],
		[{ data: 'Hällo Welt!' }, /^The file in 'data' .* could not be loaded/],
		[{ data: 5 }, /^The file in 'data' .* could not be loaded/],
		[null, /^The file in 'data' .* could not be loaded/],
	])('is rejected as invalid input: %j', async (data, message) => {
		const { error } = await media(data);
		expect(error?.message).toMatch(message);
		expect(error?.context).toMatchObject({ details: { cause: 'invalid_input' } });
		expect(gateway.requests()).toEqual([]);
	});
});

describe('statuses that could never be equal to one', () => {
	const wrong = ['["ONLINE","CONNECTED"]', 'ONLINE;CONNECTED', 'ONLINE\nCONNECTED', 'ONLINE\u200b'];

	test.each(wrong)('Online Statuses: %j', async (onlineStatuses) => {
		const whenOffline = { values: { offlineAction: 'stop', onlineStatuses } };
		const { error } = await sending({ options: { whenOffline } });
		expect(error?.message).toMatch(/^'Online Statuses' contains .*, which is not one word/);
		expect(gateway.requests()).toEqual([]);
	});

	test.each(wrong)('To Statuses of the trigger: %j', async (toStatuses) => {
		const polled = new Polling(gateway.account, { event: 'statusChanged', toStatuses });
		await expect(polled.fetchTestEvent()).rejects.toThrow("'To Statuses' contains");
		expect(gateway.requests()).toEqual([]);
	});
});

test.each(['Session Offline', 'session_offline', 'toString', null])(
	'Trigger On %j is invalid input, and no bug',
	async (event) => {
		const polled = new Polling(gateway.account, { event });
		await expect(polled.fetchTestEvent()).rejects.toMatchObject({
			message: "'Trigger On' is not one of its choices",
			context: { details: { cause: 'invalid_input', retry: 'never' } },
		});
	},
);

test.each(['false', 0, null])('Sign Deferred Requests %j is rejected', async (signDeferred) => {
	const { error } = await run({
		account: { ...gateway.account, signDeferred: signDeferred as never },
		parameters: { resource: 'deferred', operation: 'getAll' },
	});
	expect(error?.message).toBe("'Sign Deferred Requests' is not one of its choices [item 0]");
	expect(gateway.requests()).toEqual([]);
});

test.each<[unknown, string]>([
	[{ value: 'x' }, "'Delivery Key' is not text but of type object"],
	[['x'], "'Delivery Key' is not text but of type array"],
	[12_345_678_901_234_567_890, "'Delivery Key' is not text but not an exact number either"],
	[' ', "'Delivery Key' is empty"],
])('Delivery Key %j is rejected for what it is', async (deliveryKey, message) => {
	const parameters = { resource: 'deferred', operation: 'delete', deliveryKey };
	const { error } = await sending(parameters);
	expect(error?.message).toBe(`${message} [item 0]`);
	expect(gateway.requests()).toEqual([]);
});
