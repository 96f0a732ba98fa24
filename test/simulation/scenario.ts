import fc from 'fast-check';

/**
 * Random scenarios as plain data, which fast-check can shrink. All times are in milliseconds. Most scenarios are small: they
 * find as much as large ones, and many more of them run in the same time.
 */
export interface Scenario {
	/** Of all random values during the scenario. */
	seed: number;
	/** How late timers are at most, as on a busy machine. */
	timerDelayMs: number;
	/** How wrong this machine's wall clock is. */
	clockErrorMs: number;
	/** One per account. */
	gateways: GatewaySpec[];
	/** How many processes of n8n use these accounts, each without knowing of the others. Default: 1. */
	processes?: number;
	executions: ExecutionSpec[];
}

/** What an arbitrary generates. What may be undefined may also be missing. */
type Spec<Of> =
	Of extends fc.Arbitrary<infer Value> ? Omit<Value, OptionalKeys<Value>> & Partial<Value> : never;
type OptionalKeys<Value> = {
	[Key in keyof Value]-?: undefined extends Value[Key] ? Key : never;
}[keyof Value];

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

/** What a 429 says about the wait: nothing, whole seconds, exact seconds, an HTTP date, or only an error code. */
export const ANNOUNCEMENTS = ['seconds', 'nothing', 'exact', 'date', 'code'] as const;

/** What can happen to a request, besides limits. */
export const FAULTS = [
	/** No connection. */
	'refused',
	/** No connection, and no hope for one. */
	'certificate',
	'cutBefore',
	'cutAfter',
	'error',
	'errorAfter',
	/** 503 with Retry-After, in seconds and as a date. */
	'maintenance',
	'maintenanceDate',
	/** No response, and not accepted. */
	'lost',
	/** No response, but accepted. */
	'silent',
	/** Accepted after the client has given up. */
	'late',
	/** A proxy responds with its own page. */
	'webPage',
	/** Status 200 with a body that denies success. */
	'denied',
	/** Nothing is sent: the file of the message cannot be downloaded now, or must be requested later, or is invalid. */
	'fileMissing',
	'fileBusy',
	'fileInvalid',
] as const;
export type Fault = (typeof FAULTS)[number];
const fault = fc.constantFrom(...FAULTS);

const gateway = fc.record({
	latency: fc.record({ minMs: oneOf(10, 1, 100), maxMs: oneOf(10, 100, 300, 2_000, 30_000) }),
	bucket: rarely(
		fc.record({
			capacity: oneOf(1, 2, 5, 20),
			perSecond: oneOf(10, 50, 20, 5, 2, 1),
			announces: fc.constantFrom(...ANNOUNCEMENTS),
		}),
		3,
	),
	/** So many requests in each window, which starts at fixed times or with each request. */
	window: rarely(
		fc.record({
			requests: oneOf(5, 1, 20),
			ms: oneOf(1_000, 10_000, 60_000),
			isFixed: fc.boolean(),
			/** `window`: the whole window, in seconds. */
			announces: fc.constantFrom(...ANNOUNCEMENTS, 'window' as const),
		}),
	),
	/** After this many messages, the gateway accepts no more, however long one waits. */
	plan: rarely(
		fc.record(
			{ messages: oneOf(0, 1, 3, 10), retryAfterSeconds: oneOf(1, 0, 30, 3_600) },
			{ requiredKeys: ['messages'] },
		),
	),
	/** Messages to the chat with this number get a 429 with Retry-After. */
	limitedChat: rarely(fc.record({ chat: oneOf(0, 1), retryAfterSeconds: oneOf(3_600, 1, 30) })),
	outages: mostly(
		[],
		fc.array(
			fc.record({
				fromMs: oneOf(0, 20, 500, 3_000),
				durationMs: oneOf(100, 1_000, 10_000),
				fault,
			}),
			{ minLength: 1, maxLength: 2 },
		),
		2,
	),
	/** Random faults; each request has this chance of one of them. */
	faultChance: oneOf(0, 0.1, 0.5),
	faults: fc.array(fault, { maxLength: 3 }),
	/** Whether messages are stored for later instead of being sent. */
	defers: oneOf(false, false, true),
	/** How it responds to a key that it knows. */
	duplicates: fc.constantFrom('replay' as const, 'reject' as const),
	/**
	 * How wrong the gateway's wall clock is: Retry-After as a date is relative to it. The engine does not see a 401
	 * because of a wrong clock, which is handled inside an attempt: here the first request takes twice as long.
	 */
	clockErrorMs: oneOf(0, 3_600_000, -60_000),
	/** The pace that the credential declares, as its fields. */
	pace: rarely(
		fc.record({ messagesPerMinute: oneOf(600, 20, 3_000), processes: oneOf(1, 4, 20) }),
		2,
	),
});
export type GatewaySpec = Spec<typeof gateway>;

const atMs = oneOf(0, 0, 5, 40, 300, 2_000, 15_000);
const timeoutMs = oneOf(10_000, 1_000, 300_000);
/** How long after its start it is cancelled; with 0, before the node runs. */
const cancelAfterMs = rarely(oneOf(0, 1, 30, 400, 3_000, 20_000));
const index = rarely(fc.nat({ max: 12 }));

/** A run over items. The message of an AI agent is a run of one. */
const runFields = {
	kind: fc.constant('run' as const),
	atMs,
	/** The same run several times, such as executions of a webhook. */
	times: mostly(1, oneOf(3, 10)),
	everyMs: oneOf(0, 10, 700),
	/** Messages alternate between these accounts, by their positions: those of the first process, then of the next one. */
	accounts: mostly([0], oneOf([1], [1], [2], [0, 1]), 4),
	count: fc.oneof(
		{ weight: 4, arbitrary: fc.integer({ min: 1, max: 12 }) },
		{ weight: 1, arbitrary: fc.constant(1) },
		{ weight: 1, arbitrary: fc.integer({ min: 0, max: 60 }) },
	),
	/** How many requests each message takes. */
	parts: mostly(1, oneOf(2, 3)),
	/** How many chats the messages go to; at random. At least `count`: each message has its own. */
	chats: oneOf(1, 2, 4, 1_000_000),
	keys: fc.constantFrom('all' as const, 'none' as const, 'some' as const),
	/** The message at this index is invalid: it cannot be sent. */
	invalid: index,
	/** The gateway rejects the message at this index, or its last part. */
	rejected: index,
	/** How long each message loads its file before an attempt; with 0, it has none. */
	loadMs: mostly(0, oneOf(5, 300)),
	/** The file of the message at this index cannot be loaded. */
	unloadable: index,
	/** Whether the messages to an account wait for a status request (When Offline). */
	checksOnline: mostly(false, fc.constant(true)),
	concurrency: oneOf(10, 1, 2, 3, 50),
	perMinute: mostly(0, oneOf(600, 60, 6_000, 20), 4),
	randomPart: oneOf(0, 0, 0.2, 5),
	maxTries: oneOf(3, 1, 2, 5),
	maxWaitMs: oneOf(60_000, 0, 100, 2_000, 10_000),
	timeoutMs,
	stopOnFailure: fc.boolean(),
	cancelAfterMs,
	/** What it costs to read an item: the process is busy, or waits for a credential. */
	reading: mostly(
		{ busyMs: 0, waitMs: 0 },
		fc.record({ busyMs: oneOf(0.5, 5, 60), waitMs: oneOf(0, 3) }),
	),
};
const run = fc.record(runFields);
export type RunSpec = Spec<typeof run>;

/** A status or QR code request, or a poll of a trigger, repeated. */
const status = fc.record({
	kind: fc.constant('status' as const),
	atMs,
	times: oneOf(1, 1, 3, 10),
	everyMs: oneOf(100, 1_000, 10_000),
	account: fc.nat({ max: 2 }),
	timeoutMs,
	/** How long after its start the request may start at the latest. */
	deadlineMs: rarely(oneOf(2_000, 10, 300, 1_000, 30_000), 4),
	cancelAfterMs,
});
export type StatusSpec = Spec<typeof status>;
export type ExecutionSpec = RunSpec | StatusSpec;

const execution: fc.Arbitrary<ExecutionSpec> = fc.oneof(
	{ weight: 5, arbitrary: run },
	{ weight: 1, arbitrary: status },
);

/** Hundreds of runs of one message, as with webhooks and events of a CRM. */
const webhooks = fc.record({
	...runFields,
	times: oneOf(500),
	everyMs: oneOf(0, 5, 50),
	count: fc.constant(1),
});

/** One run of many messages. */
const largeRun = fc.record({
	...runFields,
	times: fc.constant(1),
	count: oneOf(400),
	chats: oneOf(1_000_000, 1, 50, 2_000),
	perMinute: oneOf(0, 60_000),
	reading: fc.constant({ busyMs: 0, waitMs: 0 }),
});

const withAnother = (run: fc.Arbitrary<RunSpec>): fc.Arbitrary<ExecutionSpec[]> =>
	fc.tuple(run, execution);

const several = fc.oneof(
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
