import type { Answer } from '../../gateway/answer';
import { type Clock, clockOf, learnClock, unlearnClock } from '../../gateway/clock';
import { explainConnection } from '../../gateway/explanation';
import { refusesRepeat } from '../../gateway/outcome';
import { askedWaitMs, asksForSlowerPace, repeatOf } from '../../gateway/repetition';
import { Broken, reason, Refused } from './refusals';
import type { Attempt, Setback } from './sending/tries';

interface About<Result> {
	account: string;
	/** What to make of a refusal because an earlier try has done it; without it, such a refusal is one. */
	duplicate?: (answer: Answer) => Result;
}

/** Tries at one request, each with what may be done where it went wrong. */
export function attempts<Result>(
	go: () => Promise<Result>,
	{ account, duplicate }: About<Result>,
): () => Promise<Attempt<Result>> {
	let before: { clock: Clock } | undefined;
	return async () => {
		const clock = clockOf(account);
		const end = await go().then(
			(result) => ({ result }),
			(thrown: unknown) => ({ thrown }),
		);
		if ('result' in end) return end;
		const { thrown } = end;
		if (!(thrown instanceof Refused)) return setback(thrown);
		const { answer } = thrown;
		// What an earlier try has done is no reason to stop: the message is there.
		if (duplicate && refusesRepeat(answer)) return { result: duplicate(answer) };
		if (before && answer.status === 401) {
			unlearnClock(account, before.clock);
		} else if (learnClock(account, answer, clock)) {
			before = { clock };
			return { thrown, repeat: 'atOnce' };
		}
		return setback(thrown);
	};
}

function setback(thrown: unknown): Setback {
	if (thrown instanceof Refused) {
		const { answer } = thrown;
		const now = Date.now();
		return {
			thrown,
			repeat: repeatOf(answer, now),
			waitMs: askedWaitMs(answer, now),
			isBrake: asksForSlowerPace(answer),
		};
	}
	const because = reason(thrown);
	if (typeof because !== 'string') return { thrown, repeat: 'never' };
	return { thrown: new Broken(because), repeat: explainConnection(because).repeat };
}
