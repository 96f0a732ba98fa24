import type {
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	IPollFunctions,
} from 'n8n-workflow';

import { type Answer, isRefused } from '../../gateway/answer';
import { type Endpoint, endpoints } from '../../gateway/endpoints';
import { ANSWER_TOO_LARGE } from '../../gateway/explanation';
import { asksForSlowerPace } from '../../gateway/repetition';
import { tellsStatus } from '../../gateway/session';
import { accountOf } from './account';
import { attempts } from './attempt';
import { call } from './call';
import { isBroken, Refused } from './refusals';
import { brakeOf } from './sending/brake';
import type { IsOver } from './sending/pause';
import { untilDone } from './sending/tries';

/** The gateway's answer, or what stood in the way. */
export type Asked = { answer: Answer } | NotAnswered;

export interface NotAnswered {
	thrown: unknown;
	/** Whether asking again later may help: a gateway that restarts, a network that is down, a pace too fast. */
	mayPass: boolean;
	/** Whether the gateway only wants to be asked less often. */
	isPace: boolean;
	/** How long the gateway wants to be left alone. */
	waitMs?: number;
}

/** The gateway's wish for a pause holds everybody else no longer than this. */
const LONGEST_WAIT_MS = 60_000;

/** Asks one thing once, when the account's brake allows; undefined where it is over before that. */
export async function ask(
	context: IExecutePaginationFunctions | IPollFunctions,
	{ method, path }: Endpoint,
	request: Partial<IHttpRequestOptions>,
	isOver: IsOver,
): Promise<Asked | undefined> {
	const { key: account, redact } = await accountOf(context);
	const go = async () => {
		const answer = await call(context, { ...request, method, url: path }, redact);
		const isTold = path === endpoints.status.path && tellsStatus(answer);
		if (isRefused(answer) && !isTold) throw new Refused(answer);
		return answer;
	};
	const end = await untilDone(
		{ isRepeatable: false, attempt: attempts(go, { account }) },
		{
			maxTries: 1,
			maxWaitMs: LONGEST_WAIT_MS,
			brake: brakeOf(account),
			isOver,
			isStopping: isOver,
		},
	);
	if (!end) return undefined;
	if ('result' in end) return { answer: end.result };
	const { thrown, repeat, waitMs } = end;
	// What is too large will be as large the next time.
	const mayPass = repeat !== 'never' && !isBroken(thrown, ANSWER_TOO_LARGE);
	return { thrown, mayPass, isPace: isPace(thrown), waitMs };
}

const isPace = (thrown: unknown) => thrown instanceof Refused && asksForSlowerPace(thrown.answer);
