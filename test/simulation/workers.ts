import { VirtualClock } from '../harness/virtualClock';
import { Coverage } from './coverage';
import { DEFAULTS, type EngineAccount, newAccount, sendRun, toResult } from './engine';
import { type Reply, VirtualGateway } from './gateway';
import { randomFrom } from './random';
import type { GatewaySpec, WindowLimit } from './scenario';

/** Processes of n8n that send at the same time with one account, and know nothing of each other. */

export interface Row {
	name: string;
	limit: Pick<GatewaySpec, 'bucket' | 'window'>;
	/** In total, for all processes. */
	messages: number;
	/** Without bursts, processes cannot but collide. */
	isEven?: boolean;
}

const perMinute = (
	announces: WindowLimit['announces'],
	isFixed = false,
): Pick<GatewaySpec, 'window'> => ({ window: { requests: 60, ms: 60_000, isFixed, announces } });
const perSecond = (isFixed: boolean): Pick<GatewaySpec, 'window'> => ({
	window: { requests: 20, ms: 1_000, isFixed, announces: 'seconds' },
});
const bucket = (
	capacity: number,
	perSecond: number,
	announces: 'seconds' | 'nothing',
): Pick<GatewaySpec, 'bucket'> => ({ bucket: { capacity, perSecond, announces } });

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
	{
		name: 'one per 50 ms, Retry-After: 1',
		limit: bucket(1, 20, 'seconds'),
		messages: 2_000,
		isEven: true,
	},
];

export const GATEWAY: GatewaySpec = {
	latency: { kind: 'uniform', minMs: 60, maxMs: 140 },
	outages: [],
	faultChance: 0,
	faults: [],
	defers: false,
	duplicates: 'replay',
	clockErrorMs: 0,
};

interface Sent {
	process: number;
	/** How long after the message could have been sent it was. */
	waitedMs: number;
	at: number;
	isSent: boolean;
	/** How many messages its run had. */
	ofRun: number;
}

/** A gateway, and the processes that send to it. */
class Workers {
	readonly clock: VirtualClock;
	readonly accounts: EngineAccount[];
	readonly sent: Sent[] = [];
	requests = 0;
	refused = 0;
	running = 0;
	readonly #gateway: VirtualGateway;

	constructor(
		readonly spec: GatewaySpec,
		processes: number,
		seed: number,
	) {
		const random = randomFrom(seed);
		this.clock = new VirtualClock({ random });
		this.#gateway = new VirtualGateway(spec, this.clock, randomFrom(seed + 1), new Coverage());
		this.accounts = Array.from({ length: processes }, (_, process) =>
			newAccount(this.clock, String(process)),
		);
	}

	/** A run of a process starts, with one message to each of so many chats. */
	start(process: number, at: number, count: number): void {
		this.running += 1;
		this.clock.at(at, () => void this.#run(process, count).then(() => (this.running -= 1)));
	}

	async #run(process: number, count: number): Promise<void> {
		const { clock } = this;
		const startedAt = clock.now();
		const account = this.accounts[process]!;
		const messages = Array.from({ length: count }, (_, index) => {
			return { index, chat: String(index), account, parts: [undefined], hasKey: false };
		});
		const { results } = await sendRun(
			messages,
			{
				attempt: async (message) => {
					const waitedMs = clock.now() - startedAt;
					const reply = await this.#send(message.chat);
					const at = clock.now();
					const isSent = reply.meaning === 'success';
					if (isSent) this.sent.push({ process, at, waitedMs, isSent, ofRun: count });
					return toResult(reply, true, false, clock.date());
				},
			},
			{ ...DEFAULTS, clock },
		);
		for (const result of results.values()) {
			if ('value' in result) continue;
			const at = clock.now();
			this.sent.push({ process, at, waitedMs: at - startedAt, isSent: false, ofRun: count });
		}
	}

	async #send(chat: string): Promise<Reply> {
		this.requests += 1;
		const request = { isRejected: false, timeoutMs: 60_000, onAccepted: () => {} };
		const reply = await new Promise<Reply>((resolve) =>
			this.#gateway.send({ ...request, kind: 'message', chat: `${chat} ` }, resolve),
		);
		if (reply.meaning === 'refused') this.refused += 1;
		return reply;
	}

	async run(): Promise<void> {
		await this.clock.run(() => this.running === 0);
	}
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
export async function measure(row: Row, processes: number, seed: number): Promise<Measured> {
	const workers = new Workers({ ...GATEWAY, ...row.limit }, processes, seed);
	const random = randomFrom(seed + 2);
	const count = row.messages / processes;
	for (let process = 0; process < processes; process++)
		workers.start(process, random() * 50, count);
	await workers.run();
	const { sent, requests, refused } = workers;
	const ofProcess = (process: number) => sent.filter((one) => one.process === process);
	const all = Array.from({ length: processes }, (_, process) => ofProcess(process));
	const firstDone = Math.min(...all.map((list) => list.at(-1)!.at));
	const counts = all.map(
		(list) => list.filter(({ at, isSent }) => isSent && at <= firstDone).length,
	);
	const squares = counts.reduce((total, one) => total + one ** 2, 0);
	return {
		delivered: sent.filter(({ isSent }) => isSent).length / row.messages,
		refused: refused / requests,
		fairness: counts.reduce((total, one) => total + one, 0) ** 2 / (processes * squares),
		time: Math.max(...sent.map(({ at }) => at)) / shortestMs(row),
		failedRuns: all.filter((list) => list.some(({ isSent }) => !isSent)).length,
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
	return {
		delivered: sum('delivered') / seeds,
		refused: sum('refused') / seeds,
		fairness: sum('fairness') / seeds,
		time: sum('time') / seeds,
		failedRuns: sum('failedRuns'),
	};
}

/** The 99th percentile of how long messages wait that come at 80 % of 20 per second, after an hour. */
export async function streamWaitMs(processes: number, seed: number, minutes = 60): Promise<number> {
	const workers = new Workers({ ...GATEWAY, ...perSecond(false) }, processes, seed);
	const random = randomFrom(seed + 2);
	// A burst first, which uses up the limit.
	for (let process = 0; process < processes; process++) workers.start(process, 0, 200 / processes);
	const count = minutes * 60 * 16;
	for (let index = 0; index < count; index++) {
		workers.start(index % processes, (index + random()) * (1_000 / 16), 1);
	}
	await workers.run();
	const stream = workers.sent.filter(({ ofRun }) => ofRun === 1);
	const waits = stream.slice(-count / 10).map(({ waitedMs }) => waitedMs);
	return waits.sort((a, b) => a - b)[Math.floor(waits.length * 0.99)]!;
}

/** Runs of one message, one per `everyMs`, while a limit lasts. Returns how long each takes, and the requests. */
export async function lastingLimit(runs: number, everyMs: number, retryAfterSeconds?: number) {
	const plan = { messages: 0, retryAfterSeconds };
	const workers = new Workers({ ...GATEWAY, plan }, 1, 1);
	for (let run = 0; run < runs; run++) workers.start(0, run * everyMs, 1);
	await workers.run();
	return { waits: workers.sent.map(({ waitedMs }) => waitedMs), requests: workers.requests };
}

/** A run in which messages to one chat get a 429. Returns how long the messages to others take. */
export async function oneLimitedChat(count: number, limitedChat?: GatewaySpec['limitedChat']) {
	const workers = new Workers({ ...GATEWAY, limitedChat }, 1, 1);
	workers.start(0, 0, count);
	await workers.run();
	const sent = workers.sent.filter(({ isSent }) => isSent);
	return { sent: sent.length, ms: Math.max(...sent.map(({ at }) => at)) };
}
