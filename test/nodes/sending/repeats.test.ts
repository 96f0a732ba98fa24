import { run, type RunOptions, start } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { keepFilesIn, storedFile } from '../../harness/storedFiles';
import { useVirtualTime } from '../../harness/virtualTime';
import {
	BOTH_WAYS,
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

describe.each(BOTH_WAYS)('%s each message is delivered once', (_name, asTool) => {
	const job = (rest: Partial<RunOptions> = {}, options: Record<string, unknown> = automatic) =>
		sending(gateway, { asTool, items, establishedAt: AT, options, ...rest });

	test('when Retry On Fail runs the node again for all items', async () => {
		gateway.faults([{ chatId: chat(2), cut: 'after', times: 1 }]);
		const { error } = await run(job({ settings }, { ...automatic, maxTries: 1 }));
		expect(error).toBeUndefined();
		expect(delivered()).toEqual(inOrder);
		expect(gateway.requests().length).toBeGreaterThan(8);
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

	test('when the node, Retry On Fail and the user retry', async () => {
		gateway.faults([
			{ chatId: chat(0), cut: 'after', times: 3 },
			{ chatId: chat(1), status: 422, times: 1 },
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
	const options = { idempotencyKey: 'off' };
	for (const executionId of ['1', '2']) {
		await run(sending(gateway, { items, establishedAt: AT, executionId, options }));
	}
	expect(delivered()).toHaveLength(16);
});

describe('the hint about Retry On Fail', () => {
	const WITHOUT_KEY = expect.stringMatching(/^Retry On Fail is on.*without an idempotency key/);
	const body = (fields: object) => ({
		operation: 'sendJson',
		body: JSON.stringify({ chatId: chat(1), type: 'text', text: 'x', ...fields }),
	});
	const media = {
		items: [{ json: {}, binary: { data: { data: 'QUJD', mimeType: 'text/plain' } } }],
		fields: { operation: 'sendMedia', mediaType: 'file', chatId: chat(1) },
	};
	const question = { fields: { operation: 'sendAndWait', message: 'May we?' } };
	const [first, second] = messages(2);
	const twoWithKeys = (key: string) => ({
		items: [{ json: { ...first!.json, key: 'order-1' } }, { json: { ...second!.json, key } }],
		options: { idempotencyKey: '={{ $json.key }}' },
	});

	test.each<[string, Sending, unknown[]]>([
		['Send', {}, [WITHOUT_KEY]],
		['Send with the key off', { options: { idempotencyKey: 'off' } }, [WITHOUT_KEY]],
		['Send Media', media, [WITHOUT_KEY]],
		['Send Custom JSON', { fields: body({}) }, [WITHOUT_KEY]],
		['Send and Wait for Response', question, [WITHOUT_KEY]],
		['one message without a key', twoWithKeys('off'), [WITHOUT_KEY]],
		['an own key for each message', twoWithKeys('order-2'), []],
		['an automatic key', { options: { idempotencyKey: 'automatic' } }, []],
		['a key of a file', { ...media, options: { idempotencyKey: 'file-1' } }, []],
		['a key in the JSON', { fields: body({ idempotencyKey: 'order-1' }) }, []],
		['a key of a question', { ...question, options: { idempotencyKey: 'automatic' } }, []],
		['Retry On Fail off', { settings: {} }, []],
		['Continue', { settings: { ...settings, onError: 'continueErrorOutput' } }, []],
		['Check, which sends nothing', { fields: { operation: 'check' } }, []],
	])('%s: %j', async (_what, job, expected) => {
		const { hints } = await run(sending(gateway, { settings, ...job }));
		expect(hints.map(({ message }) => message)).toEqual(expected);
	});
});

test('delivers files once, although n8n stores those of a retry elsewhere', async () => {
	await keepFilesIn('filesystem');
	const fields = { operation: 'sendMedia', mediaType: 'file' };
	for (const executionId of ['1', '2']) {
		const withFiles = await Promise.all(
			items.map(async (item, index) => {
				const fileName = `${index}.txt`;
				const data = await storedFile(Buffer.from(`File ${index}`), { fileName });
				return { ...item, binary: { data } };
			}),
		);
		const common = { executionId, establishedAt: AT, options: automatic, fields };
		expect((await run(sending(gateway, { items: withFiles, ...common }))).error).toBeUndefined();
	}
	const names = gateway.state().delivered.map(({ media }) => media?.filename);
	expect(names.sort()).toEqual(items.map((_, index) => `${index}.txt`));
});

test.each<[string, Array<Partial<RunOptions>>]>([
	['the same item twice in one run', [{ items: [...messages(2), ...messages(2)] }]],
	['two passes of a loop', [{ passes: 2 }]],
	['two executions', [{}, { establishedAt: AT + 1 }]],
	['two nodes of one execution', [{}, { settings: { id: 'another' } }]],
])('an intended duplicate is delivered: %s', async (_what, runs) => {
	const common = { items: messages(2), establishedAt: AT, options: automatic };
	for (const each of runs) await run(sending(gateway, { ...common, ...each }));
	expect(delivered()).toEqual(['Message 0', 'Message 0', 'Message 1', 'Message 1']);
});
