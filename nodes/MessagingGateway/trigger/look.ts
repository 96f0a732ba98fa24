import type { IHttpRequestOptions, IPollFunctions } from 'n8n-workflow';

import type { Answer } from '../../../gateway/answer';
import type { Endpoint } from '../../../gateway/endpoints';
import type { Explanation } from '../../../gateway/explanation';
import { ask, type NotAnswered } from '../ask';
import { isBroken, NotReady } from '../refusals';
import { connectionOptions } from '../requestOptions';

/** Where to look, and what is seen there. */
export interface View<Seen = unknown, Settings = unknown> {
	endpoint: Endpoint;
	query(context: IPollFunctions): Partial<IHttpRequestOptions>;
	/** What an answer shows; undefined where it cannot be read. */
	read(answer: Answer, settings: Settings): Seen | undefined;
	unreadable: Explanation;
}

export type NotSeen = Pick<NotAnswered, 'thrown' | 'mayPass'>;

/** For the brake and the answer together: n8n asks again in a minute. */
const LONGEST_LOOK_MS = 15_000;

export async function lookAt<Seen, Settings>(
	context: IPollFunctions,
	view: View<Seen, Settings>,
	settings: Settings,
): Promise<{ seen: Seen } | NotSeen> {
	const deadline = performance.now() + LONGEST_LOOK_MS;
	const leftMs = () => Math.max(0, deadline - performance.now());
	const connection = connectionOptions(context);
	const request = {
		...view.query(context),
		...connection,
		/** Read when the brake has let it go. */
		get timeout() {
			return Math.min(connection.timeout, Math.ceil(leftMs()) || 1);
		},
	};
	const asked = await ask(context, view.endpoint, request, () => leftMs() === 0);
	if (!asked) return notSeen(LATE);
	if ('answer' in asked) {
		const seen = view.read(asked.answer, settings);
		return seen === undefined ? notSeen(view.unreadable) : { seen };
	}
	// A shorter time is somebody's choice, and goes by its own words.
	const isLate = isBroken(asked.thrown, 'ETIMEDOUT') && connection.timeout >= LONGEST_LOOK_MS;
	return isLate ? notSeen(LATE) : asked;
}

const LATE: Explanation = {
	message: `The gateway could not be asked, or did not answer, within ${LONGEST_LOOK_MS / 1000} s`,
	description: 'It may be in trouble of its own, or have asked for a slower pace. Try again later.',
};

const notSeen = (why: Explanation): NotSeen => ({ thrown: new NotReady(why), mayPass: true });
