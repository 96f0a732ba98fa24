import type { IExecuteFunctions } from 'n8n-workflow';

import {
	connectionFailure,
	type Failed,
	notUsable,
	TIMEOUT,
} from '../../../gateway/responses/failure';
import {
	notOnlineText,
	offlineText,
	permanentStatusText,
} from '../../../gateway/failures/sessionTexts';
import { choice, group, number } from '../fields/field';
import { choiceOf, numberOf, type FieldReader, groupReader } from '../fields/read';
import type { Account } from '../request/account';
import type { RequestSettings } from '../request/requestOptions';
import { isOnline, type PollTimes, pollUntil, readStatus } from '../operation/polling';

const onlineTimeout = number('onlineTimeout', 'Online Timeout (Seconds)', {
	range: [1, 3600],
	default: 120,
	displayOptions: { show: { offlineAction: ['wait'] } },
})('How long to wait for the session to come online');

const offlineAction = choice(
	'offlineAction',
	'Action When Offline',
	'send',
	[
		['send', 'Send', 'Send without checking the status'],
		['stop', 'Stop', 'Send nothing, and say how to pair a phone'],
		['wait', 'Wait', 'Send when the session is online, at the latest after Online Timeout'],
	],
	{ required: true },
)('What to do if the session is offline');

// This action differs from the field's default, because n8n 1.123 does not store an option in which all values are defaults.
export const whenOffline = group(
	'whenOffline',
	'When Offline',
	// The preset contains all values, because the editor shows what is stored.
	{ values: { offlineAction: 'wait', onlineTimeout: 120 } },
	['values', 'When Offline'],
	[offlineAction, onlineTimeout],
)(
	'What to do if the session is offline. Stop and Wait check the status before the first message of a run.',
	'messages.md#when-the-phone-is-offline',
);

type OfflineOptions = NonNullable<ReturnType<typeof offlineOptions>>;

/** Returns undefined if the status is not checked. Throws InvalidInput. */
export function offlineOptions(option: FieldReader) {
	const values = groupReader(whenOffline, option);
	const chosen = values ? choiceOf(offlineAction, values) : 'send';
	if (!values || chosen === 'send') return undefined;
	return { action: chosen, timeoutMs: numberOf(onlineTimeout, values) * 1000 };
}

/** Leaves enough time for a gateway that restarts, and for the pause after a 429. */
const STOP_TIMES: PollTimes = { timeoutMs: 75_000, intervalMs: 1_000 };
const WAIT_INTERVAL_MS = 3_000;

/** Returns why an account must not send, or undefined if its session is online or the execution is cancelled. */
export async function offlineReason(
	context: IExecuteFunctions,
	account: Account,
	{ action, timeoutMs }: OfflineOptions,
	connection: RequestSettings,
): Promise<Failed | undefined> {
	const waits = action === 'wait';
	let last: string | undefined;
	const polled = await pollUntil(
		context,
		async () => account,
		{ ...(waits ? { timeoutMs, intervalMs: WAIT_INTERVAL_MS } : STOP_TIMES), connection },
		{
			async poll(send) {
				const result = await readStatus(send);
				if ('failure' in result) return result;
				last = result.value;
				if (isOnline(last)) return result;
				const reason = waits ? permanentStatusText(last) : offlineText(last);
				return reason && notUsable(reason);
			},
			whyNotYet: () =>
				last === undefined
					? { failure: connectionFailure(TIMEOUT) }
					: notUsable(notOnlineText(last, timeoutMs / 1000)),
		},
	);
	if (!polled || !('failure' in polled)) return undefined;
	return { failure: polled.failure, attempts: polled.attempts, isBeforeSending: true };
}
