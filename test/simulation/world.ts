import { readPace } from '../../gateway/wire/account';
import { VirtualClock } from '../harness/virtualClock';
import { newAccount } from './engine';
import { VirtualGateway } from './gateway';
import { type Random, randomFrom } from './random';
import type { AccountRecord, RunRecord } from './records';
import { type Rule, RULES } from './rules';
import type { GatewaySpec, Scenario } from './scenario';

/** n8n's sleep cannot be cancelled, so the real clock checks the signal after this time (request/steadyClock.ts). */
export const MAX_ABORT_DELAY_MS = 250;

/** Everything in which the executions of a scenario happen. */
export class World {
	readonly clock: VirtualClock;
	readonly accounts: AccountRecord[];
	readonly runs: RunRecord[] = [];
	/** The time, the rule and what violates it. */
	readonly violations: string[] = [];
	readonly #random: Random;

	constructor(readonly scenario: Scenario) {
		const { seed, timerDelayMs, clockErrorMs } = scenario;
		this.#random = randomFrom(seed);
		const random = this.#random;
		this.clock = new VirtualClock({
			random,
			timerDelayMs: () => random() * timerDelayMs,
			abortDelayMs: () => random() * MAX_ABORT_DELAY_MS,
			clockErrorMs,
		});
		const { gateways, processes = 1 } = scenario;
		const shared = gateways.map((spec, index) => this.#gateway(spec, index));
		this.accounts = Array.from({ length: gateways.length * processes }, (_, index) =>
			this.#account(shared[index % gateways.length]!, index, gateways[index % gateways.length]!),
		);
	}

	#gateway(spec: GatewaySpec, index: number): VirtualGateway {
		// Its own randomness: what happens to one account does not change what happens to another.
		const random = randomFrom(this.scenario.seed + 7_919 * (index + 1));
		return new VirtualGateway(spec, this.clock, random);
	}

	/** What a process knows of an account. */
	#account(gateway: VirtualGateway, index: number, spec: GatewaySpec): AccountRecord {
		const pace = readPace(spec.pace ?? {});
		return {
			name: `account ${index}`,
			engine: newAccount(this.clock, `account ${index}`, pace),
			pace,
			gateway,
			attempts: [],
			pauses: [],
			pausedUntil: -Infinity,
			statusesPausedUntil: -Infinity,
			firstRefusalAt: Infinity,
			refusedSince: Infinity,
			refusedAt: -Infinity,
			refusedUntil: -Infinity,
			refusedTurn: 0,
			refusals: 0,
			refusedSpans: [],
		};
	}

	/** How late two waits in a row end: the delay of a message, and the wait for its turn. */
	get latenessMs(): number {
		return 2 * (this.scenario.timerDelayMs + this.clock.maxLatenessMs);
	}

	expect(rule: Rule, isKept: boolean, details: string): void {
		if (!isKept) this.violates(rule, details);
	}

	violates(rule: Rule, details: string): void {
		this.violations.push(`${this.clock.now()} ms, ${rule}: ${RULES[rule]}; ${details}`);
	}
}
