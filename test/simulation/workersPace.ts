import { readPace } from '../../gateway/wire/account';
import type { Clock } from '../../nodes/MessagingGateway/sending/clock';
import type { Message } from '../../nodes/MessagingGateway/sending/retry';
import { VirtualClock } from '../harness/virtualClock';
import { DEFAULTS, newAccount, sendRun } from './engine';
import { randomFrom } from './random';

/** n8n processes that share the pace of a credential, and know nothing of each other. Some are idle, some start and stop. */
export interface PacedWorkers {
	perMinute: number;
	processes: number;
	/** How many of them have messages to send, all the time. */
	busy: number;
	/** How long a process lives on average before another one takes its place at once; by default, forever. */
	lifetimeMs?: number;
	/** The messages per minute that the workflow of every second process asks for; 0 for none. */
	ofWorkflow?: number;
	minutes: number;
	/** How long a request takes to the gateway at most, and the message to its response. */
	networkMs?: number;
	seed: number;
}

export const MINUTE_MS = 60_000;

/** Returns when each message arrives at the gateway, in order. */
export async function arrivalsOf(spec: PacedWorkers): Promise<number[]> {
	const { busy, minutes, lifetimeMs = Infinity, seed, networkMs = 900 } = spec;
	const random = randomFrom(seed);
	const world = new VirtualClock({ random });
	const endMs = minutes * MINUTE_MS;
	const arrivals: number[] = [];
	const send = async () => {
		const latencyMs = random() * networkMs;
		arrivals.push(world.now() + latencyMs);
		await world.sleepUntil(world.now() + 2 * latencyMs);
	};
	let running = busy;
	const work = async (worker: number) => {
		const perMinute = worker % 2 === 1 ? (spec.ofWorkflow ?? 0) : 0;
		while (world.now() < endMs) {
			// From a tenth of the average to almost twice as much.
			const livesMs = lifetimeMs === Infinity ? endMs : lifetimeMs * (0.1 + 1.8 * random());
			const stopsAt = Math.min(endMs, world.now() + livesMs);
			await liveUntil(stopsAt, spec, world, perMinute, send);
		}
		running -= 1;
	};
	for (let worker = 0; worker < busy; worker++) void work(worker);
	await world.run(() => running === 0);
	return arrivals.filter((time) => time < endMs).sort((a, b) => a - b);
}

/** A process that starts now and sends until it is killed. */
async function liveUntil(
	stopsAt: number,
	spec: PacedWorkers,
	world: VirtualClock,
	perMinute: number,
	send: () => Promise<void>,
): Promise<void> {
	const killed = new AbortController();
	world.at(stopsAt, () => killed.abort());
	const pace = readPace({ messagesPerMinute: spec.perMinute, processes: spec.processes });
	const clock = clockOfProcess(world);
	const account = newAccount(clock, 'account', pace);
	/** More than it can send. */
	const count = 2 + Math.ceil((stopsAt - world.now()) / pace!.intervalMs);
	const messages = Array.from({ length: count }, (_, index): Message => ({
		...{ index, account, chat: String(index), hasKey: false, parts: [undefined] },
	}));
	const attempt = async () => {
		await send();
		return { value: undefined };
	};
	const options = { ...DEFAULTS, clock, perMinute, cancelled: killed.signal };
	await sendRun(messages, { attempt }, options);
}

const ROUNDING_MS = 0.001;

/** The steady clock of a process begins when it starts. */
function clockOfProcess(world: VirtualClock): Clock {
	const startedAt = world.now();
	return {
		now: () => world.now() - startedAt,
		date: world.date,
		random: world.random,
		// Sums of times are rounded, and a sleep must not end too early.
		sleepUntil: async (time, ...signals) =>
			await world.sleepUntil(startedAt + time + ROUNDING_MS, ...signals),
	};
}

/** The most messages in any 60 seconds. */
export function largestMinute(arrivals: number[]): number {
	let [from, most] = [0, 0];
	for (const [to, time] of arrivals.entries()) {
		while (arrivals[from]! <= time - MINUTE_MS) from += 1;
		most = Math.max(most, to - from + 1);
	}
	return most;
}

export const PROCESSES = [1, 2, 4, 8, 20];

/** Rows of the table in docs/sending.md: how many of the processes are busy, and how long they live. */
export const SITUATIONS: Array<[string, Pick<PacedWorkers, 'lifetimeMs'>, share: number]> = [
	['All send', {}, 1],
	['Half of them send', {}, 0.5],
	['One sends', {}, 0],
	['All send, and each restarts every 5 minutes', { lifetimeMs: 5 * MINUTE_MS }, 1],
];

/** Returns the messages per minute that arrive, and the most in any minute. */
export async function measurePace(
	perMinute: number,
	processes: number,
	[, lifetime, share]: (typeof SITUATIONS)[number],
	minutes = 60,
) {
	const busy = Math.max(1, Math.floor(processes * share));
	const spec = { ...{ perMinute, processes, busy, minutes }, ...lifetime, seed: processes };
	const arrivals = await arrivalsOf(spec);
	return { perMinute: arrivals.length / minutes, most: largestMinute(arrivals) };
}
