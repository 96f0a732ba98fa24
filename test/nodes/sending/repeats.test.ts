import { run, type RunOptions, start } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import {
	BOTH_WAYS,
	chat,
	messages,
	type Sending,
	sending,
	textsDelivered,
	textsOf,
	until,
} from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways();

const automatic = { idempotencyKey: 'automatic', maxWait: 0.02 };
const AT = 1_767_225_600_000;
const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

const items = messages(8, (index) => index % 4);
/** A text that was delivered twice would be in the list twice. */
const expectEachOnce = () =>
	expect([...textsDelivered(gateway)].sort()).toEqual([...textsOf(items)].sort());

describe.each(BOTH_WAYS)('%s each message is delivered once', (_name, asTool) => {
	const job = (rest: Partial<RunOptions> = {}, options: Record<string, unknown> = automatic) =>
		sending(gateway, { asTool, items, establishedAt: AT, options, ...rest });

	test('when a cancelled execution is run again', async () => {
		gateway.faults([{ latencyMs: 30 }]);
		const cancelled = start(job({ executionId: '1' }));
		await until('some messages are sent', () => gateway.state().delivered.length >= 3);
		cancelled.cancel();
		await cancelled.outcome;
		gateway.clearFaults();
		const again = await run(job({ executionId: '2' }));
		expect(again.error).toBeUndefined();
		expect(again.items.map(({ json }) => json.outcome)).toContain('duplicate');
		expectEachOnce();
	});

	test('when the node, Retry On Fail and the user retry', async () => {
		gateway.faults([
			{ chatId: chat(0), cut: 'after', times: 3 },
			{ chatId: chat(1), status: 422, times: 1 },
			{ chatId: chat(2), status: 500, after: true, times: 5 },
			{ chatId: chat(3), status: 503, retryAfter: 0, times: 4 },
		]);
		for (const executionId of ['1', '2', '3']) {
			await run(job({ settings, executionId }, { ...automatic, maxTries: 2 }));
		}
		expectEachOnce();
	});
});

describe('the hint about Retry On Fail', () => {
	const WITHOUT_KEY = expect.stringMatching(/^Retry On Fail is on.*without an idempotency key/);
	const body = (fields: object) => ({
		operation: 'sendJson',
		body: JSON.stringify({ chatId: chat(1), type: 'text', text: 'x', ...fields }),
	});
	const question = { fields: { operation: 'sendAndWait', message: 'May we?' } };
	const [first, second] = messages(2);
	const twoWithKeys = (key: string) => ({
		items: [{ json: { ...first!.json, key: 'order-1' } }, { json: { ...second!.json, key } }],
		options: { idempotencyKey: '={{ $json.key }}' },
	});

	test.each<[string, Sending, unknown[]]>([
		['Send', {}, [WITHOUT_KEY]],
		['Send Custom JSON', { fields: body({}) }, [WITHOUT_KEY]],
		['Send and Wait for Response', question, [WITHOUT_KEY]],
		['one message without a key', twoWithKeys('off'), [WITHOUT_KEY]],
		['an own key for each message', twoWithKeys('order-2'), []],
		['an automatic key', { options: { idempotencyKey: 'automatic' } }, []],
		['a key in the JSON', { fields: body({ idempotencyKey: 'order-1' }) }, []],
		['Retry On Fail off', { settings: {} }, []],
		['Continue', { settings: { ...settings, onError: 'continueErrorOutput' } }, []],
		['Check, which sends nothing', { fields: { operation: 'check' } }, []],
	])('%s: %j', async (_what, job, expected) => {
		const { hints } = await run(sending(gateway, { settings, ...job }));
		expect(hints.map(({ message }) => message)).toEqual(expected);
	});
});
