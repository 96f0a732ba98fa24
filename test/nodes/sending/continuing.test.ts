import type { INode } from 'n8n-workflow';

import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { chat, messages, pairs, type Sending, sending } from '../../harness/messages';

const gateway = useNewGateways();

/** n8n would run the node again for all items if it treated a failed item as a failed run. */
const retryOnFail: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

const REFUSED = 'The gateway did not accept a value in the request (422, validation_error)';
const UNKNOWN =
	'The connection closed before a complete response arrived; unknown: it may have been sent';

/** The first, the third (invalid), the sixth (unknown) and the last item fail. */
async function mixed(onError: INode['onError'], rest: Sending = {}) {
	gateway.faults([
		{ chatId: chat(0), status: 422 },
		{ chatId: chat(5), cut: 'after' },
		{ chatId: chat(9), status: 422 },
	]);
	const items = messages(10);
	items[2]!.json.to = 'nobody';
	return await run(sending(gateway, { items, settings: { ...retryOnFail, onError }, ...rest }));
}

describe.each([
	['in a workflow', false],
	['as a tool', true],
])('%s', (_name, asTool) => {
	test('with Continue, sends the other items and returns each failed one in its place', async () => {
		const outcome = await mixed('continueRegularOutput', { asTool });
		expect(outcome.error).toBeUndefined();
		expect(pairs(outcome)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
		const errors = outcome.items.map(({ json }) => json.error);
		expect(errors).toEqual([
			`${REFUSED} [item 0]`,
			undefined,
			"'Chat ID' cannot be 'nobody' [item 2]",
			undefined,
			undefined,
			`${UNKNOWN} [item 5]`,
			undefined,
			undefined,
			undefined,
			`${REFUSED} [item 9]`,
		]);
		expect(gateway.requests()).toHaveLength(9);
	});

	test('with the Error Output, routes only the failed items there', async () => {
		const { items, errorItems, error } = await mixed('continueErrorOutput', { asTool });
		expect(error).toBeUndefined();
		expect(pairs({ items })).toEqual([1, 3, 4, 6, 7, 8]);
		expect(items.every(({ json }) => json.outcome === 'sent')).toBe(true);
		expect(pairs({ items: errorItems })).toEqual([0, 2, 5, 9]);
		expect(errorItems.map(({ json }) => json)).toEqual([
			{ error: `${REFUSED} [item 0]` },
			{ error: "'Chat ID' cannot be 'nobody' [item 2]" },
			{ error: `${UNKNOWN} [item 5]` },
			{ error: `${REFUSED} [item 9]` },
		]);
		expect(gateway.requests()).toHaveLength(9);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'with %s, does not run again if all items fail',
		async (onError) => {
			gateway.faults([{ status: 422 }]);
			const { items, errorItems, error } = await run(
				sending(gateway, { asTool, items: messages(4), settings: { ...retryOnFail, onError } }),
			);
			expect(error).toBeUndefined();
			expect([...items, ...errorItems]).toHaveLength(4);
			expect(gateway.requests()).toHaveLength(4);
		},
	);
});

test('with Continue, sends the other messages of a chat after a failed one', async () => {
	gateway.faults([{ status: 422, times: 1 }]);
	const outcome = await run(
		sending(gateway, {
			items: messages(4, () => 1),
			settings: { onError: 'continueRegularOutput' },
		}),
	);
	expect(outcome.items.map(({ json }) => json.error !== undefined)).toEqual([
		true,
		false,
		false,
		false,
	]);
	expect(gateway.state().delivered.map(({ text }) => text)).toEqual([
		'Message 1',
		'Message 2',
		'Message 3',
	]);
});

describe('with Continue, options that fail for one item reject only that item', () => {
	async function failedItems(wrong: number) {
		const { items } = await run(
			sending(gateway, {
				items: messages(3),
				options: {
					additionalFields: `={{ $itemIndex === ${wrong} ? $("Nowhere").item.json : {} }}`,
				},
				settings: { onError: 'continueRegularOutput' },
			}),
		);
		return items.map(({ json }) => json.error !== undefined);
	}

	test('the second item', async () => {
		expect(await failedItems(1)).toEqual([false, true, false]);
	});

	test('the first item', async () => {
		expect(await failedItems(0)).toEqual([true, false, false]);
	});
});

test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'with %s, reports an invalid setting once for each item',
	async (onError) => {
		const { items, errorItems } = await run(
			sending(gateway, {
				items: messages(3),
				options: { concurrency: 0 },
				settings: { ...retryOnFail, onError },
			}),
		);
		const wrong = onError === 'continueErrorOutput' ? errorItems : items;
		expect(wrong.map(({ json }) => json.error)).toEqual([
			"'Concurrency' is not a whole number from 1 to 100 [item 0]",
			"'Concurrency' is not a whole number from 1 to 100 [item 1]",
			"'Concurrency' is not a whole number from 1 to 100 [item 2]",
		]);
		expect(gateway.requests()).toEqual([]);
	},
);
