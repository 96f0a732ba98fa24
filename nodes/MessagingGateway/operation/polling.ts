import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { type Endpoint, endpoints } from '../../../gateway/wire/endpoints';
import {
	connectionFailure,
	type Failed,
	isTimeout,
	notUsable,
	type RequestFailure,
	type Result,
	TIMEOUT,
} from '../../../gateway/responses/failure';
import { isObject } from '../../../gateway/json';
import type { GatewayResponse } from '../../../gateway/wire/response';
import { retryPolicy } from '../../../gateway/failures/retryPolicy';
import { UNREADABLE_STATUS } from '../../../gateway/failures/sessionTexts';
import { phaseOf } from '../../../gateway/responses/dialect';
import { statusResult, sessionIn } from '../../../gateway/responses/sessionStatus';
import { number } from '../fields/field';
import { numberOf, type FieldReader } from '../fields/read';
import { type Account, readAccount } from '../request/account';
import type { Item } from './item';
import { eachItem, type Operation } from './operation';
import type { ItemResult } from './outputItems';
import { cancelSignal } from '../n8n/cancelSignal';
import { type RequestSettings, connectionOptions } from '../request/requestOptions';
import { sendNonMessage } from '../request/sendRequest';
import { steadyClock } from '../request/steadyClock';

export type Send = (endpoint: Endpoint) => Promise<Result<GatewayResponse>>;

export interface PollTimes {
	timeoutMs: number;
	intervalMs: number;
}

/** At the usual intervals, this is long enough for a gateway to restart. */
const MAX_FAILURES_IN_A_ROW = 10;

/** The interval grows by this factor, up to MAX_INTERVALS, and slowly: the user with the phone in hand must not notice. */
const BACK_OFF = 1.1;
const MAX_INTERVALS = 2;

/** The longest timeout of a GET request. Polling again is faster than waiting longer for a response. */
const MAX_GET_MS = 15_000;

/** The result of a request that cannot start or end before the timeout. pollUntil recognizes it by identity. */
const PAST_DEADLINE: Failed = { failure: connectionFailure(TIMEOUT) };

export type Polled<Value> = { value: Value } | (Failed & { timedOut?: boolean });

interface Polling<Value> {
	/** Returns undefined if there is no value yet. Must return a failure of `send` as the same object: see PAST_DEADLINE. */
	poll: (send: Send) => Promise<Result<Value> | undefined>;
	whyNotYet: () => Failed;
}

/**
 * Polls until there is a value, a failure is permanent, or the timeout has passed. Only a failure of a request has a
 * number of attempts. Returns undefined if the execution is cancelled.
 */
export async function pollUntil<Value>(
	context: IExecuteFunctions,
	readCurrentAccount: () => Promise<Account>,
	{ timeoutMs, intervalMs, connection }: PollTimes & { connection: RequestSettings },
	polling: Polling<Value>,
): Promise<Polled<Value> | undefined> {
	const signal = cancelSignal(context);
	const deadline = steadyClock.now() + timeoutMs;
	const isTimeUp = () => steadyClock.now() >= deadline;
	let hasResponded = false;
	const send: Send = async ({ method, path }) => {
		if (signal.aborted || isTimeUp()) return PAST_DEADLINE;
		const timeout = Math.min(connection.timeout, method === 'GET' ? MAX_GET_MS : Infinity);
		const account = await readCurrentAccount();
		const request = { ...connection, method, url: path, timeout };
		const result = await sendNonMessage(context, account, request, { deadline });
		if (!result) return PAST_DEADLINE;
		hasResponded ||= 'value' in result;
		// The deadline ended the request, so its timeout says nothing about the gateway.
		return 'failure' in result && isTimeUp() && isTimeout(result.failure) ? PAST_DEADLINE : result;
	};

	let failed: Failed | undefined;
	/** Counts failures in a row, without 429s. */
	let failures = 0;
	let waitMs = intervalMs;
	for (;;) {
		const result = await polling.poll(send);
		if (signal.aborted) return undefined;
		if (result && 'value' in result) return result;
		let pauseMs = waitMs;
		if (result && result !== PAST_DEADLINE) {
			const { failure } = result;
			const policy = retryPolicy(failure);
			const isTemporary =
				result.isTemporary ?? (policy.isTemporary || (hasResponded && isFromProxy(failure)));
			if (!policy.isRateLimit) failures += 1;
			failed = { failure, isTemporary, attempts: Math.max(1, failures) };
			if (!isTemporary || failures >= MAX_FAILURES_IN_A_ROW) return failed;
			pauseMs = Math.max(waitMs, policy.requestedWaitMs ?? 0);
		} else if (!isTimeUp()) {
			failed = undefined;
			failures = 0;
		}
		if (isTimeUp()) return { ...(failed ?? polling.whyNotYet()), timedOut: true };
		await steadyClock.sleepUntil(Math.min(steadyClock.now() + pauseMs, deadline), signal);
		waitMs = Math.min(waitMs * BACK_OFF, intervalMs * MAX_INTERVALS);
	}
}

export async function readStatus(send: Send): Promise<Result<string>> {
	const result = statusResult(await send(endpoints.status));
	if ('failure' in result) return result;
	const status = sessionIn(result.value).status;
	return status === undefined ? notUsable(UNREADABLE_STATUS, true) : { value: status };
}

/** Returns whether a 404 is probably from a proxy: it has no JSON, as while the gateway behind the proxy restarts. */
const isFromProxy = (failure: RequestFailure) =>
	failure.kind === 'rejected' &&
	failure.response.status === 404 &&
	!isObject(failure.response.data);

/** Polls once for items with the same account and settings, because at the same time one would undo what another does. */
export const pollingOperation = <Settings extends PollTimes, Value>(
	readSettings: (item: Item) => Settings,
	start: (settings: Settings) => Polling<Value> & {
		output: (polled: Polled<Value>, item: Item) => Promise<ItemResult>;
	},
): Operation['execute'] =>
	eachItem(Infinity, () => {
		const running = new Map<string, Promise<ItemResult>>();
		return async (item) => {
			const { context, index } = item;
			// Each request reads the account again, because the user may change the credential during the wait.
			const readCurrentAccount = async () => await readAccount(context, index);
			const settings = { ...readSettings(item), connection: connectionOptions(item.field) };
			const run = async () => {
				const polling = start(settings);
				const polled = await pollUntil(context, readCurrentAccount, settings, polling);
				return polled && (await polling.output(polled, item));
			};
			const sameRun = JSON.stringify([(await readCurrentAccount()).accountKey, settings]);
			const shared = running.get(sameRun) ?? run().finally(() => running.delete(sameRun));
			running.set(sameRun, shared);
			const result = await shared;
			if (!result || 'failure' in result) return result;
			return { value: result.value.map((item) => ({ ...item, json: { ...item.json } })) };
		};
	});

export function pollFields(timeoutSeconds: number, pollSeconds: number, what: string) {
	const timeout = number('timeout', 'Timeout (Seconds)', {
		range: [1, 3600],
		default: timeoutSeconds,
	})(what);
	const interval = number('pollInterval', 'Poll Interval (Seconds)', {
		range: [0.5, 300],
		default: pollSeconds,
	})('Time between two requests to the gateway. It grows to twice this value during a long wait.');
	return {
		fields: [timeout, interval] as INodeProperties[],
		read: (field: FieldReader): PollTimes => ({
			timeoutMs: numberOf(timeout, field) * 1000,
			intervalMs: numberOf(interval, field) * 1000,
		}),
	};
}

export const isOnline = (status: string) => phaseOf(status) === 'online';
