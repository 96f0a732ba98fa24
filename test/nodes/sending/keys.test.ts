import type { IDataObject } from 'n8n-workflow';

import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { keepFilesIn, storedFile } from '../../harness/storedFiles';
import { bodyOf, chat, keysSent, messages, type Sending, sending } from '../../harness/messages';

const gateway = useNewGateways();

const automatic = { idempotencyKey: 'automatic' };
const AT = 1_767_225_600_000;

/** The idempotency keys that one run sends. */
async function keysOf({ options, ...rest }: Sending): Promise<unknown[]> {
	gateway.clearRequests();
	const { error } = await run(
		sending(gateway, { options: { ...automatic, ...options }, establishedAt: AT, ...rest }),
	);
	expect(error).toBeUndefined();
	return keysSent(gateway);
}

const theKey = async (rest: Sending = {}) => {
	const [key, ...more] = await keysOf(rest);
	expect(key).toMatch(/^n8n-[0-9a-f]{40}$/);
	expect(more).toEqual([]);
	return key;
};

describe.each([
	['in a workflow', false],
	['as a tool', true],
])('%s', (_name, asTool) => {
	test('sends no key by default', async () => {
		await run(sending(gateway, { asTool }));
		await run(sending(gateway, { asTool, options: { idempotencyKey: 'off' } }));
		expect(gateway.requests().map(bodyOf)).toEqual([
			expect.not.objectContaining({ idempotencyKey: expect.anything() }),
			expect.not.objectContaining({ idempotencyKey: expect.anything() }),
		]);
	});

	test('sends the value of an expression as the key', async () => {
		const items = [{ json: { ...messages(1)[0]!.json, order: 4711 } }];
		const options = { idempotencyKey: '={{ $json.order }}' };
		await run(sending(gateway, { asTool, items, options }));
		expect(keysSent(gateway)).toEqual(['4711']);
	});

	test('an automatic key is the same if the execution is retried under another ID', async () => {
		const first = await theKey({ asTool, executionId: '1' });
		expect(await theKey({ asTool, executionId: '2' })).toBe(first);
	});

	test('an automatic key is the same if n8n has recovered runs from its event log after a crash', async () => {
		const first = await theKey({ asTool });
		expect(await theKey({ asTool, recoveredRuns: 1 })).toBe(first);
		const loop = await keysOf({ asTool, passes: 3 });
		expect(await keysOf({ asTool, passes: 3, recoveredRuns: 1 })).toEqual(loop);
		expect(new Set(loop).size).toBe(3);
	});

	test.each<[string, Sending]>([
		['another execution', { establishedAt: AT + 1 }],
		['another text', { items: [{ json: { ...messages(1)[0]!.json, text: 'Another' } }] }],
		['another chat', { items: messages(1, () => 1) }],
		['another chat, by a field', { fields: { chatId: '4915199999999' } }],
		['another node', { settings: { id: 'another' } }],
		[
			'a value of the item that the message does not show',
			{ items: [{ json: { ...messages(1)[0]!.json, order: 2 } }] },
		],
	])('an automatic key differs for %s', async (_what, change) => {
		const first = await theKey({ asTool });
		expect(await theKey({ asTool, ...change })).not.toBe(first);
	});

	test('an automatic key differs for two equal executions in one millisecond, except in n8n 1', async () => {
		const ofToken = async (resumeToken?: string) => await theKey({ asTool, resumeToken });
		const first = await ofToken('a'.repeat(64));
		expect(await ofToken('b'.repeat(64))).not.toBe(first);
		expect(await ofToken('a'.repeat(64))).toBe(first);
		expect(await ofToken()).toBe(await ofToken());
	});

	// Two webhook calls in one millisecond are two executions, and the message may not depend on the input item.
	test.each<[string, Sending]>([
		['another text that is not in the input item', { fields: { text: 'Another' } }],
		['other additional fields', { options: { additionalFields: '{"priority":"high"}' } }],
	])('a key differs for two executions in one millisecond with %s', async (_what, change) => {
		const first = await theKey({ asTool });
		expect(await theKey({ asTool, ...change })).not.toBe(first);
	});

	test('sends the key under its legacy name in the legacy form', async () => {
		await run(sending(gateway, { asTool, options: { ...automatic, fieldNames: 'legacy' } }));
		expect(bodyOf(gateway.theRequest()).idempotency_key).toMatch(/^n8n-/);
	});

	test('a second key among the additional fields is rejected', async () => {
		const additionalFields = '{"idempotencyKey":"mine"}';
		const options = { ...automatic, additionalFields };
		const { error } = await run(sending(gateway, { asTool, options }));
		expect(error?.message).toContain("'Additional Fields' contains 'idempotencyKey'");
		expect(gateway.requests()).toEqual([]);
	});

	test.each([
		['spaces', '={{ "  " }}', "'Idempotency Key' is empty"],
		['an empty text', '={{ "" }}', "'Idempotency Key' is empty"],
		['null', '={{ null }}', "'Idempotency Key' is empty"],
		['undefined', '={{ $json.missing }}', "'Idempotency Key' is empty"],
		['an object', '={{ ({}) }}', "'Idempotency Key' is not text but of type object"],
		['true', '={{ true }}', "'Idempotency Key' is not text but of type boolean"],
	])('rejects %s as a key and sends nothing', async (_what, idempotencyKey, words) => {
		const { error } = await run(sending(gateway, { asTool, options: { idempotencyKey } }));
		expect(error?.message).toBe(`${words} [item 0]`);
		expect(gateway.requests()).toEqual([]);
	});
});

test('a workflow and a tool create the same key', async () => {
	expect(await theKey({ asTool: true })).toBe(await theKey({ asTool: false }));
});

test('each item of a run has its own key, even if the items are equal', async () => {
	const alike = Array.from({ length: 20 }, () => messages(1)[0]!);
	const keys = await keysOf({ items: alike });
	expect(new Set(keys).size).toBe(20);
});

describe('one own key for different messages of a run', () => {
	const keyed = (key: string, fields: Sending['fields'] = {}): Sending => ({
		fields,
		options: { idempotencyKey: key },
		settings: { onError: 'continueErrorOutput' },
	});
	const media = { operation: 'sendMedia', mediaType: 'file', mediaSource: 'base64' };
	const body =
		'={{ JSON.stringify({ chatId: $json.to, type: "text", text: $json.text, idempotencyKey: "k" }) }}';

	test.each<[string, Sending]>([
		['a value that is missing in a text', keyed('=order-{{ $json.missing }}')],
		['a value that is missing, as undefined', keyed('={{ "order-" + $json.missing }}')],
		['a constant', keyed('order-1')],
		[
			'media',
			keyed('order-1', {
				...media,
				mediaBase64: '={{ ["YTti", "YTtj", "YTtk"][$itemIndex] }}',
				chatId: chat(0),
			}),
		],
		[
			'the body of Send Custom JSON',
			{ ...keyed('off', { operation: 'sendJson', body }), options: {} },
		],
		[
			'additional fields',
			{ ...keyed('off'), options: { additionalFields: '{"idempotencyKey":"k"}' } },
		],
	])('is rejected before a request: %s', async (_what, more) => {
		const { items, errorItems } = await run(sending(gateway, { items: messages(3), ...more }));
		expect(errorItems.map(({ json }) => json.error)).toEqual([
			expect.stringMatching(/^'Idempotency Key' is '.+' for more than one message of this run/),
			expect.stringMatching(/^'Idempotency Key' is '.+' for more than one message of this run/),
		]);
		expect(items).toHaveLength(1);
		expect(gateway.requests()).toHaveLength(1);
	});

	test.each<[string, Sending]>([
		['the same message again', { ...keyed('order-1'), items: [messages(1)[0]!, messages(1)[0]!] }],
		['a key for each item', keyed('=order-{{ $json.to }}')],
		[
			'parts of a text',
			{ ...keyed('k'), items: [messages(1)[0]!], fields: { text: 'a '.repeat(99) } },
		],
	])('is not what %s have', async (_what, more) => {
		const options = { splitLongText: 100, ...more.options };
		const { errorItems } = await run(sending(gateway, { items: messages(2), ...more, options }));
		expect(errorItems).toEqual([]);
		expect(gateway.requests()).toHaveLength(2);
	});
});

test('each pass of a loop has its own keys', async () => {
	const keys = await keysOf({ items: messages(3), passes: 2 });
	expect(keys).toHaveLength(6);
	expect(new Set(keys).size).toBe(6);
});

test('every attempt has the same key', async () => {
	gateway.faults([{ status: 500, times: 2 }]);
	const keys = await keysOf({ options: { maxWait: 0.01 } });
	expect(keys).toHaveLength(3);
	expect(new Set(keys).size).toBe(1);
});

test('without a start time from n8n, the keys of two executions differ by execution ID', async () => {
	const first = await theKey({ establishedAt: undefined, executionId: '1' });
	expect(await theKey({ establishedAt: undefined, executionId: '2' })).not.toBe(first);
});

describe('the key of a file', () => {
	beforeEach(async () => await keepFilesIn('filesystem'));

	async function withFile(bytes: string, fileName: string) {
		const data = await storedFile(Buffer.from(bytes), { fileName, mimeType: 'text/plain' });
		return await theKey({
			items: [{ ...messages(1)[0]!, binary: { data } }],
			fields: { operation: 'sendMedia', mediaType: 'file' },
		});
	}

	test('is the same wherever n8n stores the file for a retry', async () => {
		expect(await withFile('one', 'a.txt')).toBe(await withFile('one', 'a.txt'));
	});

	test('differs for another name and another size', async () => {
		const first = await withFile('one', 'a.txt');
		expect(await withFile('one', 'b.txt')).not.toBe(first);
		expect(await withFile('three', 'a.txt')).not.toBe(first);
	});

	test('differs for other contents with the same name and size', async () => {
		expect(await withFile('one', 'a.txt')).not.toBe(await withFile('two', 'a.txt'));
	});
});

test('rejects an input item that JSON cannot represent', async () => {
	const cyclic: IDataObject = { ...messages(1)[0]!.json };
	cyclic.itself = cyclic;
	const { error } = await run(sending(gateway, { options: automatic, items: [{ json: cyclic }] }));
	expect(error?.message).toMatch(/^'Idempotency Key' cannot be written as JSON: /);
	expect(error?.description).toContain('Use an expression');
	expect(gateway.requests()).toEqual([]);
});
