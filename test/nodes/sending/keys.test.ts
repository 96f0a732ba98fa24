import type { IDataObject } from 'n8n-workflow';

import { run } from '../../engine';
import { useNewGateways } from '../../sandboxAccount';
import { keepFilesIn, storedFile } from '../../storedFiles';
import { bodyOf, keysSent, messages, type Sending, sending } from './messages';

const gateway = useNewGateways();

const automatic = { idempotencyKey: 'automatic' };
const AT = 1_767_225_600_000;

/** The keys of one run, by the text of the message. */
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
	test('there is no key unless one is asked for', async () => {
		await run(sending(gateway, { asTool }));
		await run(sending(gateway, { asTool, options: { idempotencyKey: 'off' } }));
		expect(gateway.requests().map(bodyOf)).toEqual([
			expect.not.objectContaining({ idempotencyKey: expect.anything() }),
			expect.not.objectContaining({ idempotencyKey: expect.anything() }),
		]);
	});

	test('an expression gives the key itself', async () => {
		const items = [{ json: { ...messages(1)[0]!.json, order: 4711 } }];
		const options = { idempotencyKey: '={{ $json.order }}' };
		await run(sending(gateway, { asTool, items, options }));
		expect(keysSent(gateway)).toEqual(['4711']);
	});

	test('an automatic one is the same where the execution is repeated under another id', async () => {
		const first = await theKey({ asTool, executionId: '1' });
		expect(await theKey({ asTool, executionId: '2' })).toBe(first);
	});

	test('an automatic one is the same where n8n has made up runs from its event log after a crash', async () => {
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
	])('and differs for %s', async (_what, change) => {
		const first = await theKey({ asTool });
		expect(await theKey({ asTool, ...change })).not.toBe(first);
	});

	// A webhook that is called twice in a millisecond is two executions, and what a message says may come from elsewhere.
	test.each<[string, Sending]>([
		['another text that is not in the input item', { fields: { text: 'Another' } }],
		['other additional fields', { options: { additionalFields: '{"priority":"high"}' } }],
	])('and differs for two executions of one millisecond with %s', async (_what, change) => {
		const first = await theKey({ asTool });
		expect(await theKey({ asTool, ...change })).not.toBe(first);
	});

	test('it goes by its old name in the legacy form', async () => {
		await run(sending(gateway, { asTool, options: automatic, fields: { bodyForm: 'legacy' } }));
		expect(bodyOf(gateway.theRequest()).idempotency_key).toMatch(/^n8n-/);
	});

	test('a key among the additional fields goes before it', async () => {
		const additionalFields = '{"idempotencyKey":"mine"}';
		const options = { ...automatic, additionalFields };
		await run(sending(gateway, { asTool, options }));
		expect(keysSent(gateway)).toEqual(['mine']);
	});

	test.each([
		['blanks', '={{ "  " }}', "'Idempotency Key' is empty"],
		['nothing', '={{ "" }}', "'Idempotency Key' is empty"],
		['null', '={{ null }}', "'Idempotency Key' is empty"],
		['an object', '={{ ({}) }}', "'Idempotency Key' is not text but of type object"],
		['true', '={{ true }}', "'Idempotency Key' is not text but of type boolean"],
	])('%s for a key is refused, and nothing is sent', async (_what, idempotencyKey, words) => {
		const { error } = await run(sending(gateway, { asTool, options: { idempotencyKey } }));
		expect(error?.message).toBe(`${words} [item 0]`);
		expect(gateway.requests()).toEqual([]);
	});
});

test('the two doors make the same key', async () => {
	expect(await theKey({ asTool: true })).toBe(await theKey({ asTool: false }));
});

test('all items of a run have a key of their own, also where they are alike', async () => {
	const alike = Array.from({ length: 20 }, () => messages(1)[0]!);
	const keys = await keysOf({ items: alike });
	expect(new Set(keys).size).toBe(20);
});

test('two passes of a loop have keys of their own', async () => {
	const keys = await keysOf({ items: messages(3), passes: 2 });
	expect(keys).toHaveLength(6);
	expect(new Set(keys).size).toBe(6);
});

test('every try has the key of the first one', async () => {
	gateway.faults([{ status: 500, times: 2 }]);
	const keys = await keysOf({ options: { maxWait: 0.01 } });
	expect(keys).toHaveLength(3);
	expect(new Set(keys).size).toBe(1);
});

test('without what n8n carries over, two executions differ by their ids', async () => {
	const first = await theKey({ establishedAt: undefined, executionId: '1' });
	expect(await theKey({ establishedAt: undefined, executionId: '2' })).not.toBe(first);
});

describe('the key of a file', () => {
	beforeEach(async () => await keepFilesIn('filesystem'));

	async function withFile(bytes: string, fileName: string) {
		const data = await storedFile(Buffer.from(bytes), { fileName, mimeType: 'text/plain' });
		return await theKey({
			items: [{ ...messages(1)[0]!, binary: { data } }],
			fields: { operation: 'sendMedia' },
		});
	}

	test('is the same wherever n8n keeps it in a repeat', async () => {
		expect(await withFile('one', 'a.txt')).toBe(await withFile('one', 'a.txt'));
	});

	test('differs for another name and another size', async () => {
		const first = await withFile('one', 'a.txt');
		expect(await withFile('one', 'b.txt')).not.toBe(first);
		expect(await withFile('three', 'a.txt')).not.toBe(first);
	});

	test('differs for other contents of the same name and size', async () => {
		expect(await withFile('one', 'a.txt')).not.toBe(await withFile('two', 'a.txt'));
	});
});

test('an input item that JSON cannot hold is refused in plain words', async () => {
	const circle: IDataObject = { ...messages(1)[0]!.json };
	circle.itself = circle;
	const { error } = await run(sending(gateway, { options: automatic, items: [{ json: circle }] }));
	expect(error?.message).toMatch(/^'Idempotency Key' cannot be written as JSON: /);
	expect(error?.description).toContain('by an expression');
	expect(gateway.requests()).toEqual([]);
});
