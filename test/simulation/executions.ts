import { getEventListeners } from 'node:events';

import {
	connectionFailure,
	type RequestFailure,
	type Result,
	TIMEOUT,
} from '../../gateway/responses/failure';
import type { Message } from '../../nodes/MessagingGateway/sending/retry';
import { attempt, type InFlight } from './attempts';
import { checkReading, checkRun, checkStatus } from './checks';
import { DEFAULTS, type EngineAccount, sendRun } from './engine';
import { type Random, randomFrom } from './random';
import {
	type AccountRecord,
	type MessageRecord,
	type OnlineCheck,
	partsOf,
	type RunRecord,
	UNLOADABLE,
} from './records';
import type { ExecutionSpec, RunSpec, StatusSpec } from './scenario';
import type { World } from './world';

/** One virtual execution of a workflow or a trigger, which the user may cancel. */
class Execution {
	readonly inFlight: InFlight = new Set();
	/** The status requests that a run waits for, which end with it. */
	readonly children = new Set<Execution>();
	readonly #abort = new AbortController();
	run?: RunRecord;

	constructor(
		readonly world: World,
		readonly name: string,
		cancelAfterMs?: number,
	) {
		if (cancelAfterMs === undefined) return;
		if (cancelAfterMs === 0) this.cancel();
		else world.clock.at(world.clock.now() + cancelAfterMs, () => this.cancel());
	}

	get signal(): AbortSignal {
		return this.#abort.signal;
	}

	cancel(): void {
		const { run, world } = this;
		if (run?.endedAt === Infinity) run.cancelledAt = world.clock.now();
		this.#abort.abort();
		for (const end of this.inFlight) end();
		this.inFlight.clear();
		for (const child of this.children) child.cancel();
	}

	begin(details: Partial<RunRecord> & Pick<RunRecord, 'kind' | 'timeoutMs'>): RunRecord {
		const run: RunRecord = {
			name: this.name,
			pace: DEFAULTS,
			concurrency: 1,
			maxTries: 1,
			maxWaitMs: Infinity,
			stopOnFailure: false,
			deadline: Infinity,
			startedAt: this.world.clock.now(),
			endedAt: Infinity,
			messages: new Map(),
			attempts: [],
			inFlight: 0,
			reading: [],
			checks: new Map(),
			waiting: 0,
			lastOfChat: new Map(),
			...details,
		};
		if (this.signal.aborted) run.cancelledAt = run.startedAt;
		this.world.runs.push(run);
		this.run = run;
		return run;
	}

	/** Records the end of a run, and that nothing of it remains. */
	end(run: RunRecord): void {
		const { world, signal } = this;
		run.endedAt = world.clock.now();
		for (const child of this.children) child.cancel();
		const isDone = run.inFlight === 0 || run.cancelledAt !== undefined;
		world.expect('leaked', isDone, `${run.name} ended with requests in flight`);
		const ofClock = world.clock.listensTo(signal) ? 1 : 0;
		const isLeft = getEventListeners(signal, 'abort').length > ofClock && !signal.aborted;
		world.expect('leaked', !isLeft, `${run.name} left a listener`);
	}
}

/** Schedules all executions of the scenario. Returns how many of them have not ended. */
export function schedule(world: World): () => number {
	let running = 0;
	const { clock, scenario } = world;
	for (const [index, spec] of scenario.executions.entries()) {
		const { times, everyMs } = spec;
		for (let time = 0; time < times; time++) {
			running += 1;
			const name = `${spec.kind} ${index}${times > 1 ? ` (${time + 1} of ${times})` : ''}`;
			clock.at(spec.atMs + time * everyMs, () => {
				execute(world, spec, name)
					.catch((error: unknown) => world.violates('unexpectedError', String(error)))
					.finally(() => (running -= 1));
			});
		}
	}
	return () => running;
}

async function execute(world: World, spec: ExecutionSpec, name: string): Promise<void> {
	const execution = new Execution(world, name, spec.cancelAfterMs);
	if (spec.kind === 'run') await executeRun(execution, spec);
	else await requestStatus(execution, spec);
}

async function executeRun(execution: Execution, spec: RunSpec): Promise<void> {
	const { concurrency, maxTries, maxWaitMs, timeoutMs, stopOnFailure } = spec;
	const limits = { concurrency, maxTries, maxWaitMs, timeoutMs, stopOnFailure };
	const run = execution.begin({ kind: 'run', pace: spec, ...limits });
	const items = new Items(execution, run, spec);
	const { world, signal, inFlight } = execution;
	const sender = {
		failureIfNotReady: items.failureIfNotReady,
		loadsEarly: () => spec.loadMs > 0,
		load: items.load,
		attempt: async (_: Item, part: MessageRecord) => await attempt(world, part, inFlight),
	};
	const options = { ...spec, clock: world.clock, cancelled: signal };
	const result = await sendRun<Item>(items.next, sender, options);
	execution.end(run);
	checkRun(world, run, spec.count, result);
}

const INVALID: RequestFailure = { kind: 'invalidInput', error: new Error('invalid') };

type Item = Message & { parts: MessageRecord[] };

/** The messages of a run, which the engine reads one by one. */
class Items {
	#index = 0;
	readonly #random: Random;

	constructor(
		private readonly execution: Execution,
		private readonly run: RunRecord,
		private readonly spec: RunSpec,
	) {
		this.#random = randomFrom(execution.world.scenario.seed + spec.count);
	}

	next = async () => {
		const { spec, run } = this;
		const index = this.#index++;
		if (index >= spec.count) return undefined;
		const { busyMs, waitMs } = spec.reading;
		if (busyMs > 0 || waitMs > 0) await this.#sleep(waitMs, busyMs);
		if (index === spec.invalid) {
			run.invalid = index;
			return { index, failure: INVALID };
		}
		const record = this.#message(index);
		run.messages.set(index, record);
		run.waiting += 1;
		checkReading(this.execution.world, run, spec);
		const { account, chat, key } = record;
		const hasKey = key !== undefined;
		return { index, account: account.engine, chat, parts: partsOf(record), hasKey };
	};

	load = async (_message: Message, { index }: MessageRecord): Promise<Result<Buffer>> => {
		const { loadMs, unloadable } = this.spec;
		if (loadMs === 0) return { value: Buffer.alloc(0) };
		await this.#sleep(loadMs);
		return index === unloadable ? { failure: UNLOADABLE } : { value: Buffer.alloc(0) };
	};

	/** As with When Offline: one status request for all messages to the account. */
	failureIfNotReady = async (engine: EngineAccount, stopped: AbortSignal) => {
		const { spec, run } = this;
		if (!spec.checksOnline) return undefined;
		const { world, children, name } = this.execution;
		const account = world.accounts.find((one) => one.engine === engine)!;
		const status = new Execution(world, `${name}, status of ${account.name}`);
		children.add(status);
		stopped.addEventListener('abort', () => status.cancel());
		const startedAt = world.clock.now();
		const check: OnlineCheck = { startedAt, endedAt: Infinity, failedTurn: Infinity };
		run.checks.set(account, check);
		const result = await requestStatus(status, {
			account: world.accounts.indexOf(account),
			timeoutMs: spec.timeoutMs,
			deadlineMs: CHECK_DEADLINE_MS,
		});
		check.endedAt = world.clock.now();
		if (status.signal.aborted || (result && 'value' in result)) return undefined;
		check.failure = result?.failure ?? connectionFailure(TIMEOUT);
		check.failedTurn = world.clock.turn;
		return { failure: check.failure };
	};

	/** Not for a reason that the engine has. */
	async #sleep(waitMs: number, busyMs = 0): Promise<void> {
		const { world, signal } = this.execution;
		const from = world.clock.now();
		if (busyMs > 0) world.clock.keepBusy(busyMs);
		if (waitMs > 0) await world.clock.sleepUntil(world.clock.now() + waitMs, signal);
		this.run.reading.push({ from, to: world.clock.now() });
	}

	#message(index: number): MessageRecord {
		const { spec, run } = this;
		const { name, world } = this.execution;
		const ofChat = Math.floor(this.#random() * spec.chats);
		const chat = spec.chats >= spec.count ? index : ofChat;
		const account = accountOf(world, spec.accounts[index % spec.accounts.length]!);
		const hasKey = spec.keys === 'all' || (spec.keys === 'some' && this.#random() < 0.5);
		return inParts(spec.parts, {
			run,
			account,
			index,
			chat: `${chat} ${account.name}`,
			key: hasKey ? `${name}, ${index}` : undefined,
			isRejected: index === spec.rejected,
		});
	}
}

const CHECK_DEADLINE_MS = 15_000;

/** Only the last part is rejected. */
function inParts(
	parts: number,
	details: Omit<MessageRecord, 'name' | 'part' | 'laterParts' | 'attempts'>,
): MessageRecord {
	const { run, index, key, isRejected } = details;
	const [first, ...laterParts] = Array.from({ length: parts }, (_, part): MessageRecord => ({
		...details,
		name: `${run.name}, message ${index}`,
		key: key === undefined || part === 0 ? key : `${key}, part ${part}`,
		isRejected: isRejected && part === parts - 1,
		part,
		laterParts: [],
		attempts: [],
	}));
	return { ...first!, laterParts };
}

/** Shrinking may leave fewer accounts than a scenario refers to. */
const accountOf = ({ accounts }: World, index: number): AccountRecord =>
	accounts[index % accounts.length]!;

async function requestStatus(
	execution: Execution,
	spec: Pick<StatusSpec, 'account' | 'timeoutMs' | 'deadlineMs'>,
): Promise<Result<unknown> | undefined> {
	const { clock } = execution.world;
	const deadline = spec.deadlineMs === undefined ? Infinity : clock.now() + spec.deadlineMs;
	const run = execution.begin({ kind: 'status', timeoutMs: spec.timeoutMs, deadline });
	const { world, inFlight } = execution;
	const account = accountOf(world, spec.account);
	const message = inParts(1, { run, account, index: 0, chat: '', isRejected: false });
	run.messages.set(0, message);
	const result = await account.engine.scheduler.sendNonMessage(
		async () => await attempt(world, message, inFlight),
		execution.signal,
		deadline,
	);
	execution.end(run);
	checkStatus(world, message, result);
	return result;
}
