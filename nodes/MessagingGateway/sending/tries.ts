import type { Brake, Ticket } from './brake';
import type { Pace } from './pace';
import { type IsOver, pause } from './pause';

export interface Task<Result> {
	/** Whether a second try does no harm where nobody knows what became of the first. */
	isRepeatable: boolean;
	attempt: () => Promise<Attempt<Result>>;
}

export type Attempt<Result> = { result: Result } | Setback;

export interface Setback {
	thrown: unknown;
	/**
	 * `atOnce`: it was not done, and the cause is mended. `safe`: it was not done. `unknown`: it may have
	 * been. `never`: it would be refused again.
	 */
	repeat: 'atOnce' | 'safe' | 'unknown' | 'never';
	/** How long we were asked to wait. */
	waitMs?: number;
	/** Whether that is meant for everything that is sent, not for this one alone. */
	isBrake?: boolean;
}

export interface GivenUp {
	thrown: unknown;
	repeat: Setback['repeat'];
	waitMs?: number;
	tries: number;
	/** Whether one of the tries may have done it all the same. */
	isUnknown: boolean;
	isRepeatable: boolean;
}

export type End<Result> = { result: Result } | GivenUp;

export interface TrySettings {
	maxTries: number;
	maxWaitMs: number;
	brake: Brake;
	/** Without it: as fast as the brake allows. */
	pace?: Pace;
	/** Nothing is tried any more. */
	isOver: IsOver;
	/** Nothing new is begun any more; what was tried once is brought to its end. */
	isStopping: IsOver;
}

const FIRST_BACK_OFF_MS = 500;

/** Doubled with each try, and between half and all of that: nobody comes back at the same moment as everybody else. */
const backOffMs = (tries: number) => FIRST_BACK_OFF_MS * 2 ** (tries - 1) * (1 - Math.random() / 2);

/** Tries until it is done or cannot be done; undefined where it was not even begun. */
export async function untilDone<Result>(
	task: Task<Result>,
	settings: TrySettings,
): Promise<End<Result> | undefined> {
	const { brake, maxTries, maxWaitMs, isOver, isStopping } = settings;
	const { isRepeatable } = task;
	let soFar: GivenUp | undefined;
	let tries = 1;
	for (;;) {
		const ticket = await turn(settings, soFar ? isOver : isStopping);
		if (ticket === undefined) return soFar;
		let waitMs: number | undefined;
		let holdMs: number | undefined;
		try {
			const attempt = await task.attempt();
			if ('result' in attempt) return attempt;
			const { thrown, repeat, isBrake } = attempt;
			if (repeat === 'atOnce') continue;
			waitMs = Math.min(attempt.waitMs ?? backOffMs(tries), maxWaitMs);
			if (isBrake) holdMs = waitMs;
			const isUnknown = soFar?.isUnknown || repeat === 'unknown';
			soFar = { thrown, repeat, waitMs: attempt.waitMs, tries, isUnknown, isRepeatable };
			const mayRepeat = repeat === 'safe' || (repeat === 'unknown' && isRepeatable);
			if (!mayRepeat || tries >= maxTries) return soFar;
		} finally {
			brake.leave(ticket, holdMs);
		}
		await pause(performance.now() + waitMs, isOver);
		tries += 1;
	}
}

/** Waits until the brake and the pace let one more start. */
async function turn({ brake, pace }: TrySettings, isOver: IsOver): Promise<Ticket | undefined> {
	for (;;) {
		const ticket = await brake.enter(isOver);
		if (ticket === undefined || !pace) return ticket;
		await pause(pace.next(performance.now()), isOver);
		if (!brake.isHeld && !isOver()) return ticket;
		brake.leave(ticket);
	}
}
