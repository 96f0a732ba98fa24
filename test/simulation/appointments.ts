import { createHmac } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { DateTime } from 'luxon';

import { parametersOf } from '../harness/exampleCode';
import { type OutboxScenario, Simulation } from './outbox';
import { type Random, randomFrom } from './random';
import { type Behaviour, paired, plainNodes, type SimulatedWorkflow } from './simulatedWorkflow';

const REMIND = '17-appointments-remind';
const PAGE = '17-appointments-page';
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const ZONE = 'Europe/London';
const PATIENCE_MS = 15 * MINUTE_MS;
const OPT_OUT_KEY = 'key of opt-outs';
const SOURCE = 'Test calendar';
export const SETTINGS = {
	timezone: ZONE,
	owner: '+447700900999',
	page: 'https://n8n.example/webhook/appointment',
};

interface Event {
	id: string;
	phone: string;
	startsAt: number;
	status: string;
}
/** What the calendar said about an event, from a time on. */
type History = Array<Event & { from: number }>;

export interface Plan {
	seed: number;
	startMs: number;
	days: number;
	appointments: number;
	/** How often n8n is off for hours, and how often it is killed. */
	outages: number;
	kills: number;
}

export interface Message {
	at: number;
	kind: string;
	startsAt: number;
	person: string;
	text: string;
}

const hmacOf = (value: string, key: string) =>
	createHmac('sha256', key).update(value).digest('hex');

/** Nodes that the outbox does not have. */
function otherNodes(calendar: () => IDataObject[]): Record<string, Behaviour> {
	return {
		httpRequest: async () => [[{ json: { statusCode: 200 } }]],
		noOp: async () => [calendar().map((json) => ({ json }))],
		respondToWebhook: async (_, items) => [paired(items, (json) => json)],
		webhook: async (_, items) => [items],
		async crypto(context, items) {
			const parameter = (name: string, item: number) =>
				context.getNodeParameter(name, item, '') as string;
			return [
				paired(items, (json, item) => {
					const isNew = parameter('action', item) === 'generate';
					const value = isNew
						? 'f'.repeat(64)
						: hmacOf(parameter('value', item), parameter('secret', item));
					return { ...json, [parameter('dataPropertyName', item)]: value };
				}),
			];
		},
		async filter(context, items) {
			const [kept] = await plainNodes.if!(context, items);
			return [kept!];
		},
	};
}

/** Weeks of a business, in virtual time: its calendar, example 17 with both workflows, and the outbox. */
export class Business extends Simulation {
	readonly histories = new Map<string, History>();
	/** By person: when they opted out, and what they pressed on the page about which time. */
	readonly optedOut = new Map<string, number>();
	readonly answers: Array<Message & { answer: string }> = [];
	/** What the summary has said about the reminders of a person and a time. */
	readonly said = new Map<string, Set<string>>();
	readonly #remind: SimulatedWorkflow;
	readonly #page: SimulatedWorkflow;
	readonly #draw: Random;
	readonly #outages: Array<[number, number]> = [];

	constructor(private readonly given: Plan) {
		const { startMs, seed } = given;
		const scenario: OutboxScenario = {
			...{ gateway: { perMinute: 60, secondsPerMessage: 1, oneAtATime: false }, rows: [] },
			...{ startMs, seed },
		};
		super(scenario);
		this.#draw = randomFrom(seed);
		const others = {
			...otherNodes(() => this.#calendar()),
			code: async (context, items) => {
				const output = await plainNodes.code!(context, items);
				if (context.getNode().name === 'Plan') this.#read(output[0]!.at(-1)!.json);
				return output;
			},
		} satisfies Record<string, Behaviour>;
		this.#remind = this.workflow(REMIND, 'Every 10 minutes', SETTINGS, others);
		this.#page = this.workflow(PAGE, 'Answer pressed', {}, others);
		this.tables['Messaging keys']!.insert({ name: 'opt-out links', key: OPT_OUT_KEY }, 0);
	}

	get now() {
		return this.clock.date();
	}

	isOff = (at: number) => this.#outages.some(([from, until]) => at >= from && at < until);

	async play(): Promise<Message[]> {
		const { startMs, days } = this.given;
		const untilMs = days * DAY_MS;
		this.#schedule();
		let failed: unknown;
		const caught = (error: unknown) => (failed = error);
		const every = (ms: number, isDue: () => boolean, run: () => Promise<void>) => {
			const tick = (at: number) => {
				if (at > untilMs) return;
				this.clock.at(at, () => {
					if (!this.isOff(startMs + at) && isDue()) run().catch(caught);
					tick(at + ms);
				});
			};
			tick(0);
		};
		const { rule } = parametersOf(REMIND, 'Every 10 minutes') as {
			rule: { interval: [IDataObject] };
		};
		const minutes = Number(rule.interval[0].minutesInterval);
		// Another minute than the reminders of full hours, as in n8n.
		every(
			minutes * MINUTE_MS,
			() => true,
			async () => await this.execute(this.#remind),
		);
		every(
			10_000,
			() => this.#isDue(),
			async () => await this.execute(),
		);
		await this.clock.run(() => failed !== undefined || this.clock.now() > untilMs + HOUR_MS);
		if (failed) throw failed as Error;
		return this.#messages();
	}

	#read({ lines }: IDataObject): void {
		for (const { phone, startsAt, states } of lines as IDataObject[]) {
			const key = `${(phone as string).slice(1)} ${startsAt as number}`;
			const all = this.said.get(key) ?? new Set();
			for (const [index, state] of (states as string[]).entries())
				all.add(`${Object.keys(HOURS)[index]!}: ${state}`);
			this.said.set(key, all);
		}
	}

	/** A run of the outbox that finds nothing changes nothing. */
	#isDue(): boolean {
		const now = this.now;
		return this.outbox.rows.some(
			({ status, nextAttemptAt, expiresAt }) =>
				status === 'sending' ||
				(status === 'pending' &&
					((nextAttemptAt as number) <= now || (expiresAt as number) <= now)),
		);
	}

	/** From yesterday on, as Google's node reads it. Calendars contain events twice: with the same ID, and with another one. */
	#calendar(): IDataObject[] {
		const events = [...this.histories.values()].flatMap((history) => {
			const event = history.findLast(({ from }) => from <= this.now);
			return event && event.startsAt >= this.now - DAY_MS ? [event] : [];
		});
		const asItem = ({ id, phone, startsAt, status }: Event): IDataObject => ({
			...{ source: SOURCE, id, phone, status, name: 'Ada', title: 'Visit' },
			startsAt: new Date(startsAt).toISOString(),
			endsAt: new Date(startsAt + HOUR_MS).toISOString(),
		});
		return [
			{ source: SOURCE, isRead: true },
			...events.flatMap((event, index) => {
				const copies = index % 7 === 0 ? [event, event] : [event];
				const other = index % 5 === 0 ? [{ ...event, id: `${event.id} again` }] : [];
				return [...copies, ...other].map(asItem);
			}),
		];
	}

	#schedule(): void {
		const { startMs, days, appointments, outages, kills } = this.given;
		const draw = (most: number) => Math.floor(most * this.#draw());
		const openDay = (at: number) =>
			DateTime.fromMillis(startMs, { zone: ZONE })
				.startOf('day')
				.plus({ days: Math.max(0, Math.floor((at - startMs) / DAY_MS)) })
				.set({ hour: 7 + draw(13), minute: 15 * draw(4) })
				.toMillis();
		const at = (ms: number, run: () => void) => this.clock.at(ms - startMs, run);
		for (let index = 0; index < appointments; index++) {
			const phone = `+4477009${String(index).padStart(5, '0')}`;
			const first = openDay(startMs + draw(days * DAY_MS));
			const booked = { id: `event ${index}`, phone, startsAt: first, status: 'booked' };
			const history: History = [{ ...booked, from: first - draw(6 * DAY_MS) }];
			for (let moves = draw(3); moves > 0; moves--) {
				const from = history.at(-1)!.from + draw(3 * DAY_MS);
				const startsAt = openDay(from + draw(4 * DAY_MS));
				history.push({ ...booked, startsAt, from });
			}
			if (draw(4) === 0) {
				const last = history.at(-1)!;
				history.push({ ...last, from: last.from + draw(2 * DAY_MS), status: 'cancelled' });
			}
			this.histories.set(phone.slice(1), history);
			if (draw(8) === 0) at(startMs + draw(days * DAY_MS), () => this.#optOut(phone.slice(1)));
		}
		for (let index = 0; index < outages; index++) {
			const from = startMs + draw(days * DAY_MS);
			this.#outages.push([from, from + (1 + draw(8)) * HOUR_MS]);
			at(from, () => this.killAll());
		}
		// While a run goes on: a few seconds after the schedule.
		for (let index = 0; index < kills; index++) {
			const tick = startMs + 10 * MINUTE_MS * draw(days * 144);
			at(tick + draw(2_500), () => this.killAll());
		}
		// Some answer a reminder, from minutes to hours later, and some of those who have cancelled press another button.
		const answer = () => {
			const open = this.#messages()
				.slice(-10)
				.filter(({ person, text }) => {
					const answers = this.answers.filter((each) => each.person === person);
					const hasCancelled = answers.some(
						(each) => each.answer === 'cancel' && each.text === text,
					);
					return answers.length === 0 || hasCancelled;
				});
			const message = open[draw(open.length)];
			if (message && !this.isOff(this.now)) void this.#press(message);
		};
		for (let ms = 0; ms < days * DAY_MS; ms += HOUR_MS) at(startMs + ms + draw(HOUR_MS), answer);
	}

	/** As the page of example 13 does. */
	#optOut(person: string): void {
		if (this.isOff(this.now)) return;
		const token = hmacOf(`recipient ${person}`, OPT_OUT_KEY).slice(0, 32);
		this.tables['Messaging opt-outs']!.insert({ token, campaign: '' }, this.now);
		const waiting = [
			{ keyName: 'token', condition: 'eq', keyValue: token },
			{ keyName: 'status', condition: 'eq', keyValue: 'pending' },
		];
		this.outbox.update(waiting, { status: 'opted out' }, this.now);
		this.optedOut.set(person, this.now);
	}

	async #press(message: Message): Promise<void> {
		const { text, startsAt } = message;
		const answer = ['coming', 'another time', 'cancel'][Math.floor(3 * this.#draw())]!;
		const { a, t, s } = Object.fromEntries(new URL(/https:\S+/.exec(text)![0]).searchParams);
		const item = { query: { a, t, s }, body: { answer }, headers: {} };
		await this.execute(this.#page, item);
		const [row] = this.tables['Messaging appointments']!.find([
			{ keyName: 'id', condition: 'eq', keyValue: Number(a) },
		]);
		const stored = (row?.answer as string | undefined)?.split(',')[0];
		if (stored === answer && row!.answeredFor === startsAt)
			this.answers.push({ ...message, at: this.now, answer });
	}

	#messages(): Message[] {
		const { startMs } = this.given;
		return [...this.gateway.arrivals].flatMap(([key, times]) => {
			const [, id, kind, start, person] =
				/^outbox (?:appointment (\d+) (\w+) (\S+) (\S+)|evening)/.exec(key) ?? [];
			if (id === undefined) return [];
			const row = this.outbox.rows.find(
				({ requestId }) => `outbox ${requestId as string}` === key,
			)!;
			const text = row.text as string;
			return {
				at: startMs + times[0]!,
				kind: kind!,
				startsAt: Date.parse(start!),
				person: person!,
				text,
			};
		});
	}

	/** Whether the calendar said so at any time in the last quarter of an hour, and the person nothing else. */
	isRight({ at, startsAt, person }: Message): boolean {
		const history = this.histories.get(person)!;
		const wasBooked = history.some(
			(each, index) =>
				each.status === 'booked' &&
				each.startsAt === startsAt &&
				each.from <= at &&
				(history[index + 1]?.from ?? Infinity) > at - PATIENCE_MS,
		);
		const hasLeft = this.answers.some(
			(each) =>
				each.person === person &&
				each.startsAt === startsAt &&
				each.answer !== 'coming' &&
				each.at < at - MINUTE_MS,
		);
		return wasBooked && !hasLeft;
	}

	/** Reminders that had time enough, by the calendar, and those that were too late because n8n was off. */
	expected(): Array<
		Pick<Message, 'kind' | 'startsAt' | 'person'> & { hadTime: boolean; isSeen: boolean }
	> {
		const endMs = this.given.startMs + this.given.days * DAY_MS;
		return [...this.histories].flatMap(([person, history]) =>
			history.flatMap(({ startsAt, status, from }, index) =>
				Object.entries(HOURS).flatMap(([kind, hours]) => {
					const deadline = startsAt - (hours * HOUR_MS) / 2;
					const until = history[index + 1]?.from ?? Infinity;
					if (status !== 'booked' || until < deadline || deadline > endMs) return [];
					const answer = this.answers.find(
						(each) => each.person === person && each.startsAt === startsAt,
					);
					const stop = Math.min(
						deadline,
						this.optedOut.get(person) ?? Infinity,
						answer?.at ?? Infinity,
					);
					const begin = Math.max(timeOf(startsAt, hours), from, this.given.startMs);
					if (stop < deadline || begin >= deadline) return [];
					const hadTime = this.#hasTime(begin, deadline);
					return [{ kind, startsAt, person, hadTime, isSeen: this.#isSeen(deadline, until) }];
				}),
			),
		);
	}

	/** Whether two runs can say that it is too late. An event that moved while n8n was off has no other time any more. */
	#isSeen(deadline: number, until: number): boolean {
		const times = Array.from({ length: 24 * 60 }, (_, minute) => deadline + minute * MINUTE_MS);
		return times.filter((at) => at < until && !this.isOff(at)).length > 20;
	}

	/** Whether n8n is on for 40 minutes outside of quiet hours: after a kill, rows wait for five minutes, and for the schedule. */
	#hasTime(from: number, until: number): boolean {
		let minutes = 0;
		for (let at = from; at < until && minutes < 40; at += MINUTE_MS) {
			minutes = this.isOff(at) || isQuiet(at) ? 0 : minutes + 1;
		}
		return minutes >= 40;
	}
}

const HOURS = { first: 24, second: 2 };

export function isQuiet(at: number): boolean {
	const { hour } = DateTime.fromMillis(at, { zone: ZONE });
	return hour >= 21 || hour < 8;
}

/** A reminder in quiet hours is half an hour before them. */
function timeOf(startsAt: number, hours: number): number {
	const at = startsAt - hours * HOUR_MS;
	if (!isQuiet(at)) return at;
	const local = DateTime.fromMillis(at, { zone: ZONE });
	const evening = local.hour >= 21 ? local : local.minus({ days: 1 });
	return evening.set({ hour: 20, minute: 30, second: 0 }).toMillis();
}
