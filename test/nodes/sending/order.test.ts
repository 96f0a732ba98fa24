import type * as Output from '../../../nodes/MessagingGateway/request/outputItems';
import type { RecordedRequest } from '../../../sandbox/sandbox';
import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { turn, useVirtualTime } from '../../harness/virtualTime';
import {
	answeredAt,
	bodyOf,
	chat,
	deliveryWindow,
	gapsMs,
	messages,
	pairs,
	receivedAt,
	sending,
	textsDelivered,
	textsOf,
} from '../../harness/messages';

/** The module itself: jest.spyOn cannot change what `import` makes of it. */
const output = jest.requireActual<typeof Output>(
	'../../../nodes/MessagingGateway/request/outputItems',
);

useVirtualTime();
const gateway = useNewGateways();

/** The maximum number of requests in flight. */
function maxInFlight(requests: RecordedRequest[]): number {
	return Math.max(
		...requests.map(
			(one) =>
				requests.filter(
					(other) => receivedAt(other) <= receivedAt(one) && answeredAt(other) > receivedAt(one),
				).length,
		),
	);
}

const requestsTo = (recipient: string) =>
	gateway.requests().filter((request) => bodyOf(request).chatId === recipient);

test('sends messages to one chat in item order, each after the response to the one before', async () => {
	// The first messages take longest: without ordering, the last ones would arrive first.
	gateway.faults([
		{ latencyMs: 120, times: 1 },
		{ latencyMs: 60, times: 1 },
		{ latencyMs: 30, times: 1 },
		{ latencyMs: 10 },
	]);
	const items = messages(8, () => 1);
	await run(sending(gateway, { items, options: { concurrency: 100 } }));
	expect(textsDelivered(gateway)).toEqual(textsOf(items));
	expect(gapsMs(gateway)).toEqual([120, 60, 30, 10, 10, 10, 10]);
});

test('keeps the order within a chat while one of its messages is retried', async () => {
	gateway.faults([{ chatId: chat(1), status: 503, retryAfter: '0.1', times: 2 }]);
	const items = messages(12, (index) => index % 3);
	await run(sending(gateway, { items }));
	const toOne = gateway.state().delivered.filter(({ chatId }) => chatId === chat(1));
	expect(toOne.map(({ text }) => text)).toEqual([
		'Message 1',
		'Message 4',
		'Message 7',
		'Message 10',
	]);
	expect(gateway.state().delivered).toHaveLength(12);
});

test('treats all spellings of a number as one chat', async () => {
	gateway.faults([{ latencyMs: 60 }]);
	const spellings = [
		'4915112345678',
		'+49 (151) 1234-5678',
		'004915112345678',
		'4915112345678@c.us',
		'4915112345678@C.US',
		'4915112345678@s.whatsapp.net',
		4915112345678,
	];
	const items = spellings.map((to, index) => ({ json: { to, text: `Message ${index}` } }));
	await run(sending(gateway, { items }));
	expect(textsDelivered(gateway)).toEqual(textsOf(items));
	expect(gapsMs(gateway)).toEqual([60, 60, 60, 60, 60, 60]);
});

test('sends to different chats in parallel: a slow one does not delay the others', async () => {
	gateway.faults([{ chatId: chat(0), latencyMs: 600 }]);
	const items = messages(10, (index) => index % 5);
	await run(sending(gateway, { items }));
	const slow = requestsTo(chat(0));
	expect(slow).toHaveLength(2);
	const others = gateway.requests().filter((request) => bodyOf(request).chatId !== chat(0));
	expect(Math.max(...others.map(answeredAt))).toBeLessThan(answeredAt(slow[0]));
});

test.each([
	['10 by default', {}, 10],
	['1', { concurrency: 1 }, 1],
	['3', { concurrency: 3 }, 3],
	['25', { concurrency: 25 }, 25],
	['3 from an expression', { concurrency: '={{ "3" }}' }, 3],
])('limits the messages in flight: %s', async (_what, options, most) => {
	gateway.faults([{ latencyMs: 100 }]);
	const count = most + 1;
	await run(sending(gateway, { items: messages(count), options }));
	expect(gateway.state().delivered).toHaveLength(count);
	expect(maxInFlight(gateway.requests())).toBe(most);
});

test('sends two messages each to twenty chats in the time of two responses, not forty', async () => {
	gateway.faults([{ latencyMs: 200 }]);
	const items = messages(40, (index) => index % 20);
	await run(sending(gateway, { items, options: { concurrency: 20 } }));
	const [first] = gateway.requests();
	const ends = gateway.requests().map((request) => answeredAt(request) - receivedAt(first));
	expect(ends).toEqual([...Array<number>(20).fill(200), ...Array<number>(20).fill(400)]);
});

test('outputs items in input order and paired, whatever the order of the responses', async () => {
	gateway.faults([
		{ chatId: chat(0), latencyMs: 150 },
		{ chatId: chat(3), latencyMs: 80 },
	]);
	const items = messages(10);
	const outcome = await run(sending(gateway, { items }));
	expect(textsDelivered(gateway)).not.toEqual([]);
	expect(pairs(outcome)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
	expect(outcome.items.map(({ json }) => json.chatId)).toEqual(items.map(({ json }) => json.to));
});

test('lets other work run while it builds thousands of output items', async () => {
	const { outputItems } = output;
	let blockedMs = 0;
	let longestMs = 0;
	const built = jest.spyOn(output, 'outputItems').mockImplementation((...args) => {
		jest.advanceTimersByTime(1);
		longestMs = Math.max(longestMs, ++blockedMs);
		return outputItems(...args);
	});
	let isDone = false;
	const otherWork = (async () => {
		for (; !isDone; await turn()) blockedMs = 0;
	})();
	const settings = { onError: 'continueRegularOutput' } as const;
	const items = messages(2_000);
	const outcome = await run(sending(gateway, { items, fields: { chatId: 'nobody' }, settings }));
	isDone = true;
	await otherWork;
	built.mockRestore();
	expect(outcome.items).toHaveLength(2_000);
	expect(longestMs).toBeGreaterThan(1);
	expect(longestMs).toBeLessThanOrEqual(51);
});

test('a list in a response is a field of one item, paired with its message', async () => {
	gateway.answerWith({ contentType: 'application/json', text: '[{"part":1},{"part":2}]' });
	const outcome = await run(sending(gateway, { items: messages(2) }));
	expect(pairs(outcome)).toEqual([0, 1]);
	const json = { data: [{ part: 1 }, { part: 2 }], outcome: 'sent' };
	expect(outcome.items.map((item) => item.json)).toEqual([json, json]);
});

describe.each([
	['in a workflow', false],
	['as a tool', true],
])('%s each item has its outcome', (_name, asTool) => {
	test('sent', async () => {
		const { items } = await run(sending(gateway, { asTool }));
		expect(items[0]?.json).toMatchObject({ outcome: 'sent', status: 'sent', success: true });
	});

	test('deferred', async () => {
		gateway.setStatus('DISCONNECTED');
		const { items } = await run(
			sending(gateway, { asTool, options: deliveryWindow(1, 'minutes') }),
		);
		expect(items[0]?.json).toMatchObject({
			outcome: 'deferred',
			deliveryKey: gateway.state().deferred[0]?.deliveryKey,
		});
	});

	test('duplicate', async () => {
		const options = { idempotencyKey: 'order-1' };
		const first = await run(sending(gateway, { asTool, options }));
		const second = await run(sending(gateway, { asTool, options }));
		expect(second.items[0]?.json).toEqual({
			...first.items[0]?.json,
			duplicate: true,
			outcome: 'duplicate',
		});
		expect(gateway.state().delivered).toHaveLength(1);
	});

	test('duplicate, if the gateway rejects a known key', async () => {
		gateway.faults([{ status: 409, code: 'already_exists' }]);
		const { items, error } = await run(
			sending(gateway, { asTool, options: { idempotencyKey: 'order-1' } }),
		);
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ outcome: 'duplicate' });
	});

	test('an error, if the gateway reports a duplicate of a message without a key', async () => {
		gateway.faults([{ status: 409, code: 'already_exists' }]);
		const { error } = await run(sending(gateway, { asTool }));
		expect(error?.message).toContain('already_exists');
	});
});
