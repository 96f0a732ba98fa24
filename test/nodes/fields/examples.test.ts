/** Values that were ignored or believed once, each as a user, an import or an agent wrote it. The rule is judged by wrongShapes.test.ts. */
import { run, type RunOptions } from '../../harness/engine';
import { OPERATIONS } from '../../harness/operations';
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
	...['to', 'chat_id', 'recipient', 'ChatId', 'Phone'].map(
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

describe('an option whose expression has no value', () => {
	const file = { data: { data: 'QUJD', mimeType: 'text/plain', fileName: 'a.txt' } };

	test.each(['caption', 'fileName', 'mimeType', 'additionalFields'])(
		'%s is rejected',
		async (name) => {
			const { error } = await sending(
				{ operation: 'sendMedia', mediaType: 'file', options: { [name]: '={{ $json.missing }}' } },
				{ items: [{ json: {}, binary: file }] },
			);
			expect(error?.message).toMatch(/^'[\w ]+' (has no value|is not a JSON object) \[item 0\]$/);
			expect(gateway.requests()).toEqual([]);
		},
	);

	test('an empty text is no value on purpose', async () => {
		const items = [{ json: { caption: '' }, binary: file }];
		const options = { caption: '={{ $json.caption }}' };
		const { error } = await sending(
			{ operation: 'sendMedia', mediaType: 'file', options },
			{ items },
		);
		expect(error).toBeUndefined();
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
	const { error } = await sending({ options: { caption: { not: 'text' }, onTimeout: 'x' } });
	expect(error).toBeUndefined();
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
