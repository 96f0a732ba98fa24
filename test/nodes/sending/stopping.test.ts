import type { Fault } from '../../../sandbox/sandbox';
import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import { chat, messages, sending, textsDelivered } from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways();

const REFUSED = 'The gateway did not accept a value in the request (422, validation_error)';
const UNKNOWN =
	'The connection closed before a complete response arrived; unknown: it may have been sent';

interface Case {
	faults: Fault[];
	count: number;
	concurrency: number;
	message: string;
	description?: string[];
	requests?: number;
}

test.each<[string, Case]>([
	[
		'finishes messages in flight',
		{
			faults: [{ chatId: chat(0), status: 422, latencyMs: 50 }, { latencyMs: 300 }],
			...{ count: 20, concurrency: 5, requests: 5 },
			message: `${REFUSED}; 4 of 20 sent, 15 not attempted [item 0]`,
			description: ['Sent: items 1 to 4.'],
		},
	],
	[
		'names the first of several failures, and counts all of them',
		{
			faults: [
				{ chatId: chat(2), status: 422 },
				{ chatId: chat(0), status: 413, latencyMs: 200 },
				{ latencyMs: 200 },
			],
			...{ count: 9, concurrency: 3 },
			message: `${REFUSED}; 1 of 9 sent, 2 failed, 6 not attempted [item 2]`,
			description: ['Failed: items 0, 2.'],
		},
	],
	[
		'lists the unknown items and the sent items',
		{
			faults: [
				{ chatId: chat(1), cut: 'after', latencyMs: 60 },
				{ chatId: chat(2), cut: 'after', latencyMs: 200 },
				{ latencyMs: 200 },
			],
			...{ count: 6, concurrency: 4 },
			message: `${UNKNOWN}; 2 of 6 sent, 2 failed, 2 not attempted [item 1]`,
			description: ['Sent: items 0, 3.', 'Unknown: items 1 to 2.'],
		},
	],
])('%s', async (_what, { faults, count, concurrency, message, description = [], requests }) => {
	gateway.faults(faults);
	const { error, items } = await run(
		sending(gateway, { items: messages(count), options: { concurrency } }),
	);
	expect(error?.message).toBe(message);
	for (const text of description) expect(error?.description).toContain(text);
	expect(items).toEqual([]);
	if (requests) expect(gateway.requests()).toHaveLength(requests);
	expect(gateway.requests().every(({ outcome }) => outcome !== 'left')).toBe(true);
});

test('sends the messages before an invalid one', async () => {
	const items = messages(8, () => 0);
	items[5]!.json.to = 'nobody';
	const { error } = await run(sending(gateway, { items }));
	expect(error?.message).toBe(
		"'Chat ID' cannot be 'nobody'; 5 of 8 sent, 2 not attempted [item 5]",
	);
	expect(error?.context?.itemIndex).toBe(5);
	expect(textsDelivered(gateway)).toHaveLength(5);
});
