import { run, type Outcome } from '../../harness/engine';
import { chat, jsonBody, messages, sending } from '../../harness/messages';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';

useVirtualTime();
const gateway = useNewGateways();

/** What n8n adds to the span of the node in its trace. */
const traceOf = ({ run: { data } }: Outcome) =>
	data.resultData.runData['Messaging Gateway']!.at(-1)!.metadata?.tracing;

/** A trace with these counts, which has no other ones. */
const counts = (trace: Record<string, number>) => ({
	...{ 'messages.sent': 0, 'messages.deferred': 0, 'messages.duplicate': 0 },
	...{ 'messages.rehearsed': 0, 'messages.redirected': 0 },
	...{ 'messages.unknown': 0, 'messages.failed': 0 },
	...{ 'requests.limited': 0, 'limited.ms': 0 },
	...trace,
});

describe('the trace of a run', () => {
	test('counts what the items say, and has nothing from an item', async () => {
		const options = { idempotencyKey: '={{ $json.to }}', maxTries: 1 };
		const settings = { onError: 'continueRegularOutput' } as const;
		gateway.faults([
			{ chatId: chat(0), status: 422 },
			{ chatId: chat(1), status: 409, code: 'already_exists' },
			{ chatId: chat(2), cut: 'after' },
			{ chatId: chat(3), cut: 'after' },
			{ chatId: chat(5), status: 409, code: 'already_exists' },
			{ chatId: chat(6), status: 409, body: jsonBody({ deliveryKey: 'a' }) },
		]);
		const items = messages(12);
		items[4]!.json.to = 'nobody';
		const outcome = await run(sending(gateway, { items, options, settings }));
		expect(outcome.items.map(({ json }) => json.outcome ?? 'failed')).toEqual([
			...['failed', 'duplicate', 'failed', 'failed', 'failed', 'duplicate', 'deferred'],
			...Array<string>(5).fill('sent'),
		]);
		const told = { 'messages.sent': 5, 'messages.deferred': 1, 'messages.duplicate': 2 };
		const others = { 'messages.unknown': 2, 'messages.failed': 2 };
		expect(traceOf(outcome)).toEqual(counts({ ...told, ...others }));
	});

	test('adds the tries of Retry On Fail up', async () => {
		gateway.faults([{ chatId: chat(1), status: 422, times: 1 }]);
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
		const items = messages(2, (index) => index);
		const outcome = await run(sending(gateway, { items, options: { concurrency: 1 }, settings }));
		expect(traceOf(outcome)).toEqual(counts({ 'messages.sent': 3, 'messages.failed': 1 }));
	});

	test('counts the 429s, and how long the limit held messages back', async () => {
		gateway.faults([{ status: 429, retryAfter: 3, times: 1 }]);
		const limited = { 'messages.sent': 1, 'requests.limited': 1, 'limited.ms': 3_000 };
		expect(traceOf(await run(sending(gateway)))).toEqual(counts(limited));
	});

	test('counts a split text as one message, and what a test kept back', async () => {
		const items = [{ json: { to: chat(1), text: 'word '.repeat(2_000) } }];
		const outcome = await run(sending(gateway, { items, options: { splitLongText: 1_000 } }));
		expect(gateway.requests().length).toBeGreaterThan(1);
		const account = { ...gateway.account, sendTo: 'nobody' };
		const tried = [...messages(3), { json: { to: '447700900003', text: 'x' } }];
		const settings = { onError: 'continueRegularOutput' } as const;
		const rehearsed = await run(sending(gateway, { items: tried, account, settings }));
		expect(traceOf(rehearsed)).toEqual(counts({ 'messages.rehearsed': 4 }));
		Object.assign(account, { sendTo: 'testNumber', testRecipient: '+4915199999999' });
		gateway.faults([{ cut: 'after', times: 1 }]);
		const redirected = await run(sending(gateway, { items: messages(2), account, settings }));
		expect(traceOf(redirected)).toEqual(counts({ 'messages.redirected': 1, 'messages.failed': 1 }));
		expect(traceOf(outcome)).toEqual(counts({ 'messages.sent': 1 }));
	});
});
