/** A whole scenario as plain data, so that fast-check can generate and shrink it. All times are in milliseconds. */
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

export type Latency =
	| { kind: 'constant'; ms: number }
	| { kind: 'uniform'; minMs: number; maxMs: number }
	/** Half of the requests take longer than the median, and one in a hundred takes ten times as long. */
	| { kind: 'heavyTail'; medianMs: number };

/** What a 429 says about the wait: nothing, whole seconds, exact seconds, an HTTP date, or only an error code. */
export const ANNOUNCEMENTS = ['seconds', 'nothing', 'exact', 'date', 'code'] as const;

export interface TokenBucket {
	capacity: number;
	perSecond: number;
	announces: (typeof ANNOUNCEMENTS)[number];
}

/** So many requests in each window, which starts at fixed times or with each request. */
export interface WindowLimit {
	requests: number;
	ms: number;
	isFixed: boolean;
	/** `window`: the whole window, in seconds. */
	announces: (typeof ANNOUNCEMENTS)[number] | 'window';
}

/** After this many messages, the gateway accepts no more, however long one waits. */
export interface PlanLimit {
	messages: number;
	retryAfterSeconds?: number;
}

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
	/** The date comes without the gateway's time, so it is relative to this machine's clock. */
	'maintenanceDateOnly',
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

export interface Outage {
	fromMs: number;
	durationMs: number;
	fault: Fault;
}

export interface GatewaySpec {
	latency: Latency;
	bucket?: TokenBucket;
	window?: WindowLimit;
	plan?: PlanLimit;
	/** Messages to the chat with this number get a 429 with Retry-After. */
	limitedChat?: { chat: number; retryAfterSeconds: number };
	outages: readonly Outage[];
	/** Random faults; each request has this chance of one of them. */
	faultChance: number;
	faults: readonly Fault[];
	/** Whether messages are stored for later instead of being sent. */
	defers: boolean;
	/** How it responds to a key that it knows. */
	duplicates: 'replay' | 'reject';
	/**
	 * How wrong the gateway's wall clock is: Retry-After as a date is relative to it. The engine does not see a 401
	 * because of a wrong clock, which is handled inside an attempt: here the first request takes twice as long.
	 */
	clockErrorMs: number;
}

/** A run over items. The message of an AI agent is a run of one. */
export interface RunSpec {
	kind: 'run';
	atMs: number;
	/** The same run several times, such as executions of a webhook. */
	times: number;
	everyMs: number;
	/** Messages alternate between these accounts, by their positions: those of the first process, then of the next one. */
	accounts: readonly number[];
	count: number;
	/** How many requests each message takes. */
	parts: number;
	/** How many chats the messages go to; at random. At least `count`: each message has its own. */
	chats: number;
	keys: 'all' | 'none' | 'some';
	/** The message at this index is invalid: it cannot be sent. */
	invalid?: number;
	/** The gateway rejects the message at this index, or its last part. */
	rejected?: number;
	/** How long each message loads its file before an attempt; with 0, it has none. */
	loadMs: number;
	/** The file of the message at this index cannot be loaded. */
	unloadable?: number;
	/** Sending the message at this index throws an error, which no code of the node should. */
	throwsAt?: number;
	/** Whether the messages to an account wait for a status request (When Offline). */
	checksOnline: boolean;
	concurrency: number;
	perMinute: number;
	/** From 0 to 1. */
	jitter: number;
	batch: { size: number; breakMs: number };
	maxTries: number;
	maxWaitMs: number;
	timeoutMs: number;
	stopOnFailure: boolean;
	/** n8n's Retry On Fail: how often the node runs at most, and the wait before it runs again. */
	retryOnFail?: { tries: number; waitMs: number };
	/** How long after its start it is cancelled; with 0, before the node runs. */
	cancelAfterMs?: number;
	/** What it costs to read an item: the process is busy, or waits for a credential. */
	reading: { busyMs: number; waitMs: number };
}

/** A status or QR code request, or a poll of a trigger, repeated. */
export interface StatusSpec {
	kind: 'status';
	atMs: number;
	times: number;
	everyMs: number;
	account: number;
	timeoutMs: number;
	/** How long after its start the request may start at the latest. */
	deadlineMs?: number;
	cancelAfterMs?: number;
}

export type ExecutionSpec = RunSpec | StatusSpec;
