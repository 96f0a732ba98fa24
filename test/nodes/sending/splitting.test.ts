import { run, start } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import {
	BOTH_WAYS,
	bodyOf,
	chat,
	deliveryWindow,
	gapsMs,
	keysSent,
	messages,
	quiet,
	type Sending,
	sending,
	textsDelivered,
	until,
} from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways();

const AT = 1_767_225_600_000;
const paragraph = (letter: string) => letter.repeat(60);
const long = (letters = 'abc') => [...letters].map(paragraph).join('\n\n');
const itemWith = (text: string, to = 0) => ({ json: { to: chat(to), text } });

/** Lets so many requests through before the next fault applies. */
const delivered = (times: number) => ({ latencyMs: 1, times });

const split = ({ options, items = [itemWith(long())], ...rest }: Sending = {}) =>
	sending(gateway, {
		items,
		options: { splitLongText: 100, ...options },
		establishedAt: AT,
		...rest,
	});

describe.each(BOTH_WAYS)('%s', (_name, asTool) => {
	test('sends the parts in order and lists them in one item', async () => {
		const { items, error } = await run(split({ asTool }));
		expect(error).toBeUndefined();
		expect(textsDelivered(gateway)).toEqual(['a', 'b', 'c'].map(paragraph));
		const ids = gateway.state().delivered.map(({ messageId }) => messageId);
		expect(items).toHaveLength(1);
		const { json, pairedItem } = items[0]!;
		expect(pairedItem).toEqual({ item: 0 });
		expect(json).toMatchObject({ messageId: ids[0], chatId: chat(0), outcome: 'sent' });
		expect(json.parts).toMatchObject(ids.map((messageId) => ({ messageId, outcome: 'sent' })));
		expect(json.parts).toHaveLength(3);
	});

	test('gives each part its own key, the same for each attempt', async () => {
		gateway.faults([{ status: 500, after: true, times: 1 }]);
		const options = { idempotencyKey: 'automatic', maxWait: 0.01 };
		const { error } = await run(split({ asTool, options }));
		expect(error).toBeUndefined();
		const keys = keysSent(gateway) as string[];
		const [base] = /^n8n-[0-9a-f]{40}/.exec(keys[0]!)!;
		expect(keys).toEqual(['1', '1', '2', '3'].map((part) => `${base}-part-${part}`));
		expect(textsDelivered(gateway)).toEqual(['a', 'b', 'c'].map(paragraph));
	});

	test('stops after a part that fails, and says which parts were sent', async () => {
		gateway.faults([delivered(2), { status: 422, times: 1 }]);
		const { error } = await run(split({ asTool, items: [itemWith(long('abcde'))] }));
		expect(error?.message).toBe(
			'The gateway did not accept a value in the request (422, validation_error); part 3 failed, 2 of 5 parts were sent [item 0]',
		);
		expect(error?.description).toContain('The parts after it were not sent.');
		expect(textsDelivered(gateway)).toEqual(['a', 'b'].map(paragraph));
	});

	test('Retry On Fail sends only the parts that are missing', async () => {
		gateway.faults([delivered(1), { cut: 'after', times: 1 }]);
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const options = { idempotencyKey: 'automatic', maxTries: 1 };
		const { items, error } = await run(split({ asTool, settings, options }));
		expect(error).toBeUndefined();
		expect(textsDelivered(gateway)).toEqual(['a', 'b', 'c'].map(paragraph));
		const outcomes = (items[0]!.json.parts as Array<{ outcome: string }>).map(
			({ outcome }) => outcome,
		);
		expect(outcomes).toEqual(['duplicate', 'duplicate', 'sent']);
		expect(items[0]!.json.outcome).toBe('sent');
	});

	test('Stop ends the execution between two parts', async () => {
		const execution = start(split({ asTool, options: { messagesPerMinute: 1 } }));
		await until('a part was delivered', () => gateway.state().delivered.length === 1);
		execution.cancel();
		const { run: result } = await execution.outcome;
		expect(gateway.requests()).toHaveLength(1);
		expect(result.status).toBe('canceled');
	});
});

test('changes nothing for a text that fits', async () => {
	const options = { idempotencyKey: 'automatic' };
	await run(sending(gateway, { options, establishedAt: AT }));
	const { items } = await run(split({ items: messages(1), options }));
	const [first, second] = gateway.requests();
	expect(second!.bodyText).toBe(first!.bodyText);
	expect(items[0]!.json).not.toHaveProperty('parts');
});

test('splits after the conversion from Markdown', async () => {
	const text = `# Code\n\n~~~\n${paragraph('b')}\n${paragraph('c')}\n~~~`;
	await run(split({ items: [itemWith(text)], options: { textFormat: 'markdown' } }));
	expect(textsDelivered(gateway)).toEqual([
		`*Code*\n\n\`\`\`\n${paragraph('b')}\n\`\`\``,
		`\`\`\`\n${paragraph('c')}\n\`\`\``,
	]);
});

test('reports a part with an uncertain outcome', async () => {
	gateway.faults([delivered(1), { cut: 'after', times: 1 }]);
	const { error } = await run(split());
	expect(error?.message).toContain(
		'; unknown: it may have been sent; part 2 failed, 1 of 3 parts were sent [item 0]',
	);
	expect(gateway.requests()).toHaveLength(2);
});

test('is deferred if a part is', async () => {
	gateway.setStatus('DISCONNECTED');
	const { items } = await run(split({ options: deliveryWindow(1, 'minutes') }));
	expect(items[0]!.json.outcome).toBe('deferred');
	expect(items[0]!.json.parts).toHaveLength(3);
});

test.each<[string, Sending]>([
	['Messages per Minute', { options: { messagesPerMinute: 60 } }],
	[
		'Batching',
		{ fields: { requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 1_000 } } } } },
	],
])('waits between the parts with %s', async (_what, job) => {
	await run(split(job));
	expect(gapsMs(gateway)).toEqual([1_000, 1_000]);
});

test('appends the part to a key of the user', async () => {
	await run(split({ options: { idempotencyKey: 'order-7' } }));
	expect(keysSent(gateway)).toEqual(['order-7-part-1', 'order-7-part-2', 'order-7-part-3']);
});

test.each<[object, string]>([
	[{ splitLongText: 99 }, "'Split Long Text' is not a whole number from 100 to 60000"],
	[{ splitLongText: 60_001 }, "'Split Long Text' is not a whole number from 100 to 60000"],
	[{ splitLongText: null }, "'Split Long Text' is not a whole number from 100 to 60000"],
	[
		{ additionalFields: '{"idempotency_key":"4711"}' },
		"'Additional Fields' contains an idempotency key",
	],
])('rejects %j and sends nothing', async (options, message) => {
	const { error } = await run(split({ options: { ...options } }));
	expect(error?.message).toContain(message);
	expect(gateway.requests()).toEqual([]);
});

test('sends no other message of the chat between the parts', async () => {
	const items = [itemWith(long()), itemWith('x'), itemWith(long('de'), 1), itemWith('y', 1)];
	const { items: output } = await run(split({ items }));
	const texts = (to: number) =>
		gateway
			.requests()
			.map(bodyOf)
			.filter(({ chatId }) => chatId === chat(to))
			.map(({ text }) => text);
	expect(texts(0)).toEqual([...['a', 'b', 'c'].map(paragraph), 'x']);
	expect(texts(1)).toEqual([...['d', 'e'].map(paragraph), 'y']);
	expect(output).toHaveLength(4);
});

test('with Continue, sends the next message of the chat after a part that fails', async () => {
	gateway.faults([delivered(1), { status: 422, times: 1 }]);
	const { items } = await run(
		split({
			items: [itemWith(long()), itemWith('x')],
			settings: { onError: 'continueRegularOutput' },
		}),
	);
	expect(items[0]!.json.error).toContain('part 2 failed, 1 of 3 parts were sent');
	expect(textsDelivered(gateway)).toEqual([paragraph('a'), 'x']);
});

describe('if the gateway rejects the account for too long', () => {
	const daily = { status: 429, code: 'daily_limit_reached', retryAfter: 1 };
	const options = { maxWait: 10 };

	test('says which parts were sent for each message that was being sent', async () => {
		gateway.faults([delivered(3), daily]);
		const items = [0, 1, 2, 0, 4].map((to) => itemWith(long(), to));
		const { items: output } = await run(
			split({
				items,
				options: { ...options, concurrency: 3 },
				settings: { onError: 'continueRegularOutput' },
			}),
		);
		const errors = output.map(({ json }) => json.error as string);
		const partly = 'part 2 failed, 1 of 3 parts were sent';
		const not = 'part 1 failed, 0 of 3 parts were sent';
		expect(errors.map((error) => /part .* sent/.exec(error)?.[0])).toEqual([
			partly,
			partly,
			partly,
			not,
			not,
		]);
		expect(textsDelivered(gateway)).toEqual(Array(3).fill(paragraph('a')));
	});

	test('names the other messages of which a part was sent', async () => {
		gateway.faults([delivered(2), daily]);
		const items = [itemWith(long(), 0), itemWith(long(), 1)];
		const { error } = await run(split({ items, options }));
		expect(error?.message).toContain(
			'part 2 failed, 1 of 3 parts were sent; 0 of 2 sent, 2 failed',
		);
		expect(error?.description).toContain('Partly sent: items 0 to 1.');
	});
});

test('recommends a key only if something was sent', async () => {
	gateway.faults([{ status: 422 }]);
	const { error } = await run(split());
	expect(error?.message).toContain('; part 1 failed, 0 of 3 parts were sent [item 0]');
	expect(error?.description).not.toContain('arriving twice');
});

test('Stop ends the retries of a part', async () => {
	gateway.faults([delivered(1), { status: 503, retryAfter: 5 }]);
	const execution = start(split({ options: { maxTries: 20 } }));
	await until('the second part was rejected', () => gateway.requests().length === 2);
	execution.cancel();
	const { run: result } = await execution.outcome;
	gateway.faults([]);
	await quiet(60_000);
	expect(result.status).toBe('canceled');
	expect(gateway.requests()).toHaveLength(2);
	expect(textsDelivered(gateway)).toEqual([paragraph('a')]);
});

test.each([
	['a tool call', true],
	['a workflow', false],
])('twenty-one parts of %s', async (_what, asTool) => {
	const items = [itemWith(long('abcdefghijklmnopqrstu'))];
	const { error } = await run(split({ items, asTool, withLimits: true }));
	expect(error?.message).toBe(
		asTool
			? 'Not sent: this execution has 20 of 20 messages left, and the call needs 21. Write a shorter text [item 0]'
			: undefined,
	);
	expect(gateway.requests()).toHaveLength(asTool ? 0 : 21);
});
