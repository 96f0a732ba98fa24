import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import { chat, deliveryWindow, messages, sending, textsDelivered } from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways();

const UNKNOWN = 'unknown: it may have been sent';

test('starts no message after the first failure, and counts all results in the error message', async () => {
	gateway.faults([{ chatId: chat(4), status: 422 }]);
	const { error, items } = await run(
		sending(gateway, { items: messages(10), options: { concurrency: 1 } }),
	);
	expect(error?.message).toBe(
		'The gateway did not accept a value in the request (422, validation_error); 4 of 10 sent, 5 not attempted [item 4]',
	);
	expect(error?.context?.itemIndex).toBe(4);
	expect(error?.description).toContain('Sent: items 0 to 3.');
	expect(items).toEqual([]);
	expect(gateway.requests()).toHaveLength(5);
});

test('finishes messages in flight', async () => {
	gateway.faults([{ chatId: chat(0), status: 422, latencyMs: 50 }, { latencyMs: 300 }]);
	const { error } = await run(
		sending(gateway, { items: messages(20), options: { concurrency: 5 } }),
	);
	expect(error?.message).toContain('; 4 of 20 sent, 15 not attempted [item 0]');
	expect(error?.description).toContain('Sent: items 1 to 4.');
	expect(gateway.requests().map(({ outcome }) => outcome)).toEqual(
		Array<string>(5).fill('answered'),
	);
	expect(textsDelivered(gateway)).toHaveLength(4);
});

test('finishes the retries of a message in flight', async () => {
	gateway.faults([
		{ chatId: chat(0), status: 422, latencyMs: 50 },
		{ chatId: chat(1), status: 503, retryAfter: '0.2', times: 1 },
	]);
	const { error } = await run(
		sending(gateway, { items: messages(6), options: { concurrency: 2 } }),
	);
	expect(error?.message).toContain('; 1 of 6 sent, 4 not attempted [item 0]');
	expect(textsDelivered(gateway)).toEqual(['Message 1']);
});

test('does not start the queued messages of the same chat', async () => {
	gateway.faults([{ chatId: chat(0), status: 422 }]);
	const { error } = await run(sending(gateway, { items: messages(5, () => 0) }));
	expect(error?.message).toContain('; 0 of 5 sent, 4 not attempted [item 0]');
	expect(gateway.requests()).toHaveLength(1);
});

test('names the first of several failures, and counts all of them', async () => {
	gateway.faults([
		{ chatId: chat(2), status: 422 },
		{ chatId: chat(0), status: 413, latencyMs: 200 },
		{ latencyMs: 200 },
	]);
	const { error } = await run(
		sending(gateway, { items: messages(9), options: { concurrency: 3 } }),
	);
	expect(error?.message).toBe(
		'The gateway did not accept a value in the request (422, validation_error); 1 of 9 sent, 2 failed, 6 not attempted [item 2]',
	);
});

test('stops after a message without attempts left, but not after one that recovers', async () => {
	gateway.faults([
		{ chatId: chat(0), status: 503, retryAfter: 0, times: 2 },
		{ chatId: chat(1), status: 503, retryAfter: 0 },
	]);
	const { error } = await run(
		sending(gateway, { items: messages(4), options: { concurrency: 1 } }),
	);
	expect(error?.message).toContain('; 1 of 4 sent, 2 not attempted [item 1]');
	expect(error?.description).toContain('The node made 3 attempts.');
});

test('lists the unknown items and the sent items', async () => {
	gateway.faults([
		{ chatId: chat(1), cut: 'after', latencyMs: 60 },
		{ chatId: chat(2), cut: 'after', latencyMs: 200 },
		{ latencyMs: 200 },
	]);
	const { error } = await run(
		sending(gateway, { items: messages(6), options: { concurrency: 4 } }),
	);
	expect(error?.message).toContain(`; ${UNKNOWN}; 2 of 6 sent, 2 failed, 2 not attempted [item 1]`);
	expect(error?.description).toContain('Sent: items 0, 3.');
	expect(error?.description).toContain('Unknown: items 1 to 2.');
});

test('sends the messages before an invalid one', async () => {
	const items = messages(8, () => 0);
	items[5]!.json.to = 'nobody';
	const { error } = await run(sending(gateway, { items }));
	expect(error?.message).toBe(
		"'Chat ID' cannot be 'nobody'; 5 of 8 sent, 2 not attempted [item 5]",
	);
	expect(textsDelivered(gateway)).toHaveLength(5);
});

test('counts deferred messages and duplicates as sent', async () => {
	const [first, , ...others] = messages(4, () => 0);
	gateway.setStatus('DISCONNECTED');
	gateway.faults([{ perMinute: 0.001, burst: 2, status: 422 }]);
	const { error } = await run(
		sending(gateway, {
			items: [first!, first!, ...others],
			options: {
				concurrency: 1,
				idempotencyKey: '={{ $json.text }}',
				...deliveryWindow(1, 'minutes'),
			},
		}),
	);
	expect(error?.message).toContain('; 2 of 4 sent, 1 not attempted [item 2]');
});

test('adds no counts for a single message', async () => {
	gateway.faults([{ status: 422 }]);
	const { error } = await run(sending(gateway));
	expect(error?.message).toBe(
		'The gateway did not accept a value in the request (422, validation_error) [item 0]',
	);
});
