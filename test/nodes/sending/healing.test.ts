import { run, start } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import { BOTH_WAYS, lookUp, messages, quiet, sending } from '../../harness/messages';

// test/gateway/errors/signingClock.test.ts has codes and times, and test/nodes/request/sendRequest.test.ts what a second 401 reports.
const TEN_MINUTES = 600_000;

useVirtualTime();
const gateway = useNewGateways();

const statuses = () => gateway.requests().map(({ status }) => status);

describe('with a local clock behind that of the gateway', () => {
	beforeEach(() => gateway.faults([{ clockOffsetMs: TEN_MINUTES }]));

	test.each(BOTH_WAYS)(
		'signs again with the time of the gateway, which is no attempt, and remembers it: %s',
		async (_name, asTool) => {
			for (const expected of [[401, 200], [200]]) {
				gateway.clearRequests();
				const options = { maxTries: 1 };
				const { error, hints, items } = await run(sending(gateway, { asTool, options }));
				expect(error).toBeUndefined();
				expect(statuses()).toEqual(expected);
				expect(items[0]?.json).toMatchObject({ outcome: 'sent' });
				expect(hints).toHaveLength(1);
				expect(hints[0]?.message).toMatch(
					/^The clock of this n8n is (599|600|601) s behind the gateway's/,
				);
			}
		},
	);

	test('delivers concurrent messages, each once', async () => {
		const { error, hints } = await run(sending(gateway, { items: messages(30) }));
		expect(error).toBeUndefined();
		expect(gateway.state().delivered).toHaveLength(30);
		// Ten were signed before the first response arrived.
		expect(gateway.requests().length).toBeLessThanOrEqual(40);
		expect(hints).toHaveLength(1);
	});

	test('a lookup learns the time for messages, until the clock is correct', async () => {
		expect((await run(lookUp(gateway))).error).toBeUndefined();
		await run(sending(gateway));
		expect(statuses()).toEqual([401, 200, 200]);
		gateway.clearFaults();
		gateway.clearRequests();
		const { error, hints } = await run(sending(gateway));
		expect(error).toBeUndefined();
		expect(hints).toEqual([]);
		expect(statuses()).toEqual([401, 200]);
	});
});

test('after the local clock is set back by ten minutes, messages are still sent', async () => {
	const rightTime = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => rightTime() + TEN_MINUTES);
	await run(sending(gateway));
	expect(statuses()).toEqual([401, 200]);
	jest.restoreAllMocks();
	const execution = start(sending(gateway));
	const done = execution.outcome.then(() => true);
	expect(await Promise.race([done, quiet(1_500).then(() => false)])).toBe(true);
	expect(statuses()).toEqual([401, 200, 200]);
});
