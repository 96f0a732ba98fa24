import type { Fault } from '../../../sandbox/sandbox';
import { start } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import {
	lookUp,
	messages,
	quiet,
	type Sending,
	sending,
	timed,
	until,
} from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways();

interface Situation {
	faults?: Fault[];
	sending?: Sending;
}

const items = messages(20);
const batching = { batch: { batchSize: 1, batchInterval: 600 } };

const situations: Array<[string, Situation]> = [
	['while a message waits for its next attempt', { faults: [{ status: 503, retryAfter: '0.6' }] }],
	[
		'during the cool-down after a 429',
		{ faults: [{ status: 429, retryAfter: '0.6', times: 1 }], sending: { items } },
	],
	[
		'while messages wait for the message rate',
		{ sending: { items, options: { messagesPerMinute: 100 } } },
	],
	[
		'during a break between batches',
		{ sending: { items, fields: { requestOptions: { batching } } } },
	],
];

/** Far longer than any wait in these situations. */
const LONG_MS = 10_000;

/** Stop is not followed by a retry of n8n. */
const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1_000 };

test.each(situations)(
	'Stop ends the execution within a second, and no request follows, %s',
	async (_when, { faults = [], sending: what }) => {
		gateway.faults(faults);
		const execution = start(sending(gateway, { ...what, settings }));
		await until('one has a response', () => typeof gateway.requests()[0]?.status === 'number');
		// The response reaches the node.
		await quiet(50);
		const before = gateway.requests().length;
		execution.cancel();
		const { value, ms } = await timed(execution.outcome);
		expect(ms).toBeLessThan(1_000);
		expect(value.run.status).toBe('canceled');
		await quiet(LONG_MS);
		expect(gateway.requests()).toHaveLength(before);
	},
);

test.each([
	['in a workflow', () => sending(gateway, { items: messages(3, () => 1) })],
	['as a tool', () => sending(gateway, { asTool: true })],
	['as a lookup', () => lookUp(gateway)],
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
