import { Settings } from 'luxon';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { errorMessage, failureDetails } from '../../gateway/failures/errorMessage';
import type { Failed } from '../../gateway/responses/failure';
import { depth } from '../harness/depth';
import { example, parametersOf } from '../harness/exampleCode';
import { VirtualClock } from '../harness/virtualClock';
import { filterOf, Table } from './dataTable';
import { DEFAULTS, type EngineAccount, newAccount, sendRun, toResult } from './engine';
import { type Random, randomFrom } from './random';
import { type Behaviour, paired, plainNodes, SimulatedWorkflow } from './simulatedWorkflow';
import { type GatewaySpec, SlowGateway } from './slowGateway';

const TRIGGER = 'Every 10 seconds';
const FIRST_OF_BATCH = 'Oldest pending';

export interface OutboxScenario {
	gateway: GatewaySpec;
	rows: IDataObject[];
	campaigns?: IDataObject[];
	seed?: number;
	/** The process is killed at this step: before a database call, after it, or when a message has reached the gateway. */
	killAtStep?: number;
	/** The time at which it starts. Default: that of the virtual clock. */
	startMs?: number;
	/** How many runs start at the same time at first, as if several people press a button. Default: 1. */
	startsAtOnce?: number;
	/** How many processes of n8n take the runs in turn. Default: 1. */
	workers?: number;
	/** Ends the simulation. Default: ten times the shortest time, and an hour. */
	maxMs?: number;
	settings?: IDataObject;
	/** The output of Get Status for a number. Default: it is online. */
	sessionOf?: (number: string) => IDataObject;
	/** Another workflow sends over the same account, at its own rate. */
	other?: { atMs: number; count: number; perMinute: number };
	/** From a time on, the clocks of all workers differ from the right time. The clock of the database is right. */
	clockJump?: { atMs: number; byMs: number };
	/** Now and then, an operation of the database takes so long, before or after it has happened. */
	slowMs?: number;
	/** n8n is off from the first to the second time. Then, all its processes are new. */
	offMs?: [number, number];
}

/** One process of n8n, which remembers the limit of the account until it is killed. */
interface Process {
	isDead?: boolean;
	account: EngineAccount;
}

const START_MS = new VirtualClock().date();
const never = new Promise<never>(() => {});
/** How long a call of the database takes at most. */
const DATABASE_MS = 30;
/** On data tables, for each batch. */
const MAX_OPERATIONS = 12;
/** How many operations are slow, if some are. */
const SLOW_SHARE = 0.05;

/** Runs the outbox until everything is settled, in virtual time. */
export class Simulation {
	readonly clock: VirtualClock;
	readonly gateway: SlowGateway;
	readonly outbox = new Table();
	readonly campaigns = new Table();
	readonly violations = new Set<string>();
	protected readonly tables: Record<string, Table>;
	readonly #workflow: SimulatedWorkflow;
	protected readonly random: Random;
	readonly #workers: Process[];
	/** The process of each execution that has not ended. */
	protected readonly executions = new Map<string, Process>();
	/** Which execution has claimed a row. */
	protected readonly claims = new Map<number, string>();
	/** The executions that are in Send, with their numbers. */
	readonly #sending = new Map<string, Set<unknown>>();
	/** By row: how often it was passed to Send, and its idempotency key. */
	readonly #sends: number[] = [];
	readonly #keys = new Map<number, string>();
	#steps = 0;
	#started = 0;
	/** How many operations on data tables the batch of an execution has had. */
	readonly #operations = new Map<string, number>();

	constructor(
		protected readonly scenario: OutboxScenario,
		private readonly file = '11-outbox-send',
	) {
		this.random = randomFrom(scenario.seed ?? 1);
		const clockErrorMs = (scenario.startMs ?? START_MS) - START_MS;
		this.clock = new VirtualClock({ random: this.random, clockErrorMs });
		// What expressions and Code nodes see as the time.
		Settings.now = () => this.clock.date() + this.#clockErrorMs();
		Settings.defaultZone = 'utc';
		this.gateway = new SlowGateway(scenario.gateway, this.clock);
		this.#workers = Array.from({ length: scenario.workers ?? 1 }, () => this.#newProcess());
		for (const row of scenario.rows) this.outbox.insert(row, this.clock.date());
		for (const row of scenario.campaigns ?? []) this.campaigns.insert(row, 0);
		this.tables = {
			'Messaging outbox': this.outbox,
			'Messaging campaigns': this.campaigns,
			'Messaging opt-outs': new Table(),
			'Messaging known people': new Table(),
			'Messaging keys': new Table(),
			'Messaging appointments': new Table(),
		};
		this.#workflow = this.workflow(file, TRIGGER, scenario.settings);
	}

	/** An example with the tables and the gateway of this simulation, and other values in its settings. */
	protected workflow(
		file: string,
		trigger: string,
		settings: IDataObject = {},
		behaviours: Record<string, Behaviour> = {},
	): SimulatedWorkflow {
		return new SimulatedWorkflow(withSettings(file, settings), trigger, {
			...plainNodes,
			scheduleTrigger: async (_, items) => [items],
			dataTable: async (context, items) => await this.#dataTable(context, items),
			postgres: async (context, items) => [await this.postgres(context, items)],
			messagingGateway: async (context, items) => [await this.#gatewayNode(context, items)],
			...behaviours,
		});
	}

	async run() {
		const { clock, scenario, gateway, outbox } = this;
		const shortestMs = gateway.shortestMs(scenario.rows.length);
		const maxMs = scenario.maxMs ?? 10 * shortestMs + 3_600_000;
		const { rule } = parametersOf(this.file, TRIGGER) as { rule: { interval: [IDataObject] } };
		// Of the runs that find nothing to do, or another run at work, most are left out.
		const everyMs = Number(rule.interval[0].secondsInterval) * 1_000 * depth(3, 1);
		let settledMs = Infinity;
		let failed: unknown;
		const [offFrom, offUntil] = scenario.offMs ?? [Infinity, Infinity];
		if (scenario.offMs) clock.at(offFrom, () => this.killAll());
		const tick = (at: number, count: number) =>
			clock.at(at, () => {
				if (settledMs < Infinity || failed) return;
				for (let start = 0; start < count && !(at >= offFrom && at < offUntil); start++) {
					this.execute().catch((error: unknown) => (failed = error));
				}
				tick(at + everyMs, 1);
			});
		tick(0, scenario.startsAtOnce ?? 1);
		const { other } = scenario;
		if (other) clock.at(other.atMs, () => void this.#sendOther(other));
		let checkAt = 0;
		await clock.run(() => {
			if (settledMs === Infinity && clock.now() >= checkAt) {
				checkAt = clock.now() + 1_000;
				if (this.isSettled()) settledMs = clock.now();
			}
			const isOver = settledMs < Infinity && this.executions.size === 0;
			return failed !== undefined || clock.now() > maxMs || isOver;
		});
		if (failed) throw failed as Error;
		return {
			rows: outbox.get([]),
			campaigns: this.campaigns.get([]),
			/** What must not happen. */
			violations: [...this.violations],
			/** When the last row was settled. */
			settledMs,
			shortestMs,
			delivered: gateway.delivered,
			/** How many times each row was passed to Send. */
			sends: outbox.rows.map(({ id }) => this.#sends[id] ?? 0),
			requests: gateway.requests,
			arrivals: gateway.arrivals,
			steps: this.#steps,
		};
	}

	protected isSettled(): boolean {
		return this.outbox.rows.every(({ status }) => !OPEN.includes(status));
	}

	protected async postgres(
		_context: IExecuteFunctions,
		_items: INodeExecutionData[],
	): Promise<INodeExecutionData[]> {
		return await Promise.reject(new Error('There is no PostgreSQL'));
	}

	/** Whether only one run may send for a number. */
	protected isExclusive(): boolean {
		return true;
	}

	#clockErrorMs(): number {
		const { atMs, byMs } = this.scenario.clockJump ?? { atMs: Infinity, byMs: 0 };
		return this.clock.now() >= atMs ? byMs : 0;
	}

	#newProcess(): Process {
		return { account: newAccount(this.clock, 'account') };
	}

	protected async execute(workflow = this.#workflow, item: IDataObject = {}): Promise<void> {
		const number = this.#started++;
		const id = String(number + 1);
		this.executions.set(id, this.#workers[number % this.#workers.length]!);
		await workflow.execute(id, item);
		this.executions.delete(id);
	}

	protected killAll(): void {
		for (const process of [...this.#workers]) this.#kill(process);
	}

	#kill(process: Process): void {
		process.isDead = true;
		this.#workers[this.#workers.indexOf(process)] = this.#newProcess();
		for (const [id, { isDead }] of this.executions) if (isDead) this.executions.delete(id);
	}

	/** Nothing of a killed process goes on. Another one takes its place. */
	async #step(context: IExecuteFunctions): Promise<void> {
		const process = this.executions.get(context.getExecutionId());
		if (process && this.#steps++ === this.scenario.killAtStep) this.#kill(process);
		if (!this.executions.has(context.getExecutionId())) await never;
	}

	protected async transaction<Value>(
		context: IExecuteFunctions,
		run: () => Value | Promise<Value>,
	): Promise<Value> {
		await this.#wait();
		await this.#step(context);
		const value = await run();
		await this.#step(context);
		if (this.scenario.slowMs) await this.#wait();
		return value;
	}

	async #wait(): Promise<void> {
		const { slowMs = 0 } = this.scenario;
		const isSlow = slowMs > 0 && this.random() < SLOW_SHARE;
		const ms = (isSlow ? slowMs : DATABASE_MS) * this.random();
		await this.clock.sleepUntil(this.clock.now() + ms);
	}

	async #dataTable(context: IExecuteFunctions, items: INodeExecutionData[]) {
		const operation: string = context.getNodeParameter('operation', 0);
		const output: INodeExecutionData[] = [];
		for (const item of items.keys()) {
			const { json } = items[item]!;
			const call = () => this.#call(context, operation, item, json);
			const list = await this.transaction(context, call);
			output.push(...list.map((json) => ({ json, pairedItem: { item } })));
		}
		return [output];
	}

	#call(context: IExecuteFunctions, operation: string, item: number, json: IDataObject) {
		if (operation === 'create') return [{}];
		this.#count(context.getExecutionId(), context.getNode().name);
		const parameter = (name: string, fallback?: unknown): unknown =>
			context.getNodeParameter(name, item, fallback);
		const table = this.tables[(parameter('dataTableId') as { value: string }).value]!;
		const now = Settings.now();
		const values = () => (parameter('columns') as { value: IDataObject }).value;
		if (operation === 'insert') return [table.insert(values(), now)];
		const filter = filterOf(parameter);
		if (operation === 'get') {
			const limit = parameter('returnAll', false) ? Infinity : parameter('limit', 50);
			return table.get(filter, limit as number);
		}
		const ids = table.find(filter).map(({ id }) => id);
		if (operation === 'rowNotExists') return ids.length === 0 ? [json] : [];
		if (operation === 'upsert' && ids.length === 0) return [table.insert(values(), now)];
		if (!['update', 'upsert'].includes(operation)) throw new Error(`There is no ${operation}`);
		const changes = values();
		if (table === this.outbox) this.#checkUpdate(context.getExecutionId(), ids, changes);
		return table.update(filter, changes, now);
	}

	/** Everything from one look at the outbox to the next one belongs to a batch. */
	#count(execution: string, node: string): void {
		if (node === FIRST_OF_BATCH) this.#operations.set(execution, 0);
		const count = this.#operations.get(execution);
		if (count === undefined) return;
		this.#operations.set(execution, count + 1);
		if (count >= MAX_OPERATIONS) this.violations.add('a batch costs too many operations');
	}

	#checkUpdate(execution: string, ids: number[], values: IDataObject): void {
		const { status } = values;
		if (!('status' in values) || ids.length === 0) return;
		if (!status) this.violations.add('a row loses its status');
		for (const id of ids) {
			const holder = this.claims.get(id);
			if (holder !== undefined && holder !== execution && this.executions.has(holder))
				this.violations.add(
					`${status === 'sending' ? 'claimed' : 'released'} while its holder lives`,
				);
			if (status === 'sending') this.claims.set(id, execution);
			else this.claims.delete(id);
		}
	}

	async #gatewayNode(context: IExecuteFunctions, items: INodeExecutionData[]) {
		const operation: string = context.getNodeParameter('operation', 0, 'send');
		if (operation === 'status') {
			const { sessionOf = () => ({ online: true }) } = this.scenario;
			return paired(items, ({ number }) => sessionOf(number as string));
		}
		if (operation === 'check') {
			return paired(items, (_, item) => {
				const phone = context.getNodeParameter('chatId.value', item) as string;
				return /^\+\d{8,15}$/.test(phone)
					? { identity: phone.slice(1), chatId: phone.slice(1) }
					: { error: 'Invalid' };
			});
		}
		const execution = context.getExecutionId();
		const numbers = new Set<unknown>(items.map((item) => item.json.number || ''));
		for (const [other, own] of this.#sending) {
			const isSame = this.isExclusive() && [...own].some((one) => numbers.has(one));
			if (this.executions.has(other) && isSame) this.violations.add('two runs send for one number');
		}
		for (const item of items) this.#checkSend(execution, Number(item.json.id));
		this.#sending.set(execution, numbers);
		const output = await this.#send(context, items);
		this.#sending.delete(execution);
		return output;
	}

	async #sendOther({ count, perMinute }: NonNullable<OutboxScenario['other']>): Promise<void> {
		const { account } = this.#workers[0]!;
		const messages = Array.from({ length: count }, (_, index) => {
			return { index, chat: `other ${index}`, account, parts: [undefined], hasKey: false };
		});
		const sender = { attempt: async () => ({ value: {} }) };
		await sendRun(messages, sender, { ...DEFAULTS, clock: this.clock, perMinute });
	}

	#checkSend(execution: string, id: number): void {
		this.#sends[id] = (this.#sends[id] ?? 0) + 1;
		if (this.claims.get(id) !== execution)
			this.violations.add('sent by a run that does not hold it');
	}

	#checkKey(id: number, key: string): void {
		if ((this.#keys.get(id) ?? key) !== key) this.violations.add('sent with another key');
		this.#keys.set(id, key);
	}

	/** With the node's own engine: rate limit, retries, Max Wait. */
	async #send(context: IExecuteFunctions, items: INodeExecutionData[]) {
		const { clock } = this;
		const option = (name: string, fallback: number) =>
			context.getNodeParameter(name, 0, fallback) as number;
		const timeoutMs = context.getNodeParameter('requestOptions.timeout', 0, 300_000) as number;
		const { account } = this.executions.get(context.getExecutionId())!;
		const messages = items.map((_, index) => {
			const chat = context.getNodeParameter('chatId.value', index) as string;
			return { index, chat, account, parts: [undefined], hasKey: true };
		});
		const { results } = await sendRun(
			messages,
			{
				attempt: async ({ index }) => {
					await this.#step(context);
					const key = context.getNodeParameter('options.idempotencyKey', index) as string;
					this.#checkKey(Number(items[index]!.json.id), key);
					const reply = this.gateway.send(key, timeoutMs);
					await this.#step(context);
					return toResult(await reply, true, true, clock.date());
				},
			},
			{
				...DEFAULTS,
				clock,
				concurrency: option('advancedOptions.concurrency', 10),
				maxTries: option('advancedOptions.maxTries', 3),
				maxWaitMs: option('advancedOptions.maxWait', 60) * 1_000,
				sendWithinMs: option('options.sendWithin', 0) * 1_000 || Infinity,
				perMinute: option('options.pace.values.messagesPerMinute', 0),
			},
		);
		return paired(items, (_, item) => {
			const result = results.get(item)!;
			return 'value' in result ? { outcome: 'sent' } : failedJson(result);
		});
	}
}

const OPEN = ['pending', 'sending'];

const failedJson = (failed: Failed) => {
	const details = failureDetails(failed);
	const suffix = details.retry === 'check' ? '; unknown: it may have been sent' : '';
	return { error: errorMessage(failed.failure).message + suffix, details };
};

function withSettings(file: string, settings: IDataObject) {
	const copy = structuredClone(example(file));
	for (const { name, parameters } of copy.nodes) {
		if (!/settings$/i.test(name) || !parameters.assignments) continue;
		const { assignments } = parameters.assignments as {
			assignments: Array<{ name: string; value: unknown }>;
		};
		for (const one of assignments) one.value = settings[one.name] ?? one.value;
	}
	return copy;
}

export const simulate = async (scenario: OutboxScenario) => await new Simulation(scenario).run();
