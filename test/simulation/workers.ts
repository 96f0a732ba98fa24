import { DEFAULTS } from './engine';
import { schedule } from './executions';
import { randomFrom } from './random';
import type { Attempt, RunRecord } from './records';
import type { GatewaySpec, RunSpec } from './scenario';
import { World } from './world';

/** Processes of n8n that send at the same time with one account, and know nothing of each other. */

export interface Row {
	name: string;
	limit: Pick<GatewaySpec, 'bucket' | 'window'>;
	/** In total, for all processes. */
	messages: number;
	/** Without bursts, processes cannot but collide. */
	isEven?: boolean;
}

type Window = NonNullable<GatewaySpec['window']>;
const perMinute = (announces: Window['announces'], isFixed = false) => ({
	window: { requests: 60, ms: 60_000, isFixed, announces },
});
const perSecond = (isFixed: boolean) => ({
	window: { requests: 20, ms: 1_000, isFixed, announces: 'seconds' as const },
});
const bucket = (capacity: number, perSecond: number, announces: 'seconds' | 'nothing') => ({
	bucket: { capacity, perSecond, announces },
});

/** Latency varies by 40 ms, so many requests of a 50 ms slot collide, and each 429 costs a second. */
export const SLOWEST = 'one per 50 ms, Retry-After: 1';

export const ROWS: Row[] = [
	{ name: '60/min sliding, no Retry-After', limit: perMinute('nothing'), messages: 400 },
	{ name: '60/min sliding, exact Retry-After', limit: perMinute('exact'), messages: 400 },
	{ name: '60/min fixed, to its end', limit: perMinute('seconds', true), messages: 400 },
	{ name: '60/min fixed, Retry-After: 60', limit: perMinute('window', true), messages: 400 },
	{ name: 'bucket 60, 1/s, Retry-After: 1', limit: bucket(60, 1, 'seconds'), messages: 400 },
	{ name: 'bucket 60, 1/s, no Retry-After', limit: bucket(60, 1, 'nothing'), messages: 400 },
	{ name: '1/s even, Retry-After: 1', limit: bucket(1, 1, 'seconds'), messages: 400, isEven: true },
	{ name: '1/s even, no Retry-After', limit: bucket(1, 1, 'nothing'), messages: 400, isEven: true },
	{ name: '20/s sliding, Retry-After: 1', limit: perSecond(false), messages: 2_000 },
	{ name: '20/s fixed, Retry-After: 1', limit: perSecond(true), messages: 2_000 },
	{ name: '20/s bucket, no Retry-After', limit: bucket(20, 20, 'nothing'), messages: 2_000 },
	{ name: SLOWEST, limit: bucket(1, 20, 'seconds'), messages: 2_000, isEven: true },
];

export const GATEWAY: GatewaySpec = {
	latency: { minMs: 60, maxMs: 140 },
	outages: [],
	faultChance: 0,
	faults: [],
	defers: false,
	duplicates: 'replay',
	clockErrorMs: 0,
};

/** A run with the defaults of the node, of one message to each of so many chats. */
export const runOf = (changes: Partial<RunSpec>): RunSpec => ({
	...{ kind: 'run', atMs: 0, times: 1, everyMs: 0, accounts: [0], ...DEFAULTS },
	...{ count: 1, parts: 1, chats: 1_000_000, keys: 'none', timeoutMs: 60_000 },
	...{ checksOnline: false, loadMs: 0, reading: { busyMs: 0, waitMs: 0 }, ...changes },
});

/** Of the rules of the simulation, those are checked that concern a single attempt or the result of a run. */
async function play(limit: Partial<GatewaySpec>, processes: number, seed: number, runs: RunSpec[]) {
	const gateways = [{ ...GATEWAY, ...limit }];
	const times = { timerDelayMs: 0, clockErrorMs: 0 };
	const world = new World({ seed, ...times, gateways, processes, executions: runs });
	const running = schedule(world);
	await world.clock.run(() => running() === 0);
	const [violation] = world.violations;
	if (violation) throw new Error(violation);
	return { runs: world.runs, attempts: world.runs.flatMap(({ attempts }) => attempts) };
}

const isSent = ({ reply }: Attempt) => reply?.meaning === 'success';
const isRefused = ({ reply }: Attempt) => reply?.meaning === 'refused';

/** How long after the message of a run could have been sent it was, or the run gave up. */
function waitMs({ startedAt, endedAt, attempts }: RunRecord): number {
	return (attempts.find(isSent)?.startedAt ?? endedAt) - startedAt;
}

export interface Measured {
	/** Shares of 1. */
	delivered: number;
	refused: number;
	/** Jain's index of what each process has sent when the first one is done. */
	fairness: number;
	/** Relative to the shortest time in which the limit allows it. */
	time: number;
	failedRuns: number;
}

/** One bulk run per process. */
async function measure(row: Row, processes: number, seed: number): Promise<Measured> {
	const random = randomFrom(seed + 2);
	const count = row.messages / processes;
	const specs = Array.from({ length: processes }, (_, process) =>
		runOf({ atMs: random() * 50, accounts: [process], count }),
	);
	const { runs, attempts } = await play(row.limit, processes, seed, specs);
	const ends = runs.map(({ endedAt }) => endedAt);
	const firstDone = Math.min(...ends);
	const counts = runs.map(
		(run) => run.attempts.filter((one) => isSent(one) && one.endedAt <= firstDone).length,
	);
	const squares = counts.reduce((total, one) => total + one ** 2, 0);
	return {
		delivered: attempts.filter(isSent).length / row.messages,
		refused: attempts.filter(isRefused).length / attempts.length,
		fairness: counts.reduce((total, one) => total + one, 0) ** 2 / (processes * squares),
		time: Math.max(...ends) / shortestMs(row),
		failedRuns: runs.filter((run) => run.attempts.filter(isSent).length < count).length,
	};
}

function shortestMs({ limit: { bucket, window }, messages }: Row): number {
	if (bucket) return ((messages - bucket.capacity) / bucket.perSecond) * 1_000;
	const { requests, ms, isFixed } = window!;
	// A fixed window has begun half its time ago, on average.
	return (Math.ceil(messages / requests) - (isFixed ? 1.5 : 1)) * ms;
}

export async function averages(row: Row, processes: number, seeds: number): Promise<Measured> {
	const all: Measured[] = [];
	for (let seed = 1; seed <= seeds; seed++) all.push(await measure(row, processes, 1_000 * seed));
	const sum = (key: keyof Measured) => all.reduce((total, one) => total + one[key], 0);
	const mean = (key: keyof Measured) => sum(key) / seeds;
	return {
		...{ delivered: mean('delivered'), refused: mean('refused'), fairness: mean('fairness') },
		...{ time: mean('time'), failedRuns: sum('failedRuns') },
	};
}

/** The 99th percentile of how long messages wait that come at 80 % of 20 per second, after an hour. */
export async function streamWaitMs(processes: number, seed: number, minutes = 60): Promise<number> {
	const random = randomFrom(seed + 2);
	// A burst first, which uses up the limit.
	const burst = Array.from({ length: processes }, (_, process) =>
		runOf({ accounts: [process], count: 200 / processes }),
	);
	const stream = Array.from({ length: minutes * 60 * 16 }, (_, index) =>
		runOf({ atMs: (index + random()) * (1_000 / 16), accounts: [index % processes] }),
	);
	const { runs } = await play(perSecond(false), processes, seed, [...burst, ...stream]);
	const waits = runs.slice(-stream.length / 10).map(waitMs);
	return waits.sort((a, b) => a - b)[Math.floor(waits.length * 0.99)]!;
}

/** A run in which messages to one chat get a 429. Returns how long the messages to others take. */
export async function oneLimitedChat(count: number, limitedChat?: GatewaySpec['limitedChat']) {
	const { attempts } = await play({ limitedChat }, 1, 1, [runOf({ count })]);
	const sent = attempts.filter(isSent);
	return { sent: sent.length, ms: Math.max(...sent.map(({ endedAt }) => endedAt)) };
}
