import type {
	DeclarativeRestApiSettings,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import { isObject } from '../../../gateway/answer';
import type { Endpoint } from '../../../gateway/endpoints';
import type { Explanation } from '../../../gateway/explanation';
import { ask, type Asked, type NotAnswered } from '../ask';
import { isBroken, NotReady, Refused, refusedItem } from '../refusals';
import { pause } from '../sending/pause';

/** Undefined where the time is up. */
export type Ask = (endpoint: Endpoint) => Promise<Asked | undefined>;

/** What one look came to: nothing yet, an end, or no answer. */
export type Look<End> = { end: End } | NotAnswered | undefined;

export interface Failed {
	thrown: unknown;
	tries: number;
	/** Whether it was no refusal, but a gateway that did not come back. */
	isAway?: boolean;
}

export type Watched<End> = { end: End } | Failed | { isTimeUp: true; failed?: Failed };

export interface Rhythm {
	timeoutMs: number;
	intervalMs: number;
}

type Request = DeclarativeRestApiSettings.ResultOptions;

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
	{ options }: Request,
	{ timeoutMs, intervalMs }: Rhythm,
	look: (ask: Ask) => Promise<Look<End>>,
): Promise<Watched<End> | undefined> {
	const until = performance.now() + timeoutMs;
	const isCancelled = () => context.getExecutionCancelSignal()?.aborted ?? false;
	const isOver = () => isCancelled() || performance.now() >= until;
	let hasAnswered = false;
	const asker: Ask = async (endpoint) => {
		const left = Math.max(until - performance.now(), SHORTEST_ANSWER_MS);
		const longest = endpoint.method === 'GET' ? LONGEST_LOOK_MS : Infinity;
		const timeout = Math.min(options.timeout ?? Infinity, left, longest);
		const request = { ...options, timeout } as IHttpRequestOptions;
		const asked = await ask(context, endpoint, request, isOver);
		if (!asked || 'answer' in asked) {
			hasAnswered ||= asked !== undefined;
			return asked;
		}
		// Cut short by our own end of the time: that is no fault of the gateway.
		if (isOver() && isBroken(asked.thrown, 'ETIMEDOUT')) return undefined;
		return hasAnswered && isOfStranger(asked.thrown) ? { ...asked, mayPass: true } : asked;
	};

	let failed: Failed | undefined;
	let waitMs = intervalMs;
	for (;;) {
		const seen = await look(asker);
		if (isCancelled()) return undefined;
		if (seen && 'end' in seen) return seen;
		if (seen) {
			const { thrown, mayPass: isAway, isPace } = seen;
			failed = { thrown, isAway, tries: (failed?.tries ?? 0) + (isPace ? 0 : 1) };
			if (!isAway || failed.tries >= MOST_FAILED_IN_A_ROW) return failed;
		} else if (!isOver()) {
			failed = undefined;
		}
		if (isOver()) return { isTimeUp: true, failed };
		const wake = performance.now() + Math.max(waitMs, seen?.waitMs ?? 0);
		await pause(Math.min(wake, until), isOver);
		waitMs = Math.min(waitMs * BACK_OFF, intervalMs * LONGEST_INTERVALS);
	}
}

/** An answer that ends the wait, for no waiting would change it. */
export const notReady = (reason: Explanation): NotAnswered => ({
	thrown: new NotReady(reason),
	mayPass: false,
	isPace: false,
});

/** A proxy's "not found" while the gateway behind it is away. */
const isOfStranger = (thrown: unknown) =>
	thrown instanceof Refused && thrown.answer.status === 404 && !isObject(thrown.answer.data);

type Result = { output: INodeExecutionData } | Failed | undefined;

/** An operation that takes its time. */
interface Patient<Settings> {
	settings: (context: IExecutePaginationFunctions) => Settings;
	run: (
		context: IExecutePaginationFunctions,
		request: Request,
		settings: Settings,
	) => Promise<Result>;
}

/** By the run of a node, which n8n knows by its input: what is on its way for one of its items. */
const onTheirWay = new WeakMap<object, Map<string, Promise<Result>>>();

/**
 * Declared as the operation's pagination, for that is what n8n hands over whole. n8n runs all items at once: those
 * that want the same wait together, or one would end what another has begun.
 */
export function patiently<Settings>({ settings, run }: Patient<Settings>) {
	return async function (
		this: IExecutePaginationFunctions,
		request: Request,
	): Promise<INodeExecutionData[]> {
		const item = this.getItemIndex();
		const end = await together(this, request).catch((thrown: unknown) => ({ thrown, tries: 1 }));
		// Who has cancelled the execution is not to be told that it went wrong.
		if (!end) return [];
		if ('thrown' in end) return [refusedItem(this, item, end.thrown, { tries: end.tries })];
		const { json, ...output } = end.output;
		return [{ ...output, json: { ...json }, pairedItem: { item } }];
	};

	async function together(context: IExecutePaginationFunctions, request: Request): Promise<Result> {
		const wanted = settings(context);
		const key = JSON.stringify(wanted);
		const ofRun = onTheirWay.get(context.getExecuteData()) ?? new Map<string, Promise<Result>>();
		onTheirWay.set(context.getExecuteData(), ofRun);
		const result = ofRun.get(key) ?? run(context, request, wanted).finally(() => ofRun.delete(key));
		ofRun.set(key, result);
		return await result;
	}
}
