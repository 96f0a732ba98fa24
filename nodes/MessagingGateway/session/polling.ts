import type { IExecuteSingleFunctions, IHttpRequestOptions } from 'n8n-workflow';

import type { Endpoint } from '../../../gateway/endpoints';
import type { ErrorText } from '../../../gateway/errorCatalog';
import { isTimeout, type RequestFailure } from '../../../gateway/failure';
import { isObject } from '../../../gateway/json';
import { retryPolicy } from '../../../gateway/retryPolicy';
import { readAccount } from '../request/account';
import { requestOnce } from '../request/requestOnce';
import { itemOperation, type ItemResult } from '../request/routing';
import { cancelSignal, type RequestResult } from '../request/sendRequest';
import { steadyClock } from '../request/steadyClock';

/** Sends one request of a poll. Undefined if the timeout comes first. */
export type Send = (endpoint: Endpoint) => Promise<RequestResult | undefined>;

export interface PollFailure {
	failure: RequestFailure;
	/** Whether to go on polling; by default, as the retry policy says. */
	isTemporary?: boolean;
}

/** Undefined: not yet. */
export type Poll<Value> = { done: Value } | PollFailure | undefined;

interface Polled<Value> {
	done?: Value;
	/** The failure that ended polling, or the last one before the timeout. */
	failed?: Required<PollFailure> & { attempts: number };
}

export interface PollTimes {
	timeoutMs: number;
	intervalMs: number;
}

/** Enough for a gateway that restarts, at the usual intervals. */
const MAX_FAILURES_IN_A_ROW = 10;

/** The interval grows during a long wait, but the user with the phone in hand must not notice. */
const BACK_OFF = 1.1;
const MAX_INTERVALS = 2;

/** A status request that takes longer gets no response: polling again is faster. */
const MAX_POLL_MS = 15_000;

/** Polls until there is a result, polling makes no sense, or the time is over. Undefined if cancelled. */
export async function pollUntil<Value>(
	context: IExecuteSingleFunctions,
	request: Partial<IHttpRequestOptions>,
	{ timeoutMs, intervalMs }: PollTimes,
	poll: (send: Send) => Promise<Poll<Value>>,
): Promise<Polled<Value> | undefined> {
	const signal = cancelSignal(context);
	const deadline = steadyClock.now() + timeoutMs;
	const isTimeUp = () => steadyClock.now() >= deadline;
	let hasResponded = false;
	const send: Send = async ({ method, path }) => {
		if (signal.aborted || isTimeUp()) return undefined;
		const { timeout: entered } = request;
		const timeout = method === 'GET' ? Math.min(entered ?? Infinity, MAX_POLL_MS) : entered;
		// Read for each poll, because the user may change the credential while this one waits.
		const account = await readAccount(context);
		const step = { ...request, method, url: path, timeout };
		const sent = await requestOnce(context, account, step, deadline);
		hasResponded ||= sent !== undefined && 'response' in sent;
		// The request was cut short by the deadline, not by the gateway.
		if (sent && 'failure' in sent && isTimeUp() && isTimeout(sent.failure)) return undefined;
		return sent;
	};

	let failed: Polled<Value>['failed'];
	let waitMs = intervalMs;
	for (;;) {
		const result = await poll(send);
		if (signal.aborted) return undefined;
		if (result && 'done' in result) return { done: result.done };
		let pauseMs = waitMs;
		if (result) {
			const { failure } = result;
			const policy = retryPolicy(failure, steadyClock.date());
			const isTemporary =
				result.isTemporary ?? (policy.isTemporary || (hasResponded && isFromProxy(failure)));
			const attempts = (failed?.attempts ?? 0) + (policy.isRateLimit ? 0 : 1);
			failed = { failure, isTemporary, attempts };
			if (!isTemporary || attempts >= MAX_FAILURES_IN_A_ROW) return { failed };
			pauseMs = Math.max(waitMs, policy.waitMs ?? 0);
		} else if (!isTimeUp()) {
			failed = undefined;
		}
		if (isTimeUp()) return { failed };
		await steadyClock.sleepUntil(Math.min(steadyClock.now() + pauseMs, deadline), signal);
		waitMs = Math.min(waitMs * BACK_OFF, intervalMs * MAX_INTERVALS);
	}
}

/** A 404 without JSON while the gateway behind a proxy restarts. */
const isFromProxy = (failure: RequestFailure) =>
	failure.kind === 'rejected' &&
	failure.response.status === 404 &&
	!isObject(failure.response.data);

/** A result that waiting cannot change. */
export const notUsable = (text: ErrorText): PollFailure => ({
	failure: { kind: 'notUsable', text },
});

/** The polling of a run, by n8n's object for the run, and by account and settings. */
const running = new WeakMap<object, Map<string, Promise<ItemResult | undefined>>>();

/** n8n runs all items at once. Items with the same account and settings share the polling, or one would undo what another did. */
export const pollingOperation = <Settings>(
	readSettings: (context: IExecuteSingleFunctions) => Settings,
	run: (
		context: IExecuteSingleFunctions,
		request: Partial<IHttpRequestOptions>,
		settings: Settings,
	) => Promise<ItemResult | undefined>,
) =>
	itemOperation(async (context, request) => {
		const settings = readSettings(context);
		const account = await readAccount(context);
		const key = JSON.stringify([account.key, settings]);
		const ofRun =
			running.get(context.getExecuteData()) ?? new Map<string, Promise<ItemResult | undefined>>();
		running.set(context.getExecuteData(), ofRun);
		const shared =
			ofRun.get(key) ?? run(context, request, settings).finally(() => ofRun.delete(key));
		ofRun.set(key, shared);
		const result = await shared;
		if (!result || 'failure' in result) return result;
		return { items: result.items.map((item) => ({ ...item, json: { ...item.json } })) };
	});
