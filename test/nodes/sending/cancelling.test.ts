import { start } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import { messages, sending, timed, until } from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways();

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
