import type { Fault } from '../../../dev/sandbox/sandbox';
import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import { BOTH_WAYS, chat, messages, pairs, sending, textsDelivered } from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways();

const REFUSED = 'The gateway did not accept a value in the request (422, validation_error)';
const UNKNOWN =
	'The connection closed before a complete response arrived; unknown: it may have been sent';

describe('with Stop', () => {
	test.each<[string, Fault[], [count: number, concurrency: number], string, string[]]>([
		[
			'names the first of several failures, and counts all of them',
			[
				{ chatId: chat(2), status: 422 },
				{ chatId: chat(0), status: 413, latencyMs: 200 },
				{ latencyMs: 200 },
			],
			[9, 3],
			`${REFUSED}; 1 of 9 sent, 2 failed, 6 not attempted [item 2]`,
			['Failed: items 0, 2.'],
		],
		[
			'lists the unknown items and the sent items',
			[
				{ chatId: chat(1), cut: 'after', latencyMs: 60 },
				{ chatId: chat(2), cut: 'after', latencyMs: 200 },
				{ latencyMs: 200 },
			],
			[6, 4],
			`${UNKNOWN}; 2 of 6 sent, 2 failed, 2 not attempted [item 1]`,
			['Sent: items 0, 3.', 'Unknown: items 1 to 2.'],
		],
	])('%s', async (_what, faults, [count, concurrency], message, description) => {
		gateway.faults(faults);
		const { error, items } = await run(
			sending(gateway, { items: messages(count), options: { concurrency } }),
		);
		expect(error?.message).toBe(message);
		for (const text of description) expect(error?.description).toContain(text);
		expect(items).toEqual([]);
		expect(gateway.requests()).toHaveLength(concurrency);
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
});

/** What a model reads after the message. */
const ADVICE: Record<string, string> = {
	[REFUSED]: ". Check the fields of this node, or with Send Custom JSON the text in 'Body'",
	[UNKNOWN]: '. Check whether it arrived before you send it again',
};

// n8n would run the node again for all items if it treated a failed item as a failed run.
test.each(
	BOTH_WAYS.flatMap(([name, asTool]) =>
		(['continueRegularOutput', 'continueErrorOutput'] as const).map(
			(onError) => [name, onError, asTool] as const,
		),
	),
)(
	'%s, with Retry On Fail and %s, sends the other items once, and each failed one is in its place',
	async (_name, onError, asTool) => {
		gateway.faults([
			{ chatId: chat(0), status: 422 },
			{ chatId: chat(5), cut: 'after' },
			{ chatId: chat(9), status: 422 },
		]);
		const items = messages(10);
		items[2]!.json.to = 'nobody';
		const settings = { onError, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const outcome = await run(sending(gateway, { asTool, items, settings }));
		expect(outcome.error).toBeUndefined();
		expect(gateway.requests()).toHaveLength(9);
		const hasFailed = [0, 2, 5, 9];
		const [sent, failed] =
			onError === 'continueErrorOutput'
				? [outcome.items, outcome.errorItems]
				: [false, true].map((is) =>
						outcome.items.filter(({ json }) => (json.error !== undefined) === is),
					);
		expect(pairs({ items: sent! })).toEqual([1, 3, 4, 6, 7, 8]);
		expect(sent!.every(({ json }) => json.outcome === 'sent')).toBe(true);
		expect(pairs({ items: failed! })).toEqual(hasFailed);
		// n8n outputs only the message.
		const errors = [REFUSED, "'Chat ID' cannot be 'nobody'", UNKNOWN, REFUSED];
		expect(failed!.map(({ json }) => json)).toEqual(
			errors.map((error, index) => ({
				error: `${error}${(asTool && ADVICE[error]) || ''} [item ${hasFailed[index]}]`,
			})),
		);
		const details = { cause: 'validation_error', retry: 'never' };
		expect(failed![0]!.error!.context.details).toEqual(details);
	},
);

test('with Continue, an option that fails for an item rejects only that item', async () => {
	const additionalFields = '={{ $itemIndex === 0 ? $("Nowhere").item.json : {} }}';
	const settings = { onError: 'continueRegularOutput' } as const;
	const { items } = await run(
		sending(gateway, { items: messages(2), options: { additionalFields }, settings }),
	);
	expect(items.map(({ json }) => json.error !== undefined)).toEqual([true, false]);
});
