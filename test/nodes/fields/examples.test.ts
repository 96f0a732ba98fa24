/** Values that users, imports and agents wrote. wrongShapes.test.ts has every field; these are the rules that it cannot judge. */
import { keysSent, pace, runner } from '../../harness/messages';
import { OPERATIONS } from '../../harness/operations';
import { Polling } from '../../harness/polling';
import { useNewGateways } from '../../harness/sandboxAccount';

const gateway = useNewGateways();

const SEND = { resource: 'message', operation: 'send', chatId: '4915123456789', text: 'x' };
const sending = runner(gateway, SEND);

const file = { data: 'QUJD', mimeType: 'text/plain', fileName: 'a.txt' };
const sendingFile = (parameters: object, data: unknown = file) =>
	sending(
		{ operation: 'sendMedia', mediaType: 'file', ...parameters },
		{ items: [{ json: { caption: '' }, binary: { data: data as never } }] },
	);

/** n8n evaluates the additional fields of an item. */
const additional = (additionalFields: string) => ({ options: { additionalFields } });
const deleting = (deliveryKey: unknown) => ({
	...{ resource: 'deferred', operation: 'delete', deliveryKey },
});

const FORM = "is not in the form that n8n's editor stores";
const INEXACT = 'is not text but not an exact number either';

test.each<[object, string]>([
	// A field is no option, and the options of other operations are ignored.
	[{ options: { caption: 'Your invoice' } }, "'Options' contains 'caption', which does not exist"],
	[
		additional('{"a": 12345678901234567890}'),
		"'Additional Fields' contains the number 12345678901234567890, which cannot be sent exactly",
	],
	[additional('={{ $json.missing }}'), "'Additional Fields' is not a JSON object"],
	[
		{ operation: 'sendJson', body: '={{ ({ chatId: "1234567", type: "text", text: NaN }) }}' },
		"'Body' cannot be written as JSON: it contains NaN, which is not an exact number",
	],
	// n8n has rounded two order numbers to the same number, and the gateway would drop the second message.
	[{ options: { idempotencyKey: '={{ 12345678901234567890 }}' } }, `'Idempotency Key' ${INEXACT}`],
	[{ options: { idempotencyKey: '={{ "  " }}' } }, "'Idempotency Key' is empty"],
	[{ text: ' ' }, "'Text' is empty"],
	[
		{ operation: 'inviteInfo', inviteCode: 'AbC123', ...additional('{"inviteCode":"other"}') },
		"'Additional Fields' contains 'inviteCode', which the node sets itself",
	],
	[deleting(12_345_678_901_234_567_890), `'Delivery Key' ${INEXACT}`],
])('%j is rejected before a request: %s', async (parameters, message) => {
	const { error } = await sending(parameters);
	expect(error?.message).toBe(`${message} [item 0]`);
	expect(error?.description).toMatch(/\w/);
	expect(error?.context?.itemIndex).toBe(0);
	expect(gateway.requests()).toEqual([]);
});

test.each([
	additional('{"a": [1.50, -0, 1e3, 9007199254740991], "b": {"a": "12345678901234567890"}}'),
	// Options of other operations.
	{ options: { fileName: { not: 'text' }, onTimeout: 'x' } },
])('%j is accepted', async (parameters) => {
	expect((await sending(parameters)).error).toBeUndefined();
});

describe('a setting of the run', () => {
	const items = ['send', 'stop', 'stop'].map((action) => ({ json: { action, rate: 0 } }));

	const offline = '={{ ({ whenOffline: { values: { offlineAction: $json.action } } }) }}';
	test.each<[string, object]>([
		['When Offline', { options: offline }],
		['Request Options', { requestOptions: { timeout: '={{ $itemIndex + 1000 }}' } }],
	])('%s is rejected if it is not the same for all items: %j', async (label, parameters) => {
		const { error } = await sending(parameters, { items });
		expect(error?.message).toBe(
			`'${label}' is not the same for all items: item 1 has another one than item 0 [item 0]`,
		);
		expect(gateway.requests()).toEqual([]);
	});

	test('is accepted from an expression with one value', async () => {
		await sending({ options: pace('={{ $json.rate }}') }, { items });
		expect(gateway.requests()).toHaveLength(3);
	});

	// n8n passes the items on as if they had succeeded, if the node itself throws.
	test.each(OPERATIONS)('fails each item of $title with Continue', async ({ parameters }) => {
		const items = [1, 2].map((index) => ({ json: { index }, binary: { data: file } }));
		const settings = { onError: 'continueRegularOutput' } as const;
		const wrong = { ...parameters, requestOptions: 5 };
		const outcome = await sending(wrong, { items, settings });
		expect(outcome.items.map(({ json }) => json.error)).toEqual(
			[0, 1].map(
				(item) => expect.stringMatching(`^'Request Options' ${FORM}.*item ${item}`) as string,
			),
		);
		expect(gateway.requests()).toEqual([]);
	});
});

describe('a choice that is written as its label', () => {
	test('Idempotency Key: Automatic makes a key per message, Off makes none', async () => {
		const items = [{ json: { index: 1 } }, { json: { index: 2 } }];
		await sending({ options: { idempotencyKey: ' AUTOMATIC ' } }, { items });
		await sending({ options: { idempotencyKey: 'Off' } });
		const [first, second, none] = keysSent(gateway);
		expect(first).toMatch(/^n8n-[\da-f]{40}$/);
		expect(second).not.toBe(first);
		expect(none).toBeUndefined();
	});

	test('keeps the fields that belong to it', async () => {
		await sendingFile({ mediaSource: 'BASE64', mediaBase64: 'SU5W' });
		expect(gateway.theRequest().bodyText).toContain('"filename":"file","base64":"SU5W"');
		gateway.setStatus('AWAITING_QR');
		const parameters = { qrOutput: 'Text and PNG Image', outputDataFieldName: 'code' };
		const { items } = await sending({ resource: 'session', operation: 'qr', ...parameters });
		expect(Object.keys(items[0]!.binary!)).toEqual(['code']);
	});
});

test.each([{ operation: null }, { resource: 'Message' }])(
	'an operation that does not exist is rejected before a request: %j',
	async (parameters) => {
		const items = [{ json: { index: 1 } }, { json: { index: 2 } }];
		const settings = { onError: 'continueErrorOutput' } as const;
		const { errorItems } = await sending(parameters, { items, settings });
		const error = "'Resource' and 'Operation' name no operation";
		const details = { cause: 'invalid_input', retry: 'never' };
		expect(errorItems.map(({ json }) => json)).toEqual([
			{ index: 1, error: `${error} [item 0]`, details },
			{ index: 2, error: `${error} [item 1]`, details },
		]);
		expect(gateway.requests()).toEqual([]);
	},
);

describe('a binary field that a Code node filled', () => {
	test.each<[object, string]>([
		[{ data: 'QUJD', mimeType: 'text/plain', fileName: 2026 }, '"filename":"2026.txt"'],
		[{ data: 'data:text/plain;base64,QUJD', mimeType: 'text/plain' }, '"base64":"QUJD"'],
	])('is sent: %j', async (data, sent) => {
		expect((await sendingFile({}, data)).error).toBeUndefined();
		expect(gateway.theRequest().bodyText).toContain(sent);
	});

	test.each<[unknown, RegExp]>([
		[{ data: 'QUJD', fileName: {} }, /^'fileName of data' is not text but of type object/],
		[{ data: 'Hällo Welt!' }, /^The file in 'data' .* could not be loaded/],
		[{ data: '', mimeType: 'text/plain' }, /^The file in 'data' .*is empty/],
		[null, /^The file in 'data' .* could not be loaded/],
	])('is rejected as invalid input: %j', async (data, message) => {
		const { error } = await sendingFile({}, data);
		expect(error?.message).toMatch(message);
		expect(error?.context).toMatchObject({ details: { cause: 'invalid_input' } });
		expect(gateway.requests()).toEqual([]);
	});
});

test('the trigger rejects an event that does not exist as invalid input', async () => {
	const polled = new Polling(gateway.account, { event: null });
	await expect(polled.fetchTestEvent()).rejects.toMatchObject({
		message: "'Trigger On' is not one of its choices",
		context: { details: { cause: 'invalid_input', retry: 'never' } },
	});
});
