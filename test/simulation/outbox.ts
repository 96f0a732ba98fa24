import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { errorMessage, failureDetails } from '../../gateway/errors/errorMessage';
import type { Failed } from '../../gateway/replies/failure';
import { VirtualClock } from '../harness/virtualClock';
import { DEFAULTS, type EngineAccount, newAccount, sendRun, toResult } from './engine';
import { type Random, randomFrom } from './random';
import { type GatewaySpec, SlowGateway } from './slowGateway';
import {
	dataTable,
	plainNodes,
	type readWorkflow,
	SimulatedWorkflow,
	useClock,
} from './simulatedWorkflow';
import { Table } from './dataTable';

export interface OutboxScenario {
	gateway: GatewaySpec;
	rows: IDataObject[];
	campaigns?: IDataObject[];
	seed?: number;
	/** The process is killed at this step: before a database call, after it, or when a message has reached the gateway. */
	killAtStep?: number;
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
}

export interface OutboxOutcome {
	rows: IDataObject[];
	campaigns: IDataObject[];
	/** What must not happen. */
	violations: string[];
	/** When the last row was settled. */
	settledMs: number;
	shortestMs: number;
	delivered: Map<string, number>;
	/** How many times each row was passed to Send. */
	sends: number[];
	requests: number;
	steps: number;
}

/** One process of n8n, which remembers the limit of the account until it is killed. */
interface Process {
	isDead?: boolean;
	account: EngineAccount;
}

const never = new Promise<never>(() => {});
/** How long a call of the database takes at most. */
const DATABASE_MS = 30;

/** Runs the outbox until everything is settled, in virtual time. */
class Simulation {
	readonly clock: VirtualClock;
	readonly gateway: SlowGateway;
	readonly outbox = new Table();
	readonly campaigns = new Table();
	readonly violations = new Set<string>();
	readonly #workflow: SimulatedWorkflow;
	readonly #random: Random;
	readonly #workers: Process[];
	/** The process of each execution that has not ended. */
	readonly #executions = new Map<string, Process>();
	/** Which execution has claimed a row. */
	readonly #claims = new Map<number, string>();
	/** The executions that are in Send, with their numbers. */
	readonly #sending = new Map<string, Set<unknown>>();
	/** By row: how often it was passed to Send, and its idempotency key. */
	readonly #sends: number[] = [];
	readonly #keys = new Map<number, string>();
	#steps = 0;
	#started = 0;

	constructor(
		file: ReturnType<typeof readWorkflow>,
		private readonly scenario: OutboxScenario,
	) {
		this.#random = randomFrom(scenario.seed ?? 1);
		this.clock = new VirtualClock({ random: this.#random });
		useClock(this.clock);
		this.gateway = new SlowGateway(scenario.gateway, this.clock);
		this.#workers = Array.from({ length: scenario.workers ?? 1 }, () => this.#newProcess());
		for (const row of scenario.rows) this.outbox.insert(row, this.clock.date());
		for (const row of scenario.campaigns ?? []) this.campaigns.insert(row, 0);
		const tables = {
			'Messaging outbox': this.outbox,
			'Messaging campaigns': this.campaigns,
			'Messaging opt-outs': new Table(),
			'Messaging known people': new Table(),
		};
		this.#workflow = new SimulatedWorkflow(withSettings(file, scenario.settings), {
			...plainNodes,
			scheduleTrigger: async (_, items) => [items],
			dataTable: dataTable(
				tables,
				async (context, run) => await this.#transaction(context, run),
				() => this.clock.date(),
				(context, table, ids, values) => {
					if (table === this.outbox) this.#checkUpdate(context.getExecutionId(), ids, values);
				},
			),
			messagingGateway: async (context, items) => await this.#gatewayNode(context, items),
		});
	}

	async run(): Promise<OutboxOutcome> {
		const { clock, scenario, gateway, outbox } = this;
		const shortestMs = gateway.shortestMs(scenario.rows.length);
		const maxMs = scenario.maxMs ?? 10 * shortestMs + 3_600_000;
		const everyMs = this.#workflow.everySeconds * 1_000;
		const isSettled = () => outbox.rows.every(({ status }) => !OPEN.includes(status));
		let settledMs = Infinity;
		let failed: unknown;
		const tick = (at: number, count: number) =>
			clock.at(at, () => {
				if (settledMs < Infinity || failed) return;
				for (let start = 0; start < count; start++) {
					this.#execute().catch((error: unknown) => (failed = error));
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
				if (isSettled()) settledMs = clock.now();
			}
			const isOver = settledMs < Infinity && this.#executions.size === 0;
			return failed !== undefined || clock.now() > maxMs || isOver;
		});
		if (failed) throw failed as Error;
		return {
			rows: outbox.get([], Infinity),
			campaigns: this.campaigns.get([], Infinity),
			violations: [...this.violations],
			settledMs,
			shortestMs,
			delivered: gateway.delivered,
			sends: outbox.rows.map(({ id }) => this.#sends[id] ?? 0),
			requests: gateway.requests,
			steps: this.#steps,
		};
	}

	#newProcess(): Process {
		return { account: newAccount(this.clock, 'account') };
	}

	async #execute(): Promise<void> {
		const number = this.#started++;
		const id = String(number + 1);
		this.#executions.set(id, this.#workers[number % this.#workers.length]!);
		await this.#workflow.execute(id);
		this.#executions.delete(id);
	}

	/** Nothing of a killed process goes on. Another one takes its place. */
	async #step(context: IExecuteFunctions): Promise<void> {
		const process = this.#executions.get(context.getExecutionId());
		if (process && this.#steps++ === this.scenario.killAtStep) {
			process.isDead = true;
			this.#workers[this.#workers.indexOf(process)] = this.#newProcess();
			for (const [id, { isDead }] of this.#executions) if (isDead) this.#executions.delete(id);
		}
		if (!this.#executions.has(context.getExecutionId())) await never;
	}

	async #transaction<Value>(context: IExecuteFunctions, run: () => Value): Promise<Value> {
		const { clock } = this;
		await clock.sleepUntil(clock.now() + DATABASE_MS * this.#random());
		await this.#step(context);
		const value = run();
		await this.#step(context);
		return value;
	}

	#checkUpdate(execution: string, ids: number[], { status }: IDataObject): void {
		if (status === undefined) return;
		for (const id of ids) {
			const holder = this.#claims.get(id);
			if (holder !== undefined && holder !== execution && this.#executions.has(holder))
				this.violations.add(
					`${status === 'sending' ? 'claimed' : 'released'} while its holder lives`,
				);
			if (status === 'sending') this.#claims.set(id, execution);
			else this.#claims.delete(id);
		}
	}

	async #gatewayNode(context: IExecuteFunctions, items: INodeExecutionData[]) {
		const operation: string = context.getNodeParameter('operation', 0, 'send');
		if (operation === 'status') {
			const { sessionOf = () => ({ online: true }) } = this.scenario;
			return [
				items.map(({ json: { number } }, item) => ({
					json: sessionOf(number as string),
					pairedItem: { item },
				})),
			];
		}
		const execution = context.getExecutionId();
		const numbers = new Set<unknown>(items.map((item) => item.json.number || ''));
		for (const [other, own] of this.#sending) {
			if (this.#executions.has(other) && [...own].some((one) => numbers.has(one)))
				this.violations.add('two runs send for one number');
		}
		for (const item of items) this.#checkSend(execution, Number(item.json.id));
		this.#sending.set(execution, numbers);
		const output = await this.#send(context, items);
		this.#sending.delete(execution);
		return [output];
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
		if (this.#claims.get(id) !== execution)
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
			context.getNodeParameter(`options.${name}`, 0, fallback) as number;
		const timeoutMs = context.getNodeParameter('requestOptions.timeout', 0, 300_000) as number;
		const { account } = this.#executions.get(context.getExecutionId())!;
		const messages = items.map((_, index) => {
			const chat = context.getNodeParameter('chatId', index) as string;
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
				concurrency: option('concurrency', 10),
				maxTries: option('maxTries', 3),
				maxWaitMs: option('maxWait', 60) * 1_000,
				sendWithinMs: option('sendWithin', 0) * 1_000,
				perMinute: option('messagesPerMinute', 0),
			},
		);
		return items.map((_, item) => {
			const result = results.get(item)!;
			const json = 'value' in result ? { outcome: 'sent' } : failedJson(result);
			return { json, pairedItem: { item } };
		});
	}
}

const OPEN = ['pending', 'sending'];

const failedJson = (failed: Failed) => {
	const details = failureDetails(failed);
	const suffix = details.retry === 'check' ? '; unknown: it may have been sent' : '';
	return { error: errorMessage(failed.failure).message + suffix, details };
};

function withSettings(file: ReturnType<typeof readWorkflow>, settings: IDataObject = {}) {
	const copy = structuredClone(file);
	const { assignments } = copy.nodes.find(({ name }) => name === 'Settings')!.parameters
		.assignments as { assignments: Array<{ name: string; value: unknown }> };
	for (const one of assignments) one.value = settings[one.name] ?? one.value;
	return copy;
}

export const simulateOutbox = async (
	file: ReturnType<typeof readWorkflow>,
	scenario: OutboxScenario,
): Promise<OutboxOutcome> => await new Simulation(file, scenario).run();
