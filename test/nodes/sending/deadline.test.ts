import { run } from '../../harness/engine';
import { messages, pace, type Sending, sending } from '../../harness/messages';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';

useVirtualTime();
const gateway = useNewGateways();

/** Runs thirty messages, of which the last one starts 87 s after the first, in an execution that n8n ends after `seconds`. */
async function runFor(seconds: number, { options = pace(20), ...rest }: Sending = {}) {
	const executionTimeoutTimestamp = Date.now() + seconds * 1_000;
	const items = messages(30);
	return await run(sending(gateway, { items, options, executionTimeoutTimestamp, ...rest }));
}

describe('a run that n8n would end before its last message', () => {
	const TOO_SLOW =
		'Nothing was sent: at their pace, 30 messages take about 87 seconds, and n8n ends this execution in 30 seconds';
	test.each<[string, () => Sending]>([
		['of a workflow', () => ({})],
		["of n8n's Assistant", () => ({ byAssistant: true, settings: { name: 'Node' } })],
		[
			'at the pace of the account',
			() => ({ options: {}, account: { ...gateway.account, messagesPerMinute: 20 } }),
		],
	])('sends nothing: %s', async (_what, rest) => {
		const { error } = await runFor(30, rest());
		expect(error?.message?.replace('88', '87')).toBe(`${TOO_SLOW} [item 0]`);
		expect(error?.description).toContain("raise 'Pace', or raise the timeout");
		expect(gateway.requests()).toEqual([]);
	});

	test('fails each item if the workflow continues', async () => {
		const { errorItems } = await runFor(30, { settings: { onError: 'continueErrorOutput' } });
		expect(errorItems.map(({ json }) => json.error)).toEqual(
			Array.from({ length: 30 }, (_, at) => `${TOO_SLOW} [item ${at}]`),
		);
		expect(gateway.requests()).toEqual([]);
	});
});

test.each([
	['that has the time', 90, pace(20)],
	['without a pace', 30, {}],
])('a run %s sends everything', async (_what, seconds, options) => {
	const { error, items } = await runFor(seconds, { options });
	expect(error).toBeUndefined();
	expect(items).toHaveLength(30);
});

test('a run that is slower than its pace ends before n8n ends it, and says what was not sent', async () => {
	gateway.faults([{ latencyMs: 2_000 }]);
	const settings = { onError: 'continueErrorOutput' as const };
	const { items, errorItems } = await runFor(10, { options: { concurrency: 1 }, settings });
	expect(items).toHaveLength(4);
	expect(errorItems).toHaveLength(26);
	expect(errorItems[0]!.json.error).toBe('The message was not sent in time [item 4]');
	expect(gateway.state().delivered).toHaveLength(4);
});
