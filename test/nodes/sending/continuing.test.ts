import type { INode } from 'n8n-workflow';

import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { BOTH_WAYS, chat, messages, pairs, sending, textsDelivered } from '../../harness/messages';

const gateway = useNewGateways();

/** n8n would run the node again for all items if it treated a failed item as a failed run. */
const retryOnFail: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const CONTINUE = { ...retryOnFail, onError: 'continueRegularOutput' } as const;
const ERROR_OUTPUT = { ...retryOnFail, onError: 'continueErrorOutput' } as const;

const REFUSED = 'The gateway did not accept a value in the request (422, validation_error)';
const ERRORS = [
	[0, `${REFUSED} [item 0]`],
	[2, "'Chat ID' cannot be 'nobody' [item 2]"],
	[
		5,
		'The connection closed before a complete response arrived; unknown: it may have been sent [item 5]',
	],
	[9, `${REFUSED} [item 9]`],
];

describe.each(BOTH_WAYS)('%s', (_name, asTool) => {
	/** The first, the third (invalid), the sixth (unknown) and the last item fail. */
	async function mixed(settings: Partial<INode>) {
		gateway.faults([
			{ chatId: chat(0), status: 422 },
			{ chatId: chat(5), cut: 'after' },
			{ chatId: chat(9), status: 422 },
		]);
		const items = messages(10);
		items[2]!.json.to = 'nobody';
		const outcome = await run(sending(gateway, { asTool, items, settings }));
		expect(outcome.error).toBeUndefined();
		expect(gateway.requests()).toHaveLength(9);
		return outcome;
	}

	test('with Continue, sends the other items and returns each failed one in its place', async () => {
		const outcome = await mixed(CONTINUE);
		expect(pairs(outcome)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
		const failed = outcome.items.map(({ json }, index) => [index, json.error]);
		expect(failed.filter(([, error]) => error !== undefined)).toEqual(ERRORS);
	});

	test('with the Error Output, routes only the failed items there', async () => {
		const { items, errorItems } = await mixed(ERROR_OUTPUT);
		expect(pairs({ items })).toEqual([1, 3, 4, 6, 7, 8]);
		expect(items.every(({ json }) => json.outcome === 'sent')).toBe(true);
		expect(pairs({ items: errorItems })).toEqual([0, 2, 5, 9]);
		expect(errorItems.map(({ json }) => json)).toEqual(ERRORS.map(([, error]) => ({ error })));
	});
});

test('with Continue, sends the other messages of a chat after a failed one', async () => {
	gateway.faults([{ status: 422, times: 1 }]);
	const items = messages(4, () => 1);
	const outcome = await run(sending(gateway, { items, settings: CONTINUE }));
	const failed = outcome.items.map(({ json }) => json.error !== undefined);
	expect(failed).toEqual([true, false, false, false]);
	expect(textsDelivered(gateway)).toEqual(['Message 1', 'Message 2', 'Message 3']);
});

test('with Continue, an option that fails for an item rejects only that item', async () => {
	const additionalFields = '={{ $itemIndex === 0 ? $("Nowhere").item.json : {} }}';
	const { items } = await run(
		sending(gateway, { items: messages(2), options: { additionalFields }, settings: CONTINUE }),
	);
	expect(items.map(({ json }) => json.error !== undefined)).toEqual([true, false]);
});

test('with Continue, reports an invalid setting once for each item', async () => {
	const options = { concurrency: 0 };
	const { items } = await run(
		sending(gateway, { items: messages(2), options, settings: CONTINUE }),
	);
	expect(items.map(({ json }) => json.error)).toEqual(
		[0, 1].map((index) => `'Concurrency' is not a whole number from 1 to 100 [item ${index}]`),
	);
	expect(gateway.requests()).toEqual([]);
});
