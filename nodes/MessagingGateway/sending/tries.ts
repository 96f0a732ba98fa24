import type { Repeat } from '../../../gateway/repetition';
import type { Brake } from './brake';
import type { Pace } from './pace';
import { type IsOver, pause } from './pause';

export interface Task<Result> {
	/** Whether a second try does no harm where nobody knows what became of the first. */
	isRepeatable: boolean;
	attempt: () => Promise<Attempt<Result>>;
}

export interface Setback {
	thrown: unknown;
	repeat: Repeat;
	/** How long we were asked to wait. */
	waitMs?: number;
	/** Whether that is meant for everything that is sent, not for this one alone. */
	isBrake?: boolean;
}

export type Attempt<Result> = { result: Result } | Setback;

export interface GivenUp {
	thrown: unknown;
	tries: number;
	/** Whether one of the tries may have done it all the same. */
	isUnknown: boolean;
}

export type End<Result> = { result: Result } | GivenUp;

export interface TrySettings {
	maxTries: number;
	maxWaitMs: number;
	pace: Pace;
	brake: Brake;
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
	let soFar: GivenUp | undefined;
	for (let tries = 1; ; tries++) {
		if (!(await turn(settings, soFar ? isOver : isStopping))) return soFar;
		const attempt = await task.attempt();
		if ('result' in attempt) {
			brake.leave(undefined);
			return attempt;
		}
		const { thrown, repeat, isBrake } = attempt;
		const waitMs = Math.min(attempt.waitMs ?? backOffMs(tries), maxWaitMs);
		brake.leave(isBrake ? waitMs : undefined);
		soFar = { thrown, tries, isUnknown: soFar?.isUnknown || repeat === 'unknown' };
		const mayRepeat = repeat === 'safe' || (repeat === 'unknown' && task.isRepeatable);
		if (!mayRepeat || tries >= maxTries) return soFar;
		await pause(Date.now() + waitMs, isOver);
	}
}

/** Waits until the brake and the pace let one more start. */
async function turn({ brake, pace }: TrySettings, isOver: IsOver): Promise<boolean> {
	for (;;) {
		await brake.released(isOver);
		await pause(pace.next(Date.now()), isOver);
		if (isOver()) return false;
		if (brake.enter()) return true;
	}
}
