import { start } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import { messages, pace, quiet, sending, timed, until } from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways();

// The simulation cancels at any time. Stop is not followed by a retry of n8n.
test('Stop ends the execution within a second while messages wait, and no request follows', async () => {
	gateway.faults([{ status: 503, retryAfter: 60 }]);
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1_000 };
	const options = pace(100);
	const execution = start(sending(gateway, { items: messages(20), options, settings }));
	await until('one has a response', () => typeof gateway.requests()[0]?.status === 'number');
	// The response reaches the node.
	await quiet(50);
	const before = gateway.requests().length;
	execution.cancel();
	const { value, ms } = await timed(execution.outcome);
	expect(ms).toBeLessThan(1_000);
	expect(value.run.status).toBe('canceled');
	// Far longer than any wait.
	await quiet(10_000);
	expect(gateway.requests()).toHaveLength(before);
});

test.each([
	['in a workflow', () => sending(gateway, { items: messages(3, () => 1) })],
	['as a tool', () => sending(gateway, { asTool: true })],
])(
	'Stop ends the execution within a second while the gateway does not respond, %s',
	async (_name, options) => {
		gateway.faults([{ latencyMs: 60_000 }]);
		const execution = start(options());
		await until('one is in flight', () =>
			gateway.requests().some(({ endpoint }) => endpoint !== null),
		);
		execution.cancel();
		const { ms } = await timed(execution.outcome);
		expect(ms).toBeLessThan(1_000);
		expect(gateway.requests()).toHaveLength(1);
	},
);
