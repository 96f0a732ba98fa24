import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import {
	BOTH_WAYS,
	chat,
	deliveryWindow,
	keysSent,
	messages,
	type Sending,
	sending,
	textsDelivered,
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
		const sent = gateway.state().delivered.map(({ messageId }) => ({ messageId, outcome: 'sent' }));
		const json = { ...sent[0], chatId: chat(0), parts: sent };
		expect(items).toMatchObject([{ json, pairedItem: { item: 0 } }]);
		expect(items[0]!.json.parts).toHaveLength(3);
	});

	test('gives each part its own key, with which Retry On Fail sends only what is missing', async () => {
		gateway.faults([delivered(1), { cut: 'after', times: 1 }]);
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const options = { idempotencyKey: 'automatic', maxTries: 1 };
		const { items, error } = await run(split({ asTool, settings, options }));
		expect(error).toBeUndefined();
		const keys = keysSent(gateway) as string[];
		const [base] = /^n8n-[0-9a-f]{40}/.exec(keys[0]!)!;
		expect(keys).toEqual(['1', '2', '1', '2', '3'].map((part) => `${base}-part-${part}`));
		expect(textsDelivered(gateway)).toEqual(['a', 'b', 'c'].map(paragraph));
		const outcomes = ['duplicate', 'duplicate', 'sent'].map((outcome) => ({ outcome }));
		expect(items).toMatchObject([{ json: { outcome: 'sent', parts: outcomes } }]);
	});

	test('stops after a part that fails, and says which parts were sent', async () => {
		gateway.faults([delivered(2), { status: 422, times: 1 }]);
		const { error } = await run(split({ asTool, items: [itemWith(long('abcde'))] }));
		expect(error?.message).toContain(
			'(422, validation_error); part 3 failed, 2 of 5 parts were sent',
		);
		expect(error?.description).toContain('The parts after it were not sent.');
		expect(textsDelivered(gateway)).toEqual(['a', 'b'].map(paragraph));
	});
});

test('changes nothing for a text that fits', async () => {
	const options = { idempotencyKey: 'order-7' };
	const { items } = await run(split({ items: messages(1), options }));
	expect(keysSent(gateway)).toEqual(['order-7']);
	expect(items[0]!.json).not.toHaveProperty('parts');
});

test('splits after the conversion from Markdown', async () => {
	const text = `# Code\n\n~~~\n${paragraph('b')}\n${paragraph('c')}\n~~~`;
	await run(split({ items: [itemWith(text)], options: { textFormat: 'markdown' } }));
	expect(textsDelivered(gateway)).toEqual([
		`*Code*\n\n\`\`\`\n${paragraph('b')}`,
		`${paragraph('c')}\n\`\`\``,
	]);
});

test('is deferred if a part is', async () => {
	gateway.setStatus('DISCONNECTED');
	const { items } = await run(split({ options: deliveryWindow(1) }));
	expect(items[0]!.json.outcome).toBe('deferred');
	expect(items[0]!.json.parts).toHaveLength(3);
});

test('rejects a key in Additional Fields, which all parts would have', async () => {
	const options = { additionalFields: '{"idempotency_key":"4711"}' };
	const { error } = await run(split({ options }));
	expect(error?.message).toContain("'Additional Fields' contains an idempotency key");
	expect(gateway.requests()).toEqual([]);
});

test('if the gateway rejects the account for too long, says which parts of each message were sent', async () => {
	const daily = { status: 429, code: 'daily_limit_reached', retryAfter: 1 };
	gateway.faults([delivered(3), daily]);
	const items = [0, 1, 2, 0, 4].map((to) => itemWith(long(), to));
	const options = { maxWait: 10, concurrency: 3 };
	const settings = { onError: 'continueRegularOutput' } as const;
	const { items: output } = await run(split({ items, options, settings }));
	const errors = output.map(({ json }) => /part .* sent/.exec(json.error as string)?.[0]);
	const partly = 'part 2 failed, 1 of 3 parts were sent';
	const not = 'part 1 failed, 0 of 3 parts were sent';
	expect(errors).toEqual([...Array<string>(3).fill(partly), not, not]);
	expect(output[0]!.json.details).toEqual({ cause: 'rate_limit_exceeded', retry: 'check' });
	expect(textsDelivered(gateway)).toEqual(Array(3).fill(paragraph('a')));
});
