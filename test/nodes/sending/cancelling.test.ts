import type { Fault } from '../../../sandbox/sandbox';
import { start } from '../../engine';
import { useNewGateways } from '../../sandboxAccount';
import { lookUp, messages, quiet, type Sending, sending, timed, until } from './messages';

const gateway = useNewGateways();

interface Situation {
	faults?: Fault[];
	sending?: Sending;
	/** How many came in before Stop is pressed. */
	requests: number;
	/** After which time something would have been sent if it had not stopped. */
	temptedMs: number;
}

const situations: Array<[string, Situation]> = [
	[
		'while a message waits for its next try',
		{ faults: [{ status: 503, retryAfter: '0.6' }], requests: 1, temptedMs: 700 },
	],
	[
		'while the gateway asks for a slower pace',
		{
			faults: [{ status: 429, retryAfter: '0.6', times: 1 }],
			sending: { items: messages(20) },
			requests: 1,
			temptedMs: 700,
		},
	],
	[
		'while messages wait for their place in the pace',
		{
			sending: { items: messages(20), options: { messagesPerMinute: 100 } },
			requests: 1,
			temptedMs: 700,
		},
	],
	[
		'in a break between batches',
		{
			sending: {
				items: messages(20),
				fields: {
					requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 600 } } },
				},
			},
			requests: 1,
			temptedMs: 700,
		},
	],
	[
		'in the midst of many',
		{
			faults: [{ latencyMs: 20 }],
			sending: { items: messages(500) },
			requests: 30,
			temptedMs: 200,
		},
	],
	[
		'in the midst of one chat',
		{
			faults: [{ latencyMs: 20 }],
			sending: { items: messages(500, () => 1) },
			requests: 5,
			temptedMs: 200,
		},
	],
];

/** Those that the node has begun and the gateway has not seen yet: as many as go side by side. */
const ON_THEIR_WAY = 10;

async function stopped({ faults = [], sending: what, requests }: Situation) {
	gateway.faults(faults);
	const execution = start(sending(gateway, what));
	await until(`${requests} came in`, () => gateway.requests().length >= requests);
	await until('one is answered', () => gateway.requests()[0]!.status !== null);
	// The answer is on its way to the node.
	await quiet(50);
	const before = gateway.requests().length;
	execution.cancel();
	return { before, ...(await timed(execution.outcome)) };
}

const retryOnFail = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

describe.each(situations)('%s', (_when, situation) => {
	test('Stop ends the execution within a second, and nothing arrives afterwards', async () => {
		const { before, ms } = await stopped(situation);
		expect(ms).toBeLessThan(1_000);
		// What had left before has arrived by then.
		await quiet(100);
		const arrived = gateway.requests().length;
		expect(arrived).toBeLessThanOrEqual(before + ON_THEIR_WAY);
		await quiet(situation.temptedMs);
		expect(gateway.requests()).toHaveLength(arrived);
	});

	test('Retry On Fail does not send once more', async () => {
		const settings = retryOnFail;
		const { before } = await stopped({
			...situation,
			sending: { ...situation.sending, settings },
		});
		expect(gateway.requests().length).toBeLessThanOrEqual(before + ON_THEIR_WAY);
	});
});

describe('a stopped execution is canceled, not gone wrong', () => {
	test.each(situations)('%s', async (_when, situation) => {
		expect((await stopped(situation)).value.run.status).toBe('canceled');
	});
});

test('with Retry On Fail and its usual wait, Stop ends the execution within a second', async () => {
	const settings = { ...retryOnFail, waitBetweenTries: 1_000 };
	const [[, situation]] = situations as [[string, Situation]];
	const { ms } = await stopped({ ...situation, sending: { settings } });
	expect(ms).toBeLessThan(1_000);
});

describe('while an answer is on its way', () => {
	const isInFlight = () => gateway.requests().some(({ endpoint }) => endpoint !== null);

	test.each([
		['in a workflow', () => sending(gateway, { items: messages(3, () => 1) })],
		['as a tool', () => sending(gateway, { asTool: true })],
		['as a look-up', () => lookUp(gateway)],
	])('Stop ends the execution within a second %s', async (_name, options) => {
		gateway.faults([{ latencyMs: 1_500 }]);
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
				temptedMs: 0,
			});
			expect(ms).toBeLessThan(1_000);
			expect(gateway.requests()).toHaveLength(1);
		},
	);
});
