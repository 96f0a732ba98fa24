import type { RecordedRequest } from '../../../sandbox/sandbox';
import { run } from '../../engine';
import { useNewGateways } from '../../sandboxAccount';
import {
	answeredAt,
	bodyOf,
	chat,
	messages,
	pairs,
	receivedAt,
	sending,
	textsDelivered,
	textsOf,
	timed,
} from './messages';

const gateway = useNewGateways();

/** How many requests were on their way at once, at the most. */
function mostAtOnce(requests: RecordedRequest[]): number {
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

test('messages to one chat go out in item order, each after the answer to the one before', async () => {
	// The first ones take longest: without order the last ones would be first.
	gateway.faults([
		{ latencyMs: 120, times: 1 },
		{ latencyMs: 60, times: 1 },
		{ latencyMs: 30, times: 1 },
	]);
	const items = messages(8, () => 1);
	await run(sending(gateway, { items, options: { concurrency: 100 } }));
	expect(textsDelivered(gateway)).toEqual(textsOf(items));
	const requests = gateway.requests();
	requests.slice(1).forEach((request, index) => {
		expect(receivedAt(request)).toBeGreaterThanOrEqual(answeredAt(requests[index]));
	});
});

test('a chat keeps its order while one of its messages is tried again', async () => {
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

test('one chat is one chat, however its number is written', async () => {
	gateway.faults([{ latencyMs: 60, times: 1 }]);
	const spellings = [
		'4915112345678',
		'+49 (151) 1234-5678',
		'004915112345678',
		'4915112345678@c.us',
		'4915112345678@C.US',
		4915112345678,
	];
	const items = spellings.map((to, index) => ({ json: { to, text: `Message ${index}` } }));
	await run(sending(gateway, { items }));
	expect(textsDelivered(gateway)).toEqual(textsOf(items));
	expect(mostAtOnce(gateway.requests())).toBe(1);
});

test('different chats go side by side: a slow one holds up no other', async () => {
	gateway.faults([{ chatId: chat(0), latencyMs: 600 }]);
	const items = messages(10, (index) => index % 5);
	await run(sending(gateway, { items }));
	const slow = requestsTo(chat(0));
	expect(slow).toHaveLength(2);
	const others = gateway.requests().filter((request) => bodyOf(request).chatId !== chat(0));
	expect(Math.max(...others.map(answeredAt))).toBeLessThan(answeredAt(slow[0]));
});

test.each([
	['10 unless said otherwise', {}, 10],
	['1', { concurrency: 1 }, 1],
	['3', { concurrency: 3 }, 3],
	['25', { concurrency: 25 }, 25],
	['3, as an expression gives it', { concurrency: '={{ "3" }}' }, 3],
])('so many are on their way at once: %s', async (_what, options, most) => {
	// Long enough for all of them to set out, on a busy machine too.
	gateway.faults([{ latencyMs: 800 }]);
	const count = most + 1;
	await run(sending(gateway, { items: messages(count), options }));
	expect(gateway.state().delivered).toHaveLength(count);
	expect(mostAtOnce(gateway.requests())).toBe(most);
});

test('twenty chats of two messages take two answers of time, not forty', async () => {
	gateway.faults([{ latencyMs: 200 }]);
	const items = messages(40, (index) => index % 20);
	const { ms } = await timed(run(sending(gateway, { items, options: { concurrency: 20 } })));
	expect(ms).toBeGreaterThanOrEqual(400);
	expect(ms).toBeLessThan(1600);
});

test('output items keep item order and their pairs, whoever was answered first', async () => {
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

test('an answer that is a list gives several items, each paired with the one message', async () => {
	gateway.answerWith({ contentType: 'application/json', text: '[{"part":1},{"part":2}]' });
	const outcome = await run(sending(gateway, { items: messages(2) }));
	expect(pairs(outcome)).toEqual([0, 0, 1, 1]);
	expect(outcome.items.map(({ json }) => json)).toEqual([
		{ part: 1, outcome: 'sent' },
		{ part: 2, outcome: 'sent' },
		{ part: 1, outcome: 'sent' },
		{ part: 2, outcome: 'sent' },
	]);
});

describe.each([
	['in a workflow', false],
	['as a tool', true],
])('%s each item tells its outcome', (_name, asTool) => {
	test('sent', async () => {
		const { items } = await run(sending(gateway, { asTool }));
		expect(items[0]?.json).toMatchObject({ outcome: 'sent', status: 'sent', success: true });
	});

	test('deferred', async () => {
		gateway.setStatus('DISCONNECTED');
		const { items } = await run(sending(gateway, { asTool, options: { windowMs: 60_000 } }));
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

	test('duplicate, where the gateway says so by refusing a key that it knows', async () => {
		gateway.faults([{ status: 409, code: 'already_exists' }]);
		const { items, error } = await run(
			sending(gateway, { asTool, options: { idempotencyKey: 'order-1' } }),
		);
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ outcome: 'duplicate' });
	});

	test('a refusal of what exists is one, where the message has no key', async () => {
		gateway.faults([{ status: 409, code: 'already_exists' }]);
		const { error } = await run(sending(gateway, { asTool }));
		expect(error?.message).toContain('already_exists');
	});
});
