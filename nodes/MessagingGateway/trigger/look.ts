import type { IHttpRequestOptions, IPollFunctions } from 'n8n-workflow';

import type { Answer } from '../../../gateway/answer';
import type { Endpoint } from '../../../gateway/endpoints';
import type { Explanation } from '../../../gateway/explanation';
import { ask, type NotAnswered } from '../ask';
import { Broken, NotReady } from '../refusals';

/** Where to look, and what is seen there. */
export interface View<Seen = unknown> {
	endpoint: Endpoint;
	query(context: IPollFunctions): Partial<IHttpRequestOptions>;
	/** What an answer shows; undefined where it cannot be read. */
	read(answer: Answer): Seen | undefined;
	/** What is missing in an answer that cannot be read. */
	missing: string;
}

export type NotSeen = Pick<NotAnswered, 'thrown' | 'mayPass'>;

/** For the brake and the answer together: n8n asks again in a minute. */
const LONGEST_LOOK_S = 30;

export async function lookAt<Seen>(
	context: IPollFunctions,
	view: View<Seen>,
): Promise<{ seen: Seen } | NotSeen> {
	const deadline = performance.now() + LONGEST_LOOK_S * 1000;
	const leftMs = () => Math.max(0, deadline - performance.now());
	const request = {
		...view.query(context),
		/** Read when the brake has let it go. */
		get timeout() {
			return Math.ceil(leftMs()) || 1;
		},
	};
	const asked = await ask(context, view.endpoint, request, () => leftMs() === 0);
	if (asked && 'answer' in asked) {
		const seen = view.read(asked.answer);
		return seen === undefined ? notSeen(unreadable(view.missing)) : { seen };
	}
	return asked && !isLate(asked.thrown) ? asked : notSeen(LATE);
}

const isLate = (thrown: unknown) => thrown instanceof Broken && thrown.code === 'ETIMEDOUT';

const LATE: Explanation = {
	message: `The gateway could not be asked, or did not answer, within ${LONGEST_LOOK_S} s`,
	description: 'It may be in trouble of its own, or have asked for a slower pace. Try again later.',
};

const unreadable = (missing: string): Explanation => ({
	message: `The gateway answered, but with ${missing} that could be read`,
	description: "Check 'Base URL' of the credential: it ends before /api/whatsapp.",
});

const notSeen = (why: Explanation): NotSeen => ({ thrown: new NotReady(why), mayPass: true });
