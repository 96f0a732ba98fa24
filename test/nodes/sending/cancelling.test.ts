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
	/** How many requests are received before Stop. */
	requests: number;
}

const situations: Array<[string, Situation]> = [
	[
		'while a message waits for its next attempt',
		{ faults: [{ status: 503, retryAfter: '0.6' }], requests: 1 },
	],
	[
		'during the cool-down after a 429',
		{
			faults: [{ status: 429, retryAfter: '0.6', times: 1 }],
			sending: { items: messages(20) },
			requests: 1,
		},
	],
	[
		'while messages wait for the message rate',
		{
			sending: { items: messages(20), options: { messagesPerMinute: 100 } },
			requests: 1,
		},
	],
	[
		'during a break between batches',
		{
			sending: {
				items: messages(20),
				fields: {
					requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 600 } } },
				},
			},
			requests: 1,
		},
	],
	[
		'during many messages',
		{
			faults: [{ latencyMs: 20 }],
			sending: { items: messages(500) },
			requests: 30,
		},
	],
	[
		'during many messages to one chat',
		{
			faults: [{ latencyMs: 20 }],
			sending: { items: messages(500, () => 1) },
			requests: 5,
		},
	],
];

/** Far longer than any wait in these situations. */
const LONG_MS = 10_000;

async function stopped({ faults = [], sending: what, requests }: Situation) {
	gateway.faults(faults);
	const execution = start(sending(gateway, what));
	await until(`${requests} are received`, () => gateway.requests().length >= requests);
	await until('one has a response', () => gateway.requests()[0]!.status !== null);
	// The response reaches the node.
	await quiet(50);
	const before = gateway.requests().length;
	execution.cancel();
	return { before, ...(await timed(execution.outcome)) };
}

const retryOnFail = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

describe.each(situations)('%s', (_when, situation) => {
	test('Stop ends the execution within a second, and no request follows', async () => {
		const { before, ms } = await stopped(situation);
		expect(ms).toBeLessThan(1_000);
		await quiet(LONG_MS);
		expect(gateway.requests()).toHaveLength(before);
	});

	test('Retry On Fail does not send again', async () => {
		const settings = retryOnFail;
		const { before } = await stopped({
			...situation,
			sending: { ...situation.sending, settings },
		});
		await quiet(LONG_MS);
		expect(gateway.requests()).toHaveLength(before);
	});
});

describe('a stopped execution is canceled, not failed', () => {
	test.each(situations)('%s', async (_when, situation) => {
		expect((await stopped(situation)).value.run.status).toBe('canceled');
	});
});

test('with Retry On Fail and its default wait, Stop ends the execution within a second', async () => {
	const settings = { ...retryOnFail, waitBetweenTries: 1_000 };
	const [[, situation]] = situations as [[string, Situation]];
	const { ms } = await stopped({ ...situation, sending: { settings } });
	expect(ms).toBeLessThan(1_000);
});

describe('while the gateway does not respond', () => {
	const isInFlight = () => gateway.requests().some(({ endpoint }) => endpoint !== null);

	test.each([
		['in a workflow', () => sending(gateway, { items: messages(3, () => 1) })],
		['as a tool', () => sending(gateway, { asTool: true })],
		['as a lookup', () => lookUp(gateway)],
	])('Stop ends the execution within a second %s', async (_name, options) => {
		gateway.faults([{ latencyMs: 60_000 }]);
		const execution = start(options());
		await until('one is in flight', isInFlight);
		execution.cancel();
		const { ms } = await timed(execution.outcome);
		expect(ms).toBeLessThan(1_000);
		expect(gateway.requests()).toHaveLength(1);
	});
});

describe('as a tool', () => {
	test.each([
		['503', { status: 503, retryAfter: 2 }],
		['429', { status: 429, retryAfter: 2 }],
	] as Array<[string, Fault]>)(
		'Stop ends the wait after a %s within a second',
		async (_what, fault) => {
			const { ms } = await stopped({
				faults: [fault],
				sending: { asTool: true },
				requests: 1,
			});
			expect(ms).toBeLessThan(1_000);
			expect(gateway.requests()).toHaveLength(1);
		},
	);
});
