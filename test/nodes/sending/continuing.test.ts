import type { INode } from 'n8n-workflow';

import { run } from '../../engine';
import { useNewGateways } from '../../sandboxAccount';
import { chat, messages, pairs, type Sending, sending } from './messages';

const gateway = useNewGateways();

/** n8n would run the node again for all items if it took one of these for a failed run. */
const retryOnFail: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

const REFUSED = 'The gateway did not accept a value in the request (422, validation_error)';
const UNKNOWN =
	"The connection was cut, or the gateway's answer could not be read; unknown: it may have been sent";

/** Wrong are the first, the third (it cannot be sent), the sixth (unknown) and the last. */
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
	test('with Continue, every other item goes on, and each wrong one stands in its place', async () => {
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

	test('with the Error Output, wrong ones leave by it, and no other', async () => {
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
		'with %s, a run in which all go wrong is not run again',
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

test('with Continue, messages to the same chat go on after one that went wrong', async () => {
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

describe('with Continue, options that one item cannot give are refused for that item alone', () => {
	async function wrongOnes(wrong: number) {
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

	test('the second one', async () => {
		expect(await wrongOnes(1)).toEqual([false, true, false]);
	});

	test('the first one', async () => {
		expect(await wrongOnes(0)).toEqual([true, false, false]);
	});
});

test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'with %s, a setting that is wrong for all is said of each, once',
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
