import fc from 'fast-check';

import {
	ANNOUNCEMENTS,
	type ExecutionSpec,
	FAULTS,
	type GatewaySpec,
	type Latency,
	type Outage,
	type PlanLimit,
	type RunSpec,
	type Scenario,
	type StatusSpec,
	type TokenBucket,
	type WindowLimit,
} from './scenario';

/** Most scenarios are small: they find as much as large ones, and many more of them run in the same time. */

/** The first one shrinks best. */
const oneOf = <Value>(...values: Value[]) => fc.constantFrom(...values);

/** This value nine times of ten, or less often if the others have more weight. */
const mostly = <Value, Other>(value: Value, others: fc.Arbitrary<Other>, weight = 1) =>
	fc.oneof<fc.WeightedArbitrary<Value | Other>[]>(
		{ weight: 10 - weight, arbitrary: fc.constant(value) },
		{ weight, arbitrary: others },
	);

const rarely = <Value>(arbitrary: fc.Arbitrary<Value>, weight = 1) =>
	mostly(undefined, arbitrary, weight);

const latency: fc.Arbitrary<Latency> = fc.oneof(
	fc.record({ kind: fc.constant('constant' as const), ms: oneOf(10, 1, 100, 1_000) }),
	fc.record({
		kind: fc.constant('uniform' as const),
		minMs: oneOf(1, 10, 100),
		maxMs: oneOf(100, 300, 2_000),
	}),
	fc.record({ kind: fc.constant('heavyTail' as const), medianMs: oneOf(5, 50, 500) }),
);

const bucket: fc.Arbitrary<TokenBucket> = fc.record({
	capacity: oneOf(1, 2, 5, 20),
	perSecond: oneOf(10, 50, 20, 5, 2, 1),
	announces: oneOf(...ANNOUNCEMENTS),
});

const window: fc.Arbitrary<WindowLimit> = fc.record({
	requests: oneOf(5, 1, 20),
	ms: oneOf(1_000, 10_000, 60_000),
	isFixed: fc.boolean(),
	announces: oneOf<WindowLimit['announces']>(...ANNOUNCEMENTS, 'window'),
});

const limitedChat = fc.record({ chat: oneOf(0, 1), retryAfterSeconds: oneOf(3_600, 1, 30) });

const plan: fc.Arbitrary<PlanLimit> = fc.record(
	{ messages: oneOf(0, 1, 3, 10), retryAfterSeconds: oneOf(1, 0, 30, 3_600) },
	{ requiredKeys: ['messages'] },
);

const fault = fc.constantFrom(...FAULTS);

const outage: fc.Arbitrary<Outage> = fc.record({
	fromMs: oneOf(0, 20, 500, 3_000),
	durationMs: oneOf(100, 1_000, 10_000),
	fault,
});

const gateway: fc.Arbitrary<GatewaySpec> = fc.record({
	latency,
	bucket: rarely(bucket, 3),
	window: rarely(window),
	plan: rarely(plan),
	limitedChat: rarely(limitedChat),
	outages: mostly<Outage[], Outage[]>([], fc.array(outage, { minLength: 1, maxLength: 2 }), 2),
	faultChance: oneOf(0, 0.1, 0.5),
	faults: fc.array(fault, { maxLength: 3 }),
	defers: oneOf(false, false, true),
	duplicates: oneOf('replay', 'reject'),
	clockErrorMs: oneOf(0, 3_600_000, -60_000),
});

const accounts = mostly([0], oneOf([1], [1], [2], [0, 1]), 4);

const at = oneOf(0, 0, 5, 40, 300, 2_000, 15_000);
const perMinute = mostly(0, oneOf(600, 60, 6_000, 20), 4);
const maxTries = oneOf(3, 1, 2, 5);
const maxWaitMs = oneOf(60_000, 0, 100, 2_000, 10_000);
const timeoutMs = oneOf(10_000, 1_000, 300_000);
const cancelAfterMs = rarely(oneOf(0, 1, 30, 400, 3_000, 20_000));
const parts = mostly(1, oneOf(2, 3));
const index = rarely(fc.nat({ max: 12 }));

const runFields = {
	kind: fc.constant('run' as const),
	atMs: at,
	times: mostly(1, oneOf(3, 10)),
	everyMs: oneOf(0, 10, 700),
	accounts,
	count: fc.oneof(
		{ weight: 4, arbitrary: fc.integer({ min: 1, max: 12 }) },
		{ weight: 1, arbitrary: fc.constant(1) },
		{ weight: 1, arbitrary: fc.integer({ min: 0, max: 60 }) },
	),
	parts,
	chats: oneOf(1, 2, 4, 1_000_000),
	keys: oneOf('all' as const, 'none' as const, 'some' as const),
	invalid: index,
	rejected: index,
	loadMs: mostly(0, oneOf(5, 300)),
	unloadable: index,
	throwsAt: rarely(index),
	checksOnline: mostly(false, fc.constant(true)),
	concurrency: oneOf(10, 1, 2, 3, 50),
	perMinute,
	jitter: oneOf(0, 0, 0.2, 1),
	batch: mostly(
		{ size: 1, breakMs: 0 },
		fc.record({ size: oneOf(1, 2, 3, 10), breakMs: oneOf(50, 1_000, 10_000) }),
		2,
	),
	maxTries,
	maxWaitMs,
	timeoutMs,
	stopOnFailure: fc.boolean(),
	retryOnFail: rarely(fc.record({ tries: oneOf(2, 3), waitMs: oneOf(1_000, 0, 5_000) })),
	cancelAfterMs,
	reading: mostly(
		{ busyMs: 0, waitMs: 0 },
		fc.record({ busyMs: oneOf(0.5, 5, 60), waitMs: oneOf(0, 3) }),
	),
};

const run: fc.Arbitrary<RunSpec> = fc.record(runFields);

const status: fc.Arbitrary<StatusSpec> = fc.record({
	kind: fc.constant('status' as const),
	atMs: at,
	times: oneOf(1, 1, 3, 10),
	everyMs: oneOf(100, 1_000, 10_000),
	account: fc.nat({ max: 2 }),
	timeoutMs,
	deadlineMs: rarely(oneOf(2_000, 10, 300, 1_000, 30_000), 4),
	cancelAfterMs,
});

const execution: fc.Arbitrary<ExecutionSpec> = fc.oneof(
	{ weight: 5, arbitrary: run },
	{ weight: 1, arbitrary: status },
);

/** Hundreds of runs of one message, as with webhooks and events of a CRM. */
const webhooks: fc.Arbitrary<RunSpec> = fc.record({
	...runFields,
	times: oneOf(500),
	everyMs: oneOf(0, 5, 50),
	count: fc.constant(1),
});

/** One run of many messages. */
const largeRun: fc.Arbitrary<RunSpec> = fc.record({
	...runFields,
	times: fc.constant(1),
	count: oneOf(400),
	chats: oneOf(1_000_000, 1, 50, 2_000),
	perMinute: oneOf(0, 60_000),
	batch: fc.constant({ size: 1, breakMs: 0 }),
	reading: fc.constant({ busyMs: 0, waitMs: 0 }),
});

const withAnother = (run: fc.Arbitrary<RunSpec>): fc.Arbitrary<ExecutionSpec[]> =>
	fc.tuple(run, execution);

const several: fc.Arbitrary<ExecutionSpec[]> = fc.oneof(
	{ weight: 120, arbitrary: fc.array(execution, { minLength: 1, maxLength: 4 }) },
	{ weight: 1, arbitrary: withAnother(largeRun) },
);

const scenarioWith = (executions: fc.Arbitrary<ExecutionSpec[]>): fc.Arbitrary<Scenario> =>
	fc.record({
		seed: fc.noShrink(fc.nat()),
		timerDelayMs: oneOf(0, 0, 2, 30),
		clockErrorMs: oneOf(0, 0, -7_200_000),
		gateways: fc.array(gateway, { minLength: 1, maxLength: 2 }),
		processes: oneOf(1, 1, 2),
		executions,
	});

const anyScenario = scenarioWith(several);
const withHugeRun = scenarioWith(withAnother(largeRun.map((run) => ({ ...run, count: 10_000 }))));
const withWebhooks = scenarioWith(withAnother(webhooks));

/** The two largest kinds take as long as hundreds of others, so they come at fixed distances instead of at random. */
export function scenarioFor(seed: number): fc.Arbitrary<Scenario> {
	if (seed % 5_000 === 0) return withHugeRun;
	if (seed % 4_000 === 1) return withWebhooks;
	return anyScenario;
}
