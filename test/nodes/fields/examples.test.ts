/** Values that were ignored or believed once, each as a user, an import or an agent wrote it. The rule is judged by wrongShapes.test.ts. */
import { run, type RunOptions } from '../../harness/engine';
import { keysSent, whenOffline } from '../../harness/messages';
import { OPERATIONS } from '../../harness/operations';
import { Polling } from '../../harness/polling';
import { useNewGateways } from '../../harness/sandboxAccount';

const gateway = useNewGateways();

const chatId = '4915123456789';

const sending = (parameters: object, more: Partial<RunOptions> = {}) =>
	run({
		account: gateway.account,
		parameters: { resource: 'message', operation: 'send', chatId, text: 'x', ...parameters },
		...more,
	});

const file = { data: 'QUJD', mimeType: 'text/plain', fileName: 'a.txt' };
const sendingFile = (parameters: object, data: unknown = file, json = {}) =>
	sending(
		{ operation: 'sendMedia', mediaType: 'file', ...parameters },
		{ items: [{ json, binary: { data: data as never } }] },
	);

/** n8n evaluates the additional fields of an item. */
const additional = (additionalFields: string) => ({ options: { additionalFields } });
const named = (name: string) => additional(JSON.stringify({ [name]: '4915199999999' }));

describe('while the session is offline, no message is sent if When Offline is', () => {
	test.each([
		'stop',
		{ offlineAction: 'stop' },
		{ values: {} },
		null,
		'={{ undefined }}',
		{ values: { offlineAction: 'Stop ' } },
	])('%j', async (stored) => {
		gateway.setStatus('DISCONNECTED');
		const { error } = await sending({ options: { whenOffline: stored } });
		expect(error?.message).toMatch(/When Offline|The session is not online/);
		expect(gateway.requests().filter(({ method }) => method === 'POST')).toEqual([]);
	});
});

const FORM = "is not in the form that n8n's editor stores";
const TAKEN = 'which the node sets itself';
const INEXACT = 'is not text but not an exact number either';

test.each<[object, string]>([
	[{ options: 'x' }, `'Options' ${FORM}`],
	[
		{ options: { mesagesPerMinute: 5 } },
		"'Options' contains 'mesagesPerMinute', which does not exist",
	],
	// A field is no option, and the options of other operations are ignored.
	[{ options: { caption: 'Your invoice' } }, "'Options' contains 'caption', which does not exist"],
	[
		{ options: { delay: { values: { from: 5, to: 5 } } } },
		"'Delay Between Messages' contains 'from', which does not exist",
	],
	[{ options: { delay: 10 } }, `'Delay Between Messages' ${FORM}`],
	[{ requestOptions: { timeout: '5 s' } }, "'Timeout' is not a number of at least 1"],
	[{ requestOptions: { proxy: null } }, "'Proxy' has no value"],
	[
		{ requestOptions: { allowUnauthorizedCerts: 'false' } },
		"'Ignore SSL Issues (Insecure)' is not one of its choices",
	],
	[
		{ requestOptions: { batching: { batchSize: 5 } } },
		"'Batching' contains 'batchSize', which does not exist",
	],
	[
		additional('{"a": 12345678901234567890}'),
		"'Additional Fields' contains the number 12345678901234567890, which cannot be sent exactly",
	],
	[
		additional('{"a": [1e400]}'),
		"'Additional Fields' contains the number 1e400, which cannot be sent exactly",
	],
	[additional('{"a": {"b": 1, "\\u0062": 2}}'), "'Additional Fields' contains 'b' twice"],
	...['to', 'chat_id', 'recipient', 'ChatId', 'Phone', 'number', 'remoteJid', 'chatIds'].map(
		(name): [object, string] => [named(name), `'Additional Fields' contains '${name}', ${TAKEN}`],
	),
	// Additional Fields are what JSON makes of them.
	[additional('={{ $now }}'), "'Additional Fields' is not a JSON object"],
	[
		additional('={{ ({ price: Number("12,50") }) }}'),
		"'Additional Fields' cannot be written as JSON: it contains NaN, which is not an exact number",
	],
	[
		additional('={{ ({ order: 12345678901234567890 }) }}'),
		"'Additional Fields' cannot be written as JSON: it contains 12345678901234567000, which is not an exact number",
	],
	[
		additional('={{ ({ toJSON: () => ({ chatId: "4915199999999" }) }) }}'),
		`'Additional Fields' contains 'chatId', ${TAKEN}`,
	],
	[
		{ operation: 'sendJson', body: '={{ ({ chatId: "1234567", type: "text", text: NaN }) }}' },
		"'Body' cannot be written as JSON: it contains NaN, which is not an exact number",
	],
	// n8n has rounded two order numbers to the same number, and the gateway would drop the second message.
	[{ text: '={{ 12345678901234567890 }}' }, `'Text' ${INEXACT}`],
	[{ options: { idempotencyKey: '={{ 12345678901234567890 }}' } }, `'Idempotency Key' ${INEXACT}`],
	[
		{ resource: 'deferred', operation: 'delete', deliveryKey: 12_345_678_901_234_567_890 },
		`'Delivery Key' ${INEXACT}`,
	],
	[
		{ resource: 'deferred', operation: 'delete', deliveryKey: ['x'] },
		"'Delivery Key' is not text but of type array",
	],
	[{ resource: 'deferred', operation: 'delete', deliveryKey: ' ' }, "'Delivery Key' is empty"],
])('%j is rejected before a request: %s', async (parameters, message) => {
	const { error } = await sending(parameters);
	expect(error?.message).toBe(`${message} [item 0]`);
	expect(error?.description).toMatch(/\w/);
	expect(gateway.requests()).toEqual([]);
});

test('a recipient is no number that may have lost digits', async () => {
	const { error } = await sending({ chatId: '={{ 12345678901234567890 }}' });
	expect(error?.message).toMatch(/^'Chat ID' cannot be/);
	expect(gateway.requests()).toEqual([]);
});

test.each([
	additional(
		'{"a": [1.50, -0, 1e3, 9007199254740991], "b": {"a": "12345678901234567890"}, "c": {"a": 1}}',
	),
	// Options of other operations.
	{ options: { fileName: { not: 'text' }, onTimeout: 'x' } },
])('%j is accepted', async (parameters) => {
	const { error } = await sending(parameters);
	expect(error).toBeUndefined();
});

describe('a text whose expression has no value', () => {
	const MISSING = '={{ $json.missing }}';

	test.each([
		["'Caption' has no value", { caption: MISSING }],
		["'File Name' has no value", { options: { fileName: MISSING } }],
		["'MIME Type' has no value", { options: { mimeType: MISSING } }],
		["'Additional Fields' is not a JSON object", additional(MISSING)],
	])('%s', async (message, parameters) => {
		const { error } = await sendingFile(parameters);
		expect(error?.message).toBe(`${message} [item 0]`);
		expect(gateway.requests()).toEqual([]);
	});

	test('an empty text is no value on purpose', async () => {
		const { error } = await sendingFile({ caption: '={{ $json.caption }}' }, file, { caption: '' });
		expect(error).toBeUndefined();
		expect(gateway.theRequest().bodyText).not.toContain('caption');
	});
});

describe('an option of the run', () => {
	const items = ['send', 'stop', 'stop'].map((action) => ({ json: { action, rate: 0 } }));

	test.each<[string, object]>([
		['When Offline', { options: whenOffline('={{ $json.action }}') }],
		[
			'When Offline',
			{ options: '={{ ({ whenOffline: { values: { offlineAction: $json.action } } }) }}' },
		],
		['Request Options', { requestOptions: { timeout: '={{ $itemIndex + 1000 }}' } }],
	])('%s is rejected if it is not the same for all items: %j', async (label, parameters) => {
		const { error } = await sending(parameters, { items });
		expect(error?.message).toBe(
			`'${label}' is not the same for all items: item 1 has another one than item 0 [item 0]`,
		);
		expect(gateway.requests()).toEqual([]);
	});

	test('is accepted from an expression with one value', async () => {
		await sending({ options: { messagesPerMinute: '={{ $json.rate }}' } }, { items });
		expect(gateway.requests()).toHaveLength(3);
	});
});

describe('Idempotency Key', () => {
	const items = [{ json: { index: 1 } }, { json: { index: 2 } }];

	test.each(['Automatic', ' AUTOMATIC '])('%j makes a key per message', async (idempotencyKey) => {
		await sending({ options: { idempotencyKey } }, { items });
		expect(new Set(keysSent(gateway)).size).toBe(2);
		expect(keysSent(gateway)[0]).toMatch(/^n8n-[\da-f]{40}$/);
	});

	test.each(['Off', ' off'])('%j makes none', async (idempotencyKey) => {
		await sending({ options: { idempotencyKey } }, { items });
		expect(keysSent(gateway)).toEqual([undefined, undefined]);
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

// n8n passes the items on as if they had succeeded, if the node itself throws.
test.each(OPERATIONS)(
	'with On Error: Continue, a setting of the run fails each item of $title',
	async ({ parameters }) => {
		const items = [1, 2].map((index) => ({ json: { index }, binary: { data: file } }));
		const settings = { onError: 'continueRegularOutput' } as const;
		for (const requestOptions of ['x', { batching: 5 }]) {
			const outcome = await run({
				account: gateway.account,
				parameters: { ...parameters, requestOptions },
				...{ items, settings },
			});
			expect(outcome.items).toHaveLength(items.length);
			for (const { json } of outcome.items) {
				expect(json.error).toMatch(/^'(Request Options|Batching)' is not in the form/);
			}
		}
		expect(gateway.requests()).toEqual([]);
	},
);

describe('a choice that is written as its label keeps the fields that belong to it', () => {
	const binary = { data: file, invoice: { ...file, fileName: 'invoice.txt' } };

	test.each<[string, object, string]>([
		['Binary File', { binaryPropertyName: 'invoice' }, '"filename":"invoice.txt","base64":"QUJD"'],
		['BASE64', { mediaBase64: 'SU5W' }, '"filename":"file","base64":"SU5W"'],
	])('Media Source %s, %j', async (mediaSource, fields, sent) => {
		const media = { operation: 'sendMedia', mediaType: 'file', mediaSource };
		const { error } = await sending({ ...media, ...fields }, { items: [{ json: {}, binary }] });
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

test.each([
	{ operation: 'Send' },
	{ operation: null },
	{ resource: 'Message' },
	{ resource: 'session' },
])('an operation that does not exist is rejected before a request: %j', async (parameters) => {
	const items = [{ json: { index: 1 } }, { json: { index: 2 } }];
	const message = "'Resource' and 'Operation' name no operation";
	const stopped = await sending(parameters, { items });
	expect(stopped.error?.message).toBe(`${message} [item 0]`);
	const settings = { onError: 'continueErrorOutput' } as const;
	const outcome = await sending(parameters, { items, settings });
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

describe('a binary field that a Code node filled', () => {
	test.each<[object, string]>([
		[{ data: 'QUJD', mimeType: 'text/plain', fileName: 2026 }, '"filename":"2026.txt"'],
		[{ data: 'QUJD', mimeType: 'text/plain', fileName: null }, '"filename":"file.txt"'],
		[{ data: 'data:text/plain;base64,QUJD', mimeType: 'text/plain' }, '"base64":"QUJD"'],
	])('is sent: %j', async (data, sent) => {
		expect((await sendingFile({}, data)).error).toBeUndefined();
		expect(gateway.theRequest().bodyText).toContain(sent);
	});

	test.each<[unknown, RegExp]>([
		[{ data: 'QUJD', fileName: {} }, /^'fileName of data' is not text but of type object/],
		[{ data: 'QUJD', mimeType: ['text/plain'] }, /^'mimeType of data' is not text/],
		[{ data: 'Hällo Welt!' }, /^The file in 'data' .* could not be loaded/],
		[{ data: 5 }, /^The file in 'data' .* could not be loaded/],
		[null, /^The file in 'data' .* could not be loaded/],
	])('is rejected as invalid input: %j', async (data, message) => {
		const { error } = await sendingFile({}, data);
		expect(error?.message).toMatch(message);
		expect(error?.context).toMatchObject({ details: { cause: 'invalid_input' } });
		expect(gateway.requests()).toEqual([]);
	});
});

test.each(['["ONLINE","CONNECTED"]', 'ONLINE;CONNECTED', 'ONLINE\nCONNECTED', 'ONLINE\u200b'])(
	'a status that could never be equal to one is rejected: %j',
	async (entered) => {
		const { error } = await sending({ options: whenOffline('stop', { onlineStatuses: entered }) });
		expect(error?.message).toMatch(/^'Online Statuses' contains .*, which is not one word/);
		const polled = new Polling(gateway.account, { event: 'statusChanged', toStatuses: entered });
		await expect(polled.fetchTestEvent()).rejects.toThrow("'To Statuses' contains");
		expect(gateway.requests()).toEqual([]);
	},
);

test.each(['session_offline', 'toString', null])(
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
