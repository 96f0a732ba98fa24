import type { INodeExecutionData } from 'n8n-workflow';

import { type Clock, clockOf, learnClock, unlearnClock } from '../../gateway/clock';
import { explainConnection } from '../../gateway/explanation';
import { refusesRepeat } from '../../gateway/outcome';
import { askedWaitMs, asksForSlowerPace, repeatOf } from '../../gateway/repetition';
import { sentItems } from './items';
import { Broken, reason, Refused } from './refusals';
import type { Attempt, Setback } from './sending/tries';

type Go = () => Promise<INodeExecutionData[]>;

/** Tries at one request, each with what may be done where it went wrong. */
export function attempts(
	go: Go,
	{ account, isRepeatable }: { account: string; isRepeatable: boolean },
): () => Promise<Attempt<INodeExecutionData[]>> {
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
		if (isRepeatable && refusesRepeat(answer)) return { result: sentItems(answer, 'duplicate') };
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
