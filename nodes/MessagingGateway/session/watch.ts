import type {
	DeclarativeRestApiSettings,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import type { Endpoint } from '../../../gateway/endpoints';
import { ask, type Asked, type NotAnswered } from '../ask';
import { refusedItem } from '../refusals';
import { pause } from '../sending/pause';

/** Undefined where the time is up. */
export type Ask = (endpoint: Endpoint) => Promise<Asked | undefined>;

/** What one look came to: nothing yet, an end, or no answer. */
export type Look<End> = { end: End } | NotAnswered | undefined;

export interface Failed {
	thrown: unknown;
	tries: number;
}

export type Watched<End> = { end: End } | Failed | { isTimeUp: true; failed?: Failed };

export interface Rhythm {
	timeoutMs: number;
	intervalMs: number;
}

/** A gateway that restarts is back before that, at the usual intervals. */
const MOST_FAILED_IN_A_ROW = 10;

/** Who waits for long looks less often, but not so seldom that somebody with a phone in hand would notice. */
const BACK_OFF = 1.1;
const LONGEST_INTERVALS = 2;

/** A look that takes longer does not come back: better to look anew. A start may take its time. */
const LONGEST_LOOK_MS = 15_000;
const SHORTEST_ANSWER_MS = 1_000;

/** Looks again and again until there is an end or the time is up; undefined where the execution was cancelled. */
export async function watch<End>(
	context: IExecutePaginationFunctions,
	{ options }: DeclarativeRestApiSettings.ResultOptions,
	{ timeoutMs, intervalMs }: Rhythm,
	look: (ask: Ask) => Promise<Look<End>>,
): Promise<Watched<End> | undefined> {
	const until = performance.now() + timeoutMs;
	const isCancelled = () => context.getExecutionCancelSignal()?.aborted ?? false;
	const isOver = () => isCancelled() || performance.now() >= until;
	const asker: Ask = async (endpoint) => {
		const left = Math.max(until - performance.now(), SHORTEST_ANSWER_MS);
		const longest = endpoint.method === 'GET' ? LONGEST_LOOK_MS : Infinity;
		const timeout = Math.min(options.timeout ?? Infinity, left, longest);
		return await ask(context, endpoint, { ...options, timeout } as IHttpRequestOptions, isOver);
	};

	let failed: Failed | undefined;
	let waitMs = intervalMs;
	for (;;) {
		const seen = await look(asker);
		if (isCancelled()) return undefined;
		if (seen && 'end' in seen) return seen;
		if (seen) {
			failed = { thrown: seen.thrown, tries: (failed?.tries ?? 0) + (seen.isPace ? 0 : 1) };
			if (!seen.mayPass || failed.tries >= MOST_FAILED_IN_A_ROW) return failed;
		} else if (!isOver()) {
			failed = undefined;
		}
		if (isOver()) return { isTimeUp: true, failed };
		await pause(Math.min(performance.now() + waitMs, until), isOver);
		waitMs = Math.min(waitMs * BACK_OFF, intervalMs * LONGEST_INTERVALS);
	}
}

type Run = (
	context: IExecutePaginationFunctions,
	request: DeclarativeRestApiSettings.ResultOptions,
) => Promise<{ output: INodeExecutionData } | Failed | undefined>;

/** An operation that takes its time; declared as its pagination, for that is what n8n hands over whole. */
export function patiently(run: Run) {
	return async function (
		this: IExecutePaginationFunctions,
		request: DeclarativeRestApiSettings.ResultOptions,
	): Promise<INodeExecutionData[]> {
		const item = this.getItemIndex();
		const end = await run(this, request).catch((thrown: unknown) => ({ thrown, tries: 1 }));
		// Who has cancelled the execution is not to be told that it went wrong.
		if (!end) return [];
		if ('thrown' in end) return [refusedItem(this, item, end.thrown, { tries: end.tries })];
		return [{ ...end.output, pairedItem: { item } }];
	};
}
