import { run, type RunOptions, start } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { keepFilesIn, storedFile } from '../../harness/storedFiles';
import { useVirtualTime } from '../../harness/virtualTime';
import {
	chat,
	messages,
	type Sending,
	sending,
	textsDelivered,
	textsOf,
	until,
} from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways();

const automatic = { idempotencyKey: 'automatic', maxWait: 0.02 };
const AT = 1_767_225_600_000;
const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

const items = messages(8, (index) => index % 4);
const inOrder = [...textsOf(items)].sort();

/** The delivered texts, sorted. A text that was delivered twice is in it twice. */
const delivered = () => [...textsDelivered(gateway)].sort();

describe.each([
	['in a workflow', false],
	['as a tool', true],
])('%s each message is delivered once', (_name, asTool) => {
	const job = (rest: Partial<RunOptions> = {}, options: Record<string, unknown> = automatic) =>
		sending(gateway, { asTool, items, establishedAt: AT, options, ...rest });

	test('when the node retries', async () => {
		gateway.faults([
			{ chatId: chat(1), cut: 'after', times: 2 },
			{ chatId: chat(2), status: 500, after: true, times: 1 },
			{ chatId: chat(3), cut: 'before', times: 2 },
		]);
		const { error } = await run(job());
		expect(error).toBeUndefined();
		expect(delivered()).toEqual(inOrder);
	});

	test('when Retry On Fail runs the node again for all items', async () => {
		gateway.faults([{ chatId: chat(2), cut: 'after', times: 1 }]);
		const { error } = await run(job({ settings }, { ...automatic, maxTries: 1 }));
		expect(error).toBeUndefined();
		expect(delivered()).toEqual(inOrder);
		expect(gateway.requests().length).toBeGreaterThan(8);
	});

	test('when the user retries a failed execution twice', async () => {
		gateway.faults([
			{ chatId: chat(1), status: 422, times: 1 },
			{ chatId: chat(3), cut: 'after', times: 1 },
		]);
		const options = { ...automatic, maxTries: 1 };
		const first = await run(job({ executionId: '1' }, options));
		expect(first.error).toBeDefined();
		await run(job({ executionId: '2' }, options));
		const last = await run(job({ executionId: '3' }, options));
		expect(last.error).toBeUndefined();
		expect(last.items).toHaveLength(8);
		expect(delivered()).toEqual(inOrder);
	});

	test('when a cancelled execution is run again', async () => {
		gateway.faults([{ latencyMs: 30 }]);
		const cancelled = start(job({ executionId: '1' }));
		await until('some messages are sent', () => gateway.state().delivered.length >= 3);
		cancelled.cancel();
		await cancelled.outcome;
		gateway.clearFaults();
		const again = await run(job({ executionId: '2' }));
		expect(again.error).toBeUndefined();
		expect(again.items.map(({ json }) => json.outcome)).toContain('duplicate');
		expect(delivered()).toEqual(inOrder);
	});

	test('when all of this happens together', async () => {
		gateway.faults([
			{ chatId: chat(0), cut: 'after', times: 3 },
			{ chatId: chat(2), status: 500, after: true, times: 5 },
			{ chatId: chat(3), status: 503, retryAfter: 0, times: 4 },
		]);
		for (const executionId of ['1', '2', '3']) {
			await run(job({ settings, executionId }, { ...automatic, maxTries: 2 }));
		}
		expect(delivered()).toEqual(inOrder);
	});
});

test('without a key, a retry delivers a second message, so these tests can fail', async () => {
	const job = (executionId: string) =>
		sending(gateway, { items, establishedAt: AT, executionId, options: { idempotencyKey: 'off' } });
	await run(job('1'));
	await run(job('2'));
	expect(delivered()).toHaveLength(16);
});

describe('the hint about Retry On Fail', () => {
	const WITHOUT_KEY = expect.stringMatching(/^Retry On Fail is on.*without an idempotency key/);
	const body = (fields: object) => ({
		operation: 'sendJson',
		body: JSON.stringify({ chatId: chat(1), type: 'text', text: 'x', ...fields }),
	});
	const file = [{ json: {}, binary: { data: { data: 'QUJD', mimeType: 'text/plain' } } }];
	const media = {
		items: file,
		fields: { operation: 'sendMedia', mediaType: 'file', chatId: chat(1) },
	};
	const question = { fields: { operation: 'sendAndWait', message: 'May we?' } };
	const hintsOf = async (job: Sending) =>
		(await run(sending(gateway, { settings, ...job }))).hints.map(({ message }) => message);

	test.each<[string, Sending]>([
		['Send', {}],
		['Send with the key off', { options: { idempotencyKey: 'off' } }],
		['Send Media', media],
		['Send Custom JSON', { fields: body({}) }],
		['Send and Wait for Response', question],
	])('%s warns', async (_, job) => {
		expect(await hintsOf(job)).toEqual([WITHOUT_KEY]);
	});

	test.each<[string, Sending]>([
		['an automatic key', { options: { idempotencyKey: 'automatic' } }],
		['a key of your own', { options: { idempotencyKey: '={{ $json.text }}' } }],
		['a key of your own for a file', { ...media, options: { idempotencyKey: 'file-1' } }],
		['a key in the JSON', { fields: body({ idempotencyKey: 'order-1' }) }],
		['a key of a question', { ...question, options: { idempotencyKey: 'automatic' } }],
		['Retry On Fail off', { settings: {} }],
		[
			'failed items that do not fail the node',
			{ settings: { ...settings, onError: 'continueErrorOutput' } },
		],
		['Check, which sends nothing', { fields: { operation: 'check' } }],
	])('%s needs none', async (_, job) => {
		expect(await hintsOf(job)).toEqual([]);
	});

	test('one message without a key is enough', async () => {
		const [first, second] = messages(2);
		const options = { idempotencyKey: '={{ $json.key }}' };
		const keys = (key: string) => [
			{ json: { ...first!.json, key: 'order-1' } },
			{ json: { ...second!.json, key } },
		];
		expect(await hintsOf({ items: keys('order-2'), options })).toEqual([]);
		expect(await hintsOf({ items: keys('off'), options })).toEqual([WITHOUT_KEY]);
	});
});

test('delivers files once, although n8n stores those of a retry elsewhere', async () => {
	await keepFilesIn('filesystem');
	for (const executionId of ['1', '2']) {
		const withFiles = await Promise.all(
			items.map(async (item, index) => ({
				...item,
				binary: {
					data: await storedFile(Buffer.from(`File ${index}`), { fileName: `${index}.txt` }),
				},
			})),
		);
		const { error } = await run(
			sending(gateway, {
				items: withFiles,
				executionId,
				establishedAt: AT,
				options: automatic,
				fields: { operation: 'sendMedia', mediaType: 'file' },
			}),
		);
		expect(error).toBeUndefined();
	}
	const names = gateway.state().delivered.map(({ media }) => media?.filename);
	expect(names.sort()).toEqual(items.map((_, index) => `${index}.txt`));
});

describe('an intended duplicate is always delivered', () => {
	const twice = (rest: Partial<RunOptions>) =>
		sending(gateway, { items: messages(2), establishedAt: AT, options: automatic, ...rest });
	const four = ['Message 0', 'Message 0', 'Message 1', 'Message 1'];

	test('the same item twice in one run', async () => {
		await run(twice({ items: [...messages(2), ...messages(2)] }));
		expect(delivered()).toEqual(four);
	});

	test('two passes of a loop', async () => {
		await run(twice({ passes: 2 }));
		expect(delivered()).toEqual(four);
	});

	test('two executions', async () => {
		await run(twice({}));
		await run(twice({ establishedAt: AT + 1 }));
		expect(delivered()).toEqual(four);
	});

	test('two executions in one millisecond with different messages', async () => {
		const others = messages(2).map(({ json }) => ({ json: { ...json, text: `${json.text} b` } }));
		await Promise.all([run(twice({})), run(twice({ executionId: '2', items: others }))]);
		expect(delivered()).toEqual(['Message 0', 'Message 0 b', 'Message 1', 'Message 1 b']);
	});

	test('two nodes of one execution', async () => {
		await run(twice({}));
		await run(twice({ settings: { id: 'another' } }));
		expect(delivered()).toEqual(four);
	});
});
