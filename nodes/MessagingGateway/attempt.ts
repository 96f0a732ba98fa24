import type { INodeExecutionData } from 'n8n-workflow';

import { clockOffsetMs, learnClock } from '../../gateway/clock';
import { explainConnection } from '../../gateway/explanation';
import { refusesRepeat } from '../../gateway/outcome';
import { askedWaitMs, asksForSlowerPace, repeatOf } from '../../gateway/repetition';
import { sentItems } from './items';
import { reason, Refused } from './refusals';
import type { Attempt, Setback } from './sending/tries';

type Go = () => Promise<INodeExecutionData[]>;

/** One try at a request, and what may be done where it went wrong. */
export async function attempt(
	go: Go,
	{ account, isRepeatable }: { account: string; isRepeatable: boolean },
): Promise<Attempt<INodeExecutionData[]>> {
	const offset = clockOffsetMs(account);
	const first = await end(go);
	const isClock =
		'thrown' in first &&
		first.thrown instanceof Refused &&
		learnClock(account, first.thrown.answer, offset, Date.now());
	// Once more, signed with the gateway's time.
	const last = isClock ? await end(go) : first;
	if ('result' in last) return last;
	const { thrown } = last;
	// What an earlier try has done is no reason to stop: the message is there.
	const isDone = isRepeatable && thrown instanceof Refused && refusesRepeat(thrown.answer);
	return isDone ? { result: sentItems(thrown.answer, 'duplicate') } : setback(thrown);
}

async function end(go: Go) {
	return await go().then(
		(result) => ({ result }),
		(thrown: unknown) => ({ thrown }),
	);
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
	const repeat = typeof because === 'string' ? explainConnection(because).repeat : 'never';
	return { thrown, repeat };
}
