import { run } from '../../engine';
import { useNewGateways } from '../../sandboxAccount';
import { chat, messages, sending, textsDelivered } from './messages';

const gateway = useNewGateways();

const UNKNOWN = 'unknown: it may have been sent';

test('the first one that goes wrong keeps new ones back, and the message counts them all', async () => {
	gateway.faults([{ chatId: chat(4), status: 422 }]);
	const { error, items } = await run(
		sending(gateway, { items: messages(10), options: { concurrency: 1 } }),
	);
	expect(error?.message).toBe(
		'The gateway did not accept a value in the request (422, validation_error); 4 of 10 went out, 5 not tried [item 4]',
	);
	expect(error?.context?.itemIndex).toBe(4);
	expect(error?.description).toContain('Went out: items 0 to 3.');
	expect(items).toEqual([]);
	expect(gateway.requests()).toHaveLength(5);
});

test('those in flight finish', async () => {
	gateway.faults([{ chatId: chat(0), status: 422, latencyMs: 50 }, { latencyMs: 300 }]);
	const { error } = await run(
		sending(gateway, { items: messages(20), options: { concurrency: 5 } }),
	);
	expect(error?.message).toContain('; 4 of 20 went out, 15 not tried [item 0]');
	expect(error?.description).toContain('Went out: items 1 to 4.');
	expect(gateway.requests().map(({ outcome }) => outcome)).toEqual(
		Array<string>(5).fill('answered'),
	);
	expect(textsDelivered(gateway)).toHaveLength(4);
});

test('one in flight that has to be tried again is brought to its end', async () => {
	gateway.faults([
		{ chatId: chat(0), status: 422, latencyMs: 50 },
		{ chatId: chat(1), status: 503, retryAfter: '0.2', times: 1 },
	]);
	const { error } = await run(
		sending(gateway, { items: messages(6), options: { concurrency: 2 } }),
	);
	expect(error?.message).toContain('; 1 of 6 went out, 4 not tried [item 0]');
	expect(textsDelivered(gateway)).toEqual(['Message 1']);
});

test('those that wait behind in the same chat are not begun', async () => {
	gateway.faults([{ chatId: chat(0), status: 422 }]);
	const { error } = await run(sending(gateway, { items: messages(5, () => 0) }));
	expect(error?.message).toContain('; 0 of 5 went out, 4 not tried [item 0]');
	expect(gateway.requests()).toHaveLength(1);
});

test('several may go wrong: the first one to do so is named, and all are counted', async () => {
	gateway.faults([
		{ chatId: chat(2), status: 422 },
		{ chatId: chat(0), status: 413, latencyMs: 200 },
		{ latencyMs: 200 },
	]);
	const { error } = await run(
		sending(gateway, { items: messages(9), options: { concurrency: 3 } }),
	);
	expect(error?.message).toBe(
		'The gateway did not accept a value in the request (422, validation_error); 1 of 9 went out, 2 went wrong, 6 not tried [item 2]',
	);
});

test('a message whose tries are used up stops the others, one that recovers does not', async () => {
	gateway.faults([
		{ chatId: chat(0), status: 503, retryAfter: 0, times: 2 },
		{ chatId: chat(1), status: 503, retryAfter: 0 },
	]);
	const { error } = await run(
		sending(gateway, { items: messages(4), options: { concurrency: 1 } }),
	);
	expect(error?.message).toContain('; 1 of 4 went out, 2 not tried [item 1]');
	expect(error?.description).toContain('It was tried 3 times.');
});

test('which ones are unknown is said, beside those that went out', async () => {
	gateway.faults([
		{ chatId: chat(1), cut: 'after', latencyMs: 60 },
		{ chatId: chat(2), cut: 'after', latencyMs: 200 },
		{ latencyMs: 200 },
	]);
	const { error } = await run(
		sending(gateway, { items: messages(6), options: { concurrency: 4 } }),
	);
	expect(error?.message).toContain(
		`; ${UNKNOWN}; 2 of 6 went out, 2 went wrong, 2 not tried [item 1]`,
	);
	expect(error?.description).toContain('Went out: items 0, 3.');
	expect(error?.description).toContain('Unknown: items 1 to 2.');
});

test('what cannot be sent at all stops at its turn: those before it go out', async () => {
	const items = messages(8, () => 0);
	items[5]!.json.to = 'nobody';
	const { error } = await run(sending(gateway, { items }));
	expect(error?.message).toBe(
		"'Chat ID' cannot be 'nobody'; 5 of 8 went out, 2 not tried [item 5]",
	);
	expect(textsDelivered(gateway)).toHaveLength(5);
});

test('deferred ones and duplicates count as gone out', async () => {
	gateway.setStatus('DISCONNECTED');
	gateway.faults([{ chatId: chat(2), status: 422 }]);
	const { error } = await run(
		sending(gateway, {
			items: messages(4),
			options: { concurrency: 1, windowMs: 60_000, idempotencyKey: '={{ $json.text.length }}' },
		}),
	);
	expect(error?.message).toContain('; 2 of 4 went out, 1 not tried [item 2]');
});

test('a single message is not counted', async () => {
	gateway.faults([{ status: 422 }]);
	const { error } = await run(sending(gateway));
	expect(error?.message).toBe(
		'The gateway did not accept a value in the request (422, validation_error) [item 0]',
	);
});
