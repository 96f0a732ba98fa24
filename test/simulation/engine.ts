import { connectionFailure, type Result } from '../../gateway/responses/failure';
import { InvalidInput } from '../../gateway/inputValues';
import { judged } from '../../gateway/responses/outcome';
import type { Pace } from '../../gateway/wire/account';
import { messageResult } from '../../nodes/MessagingGateway/message/messageResults';
import type { Clock } from '../../nodes/MessagingGateway/sending/clock';
import type { FailedItem, Message, Sender } from '../../nodes/MessagingGateway/sending/retry';
import {
	type RunResult,
	sendAll,
	type SendAllOptions,
} from '../../nodes/MessagingGateway/sending/sendAll';
import { Scheduler } from '../../nodes/MessagingGateway/sending/scheduler';
import type { Reply } from './gateway';

/** The only file that knows the interface of the engine. It calls the same function as the node. */

export type EngineAccount = Message['account'];
export const newAccount = (clock: Clock, name: string, pace?: Pace): EngineAccount => ({
	accountKey: name,
	scheduler: new Scheduler(clock),
	pace,
});

export interface PaceSettings {
	/** 0 for no limit. */
	perMinute: number;
	/** How much longer an interval is at most, as a share. */
	randomPart: number;
}

/** How many messages the engine may have read that are not started yet. */
export const READ_AHEAD = {
	/** If they wait behind other messages to the same chat. */
	sameChat: 10_000,
	/** In addition to Concurrency. */
	block: 100,
};

export const INTERVAL_MS = (perMinute: number) => (perMinute === 0 ? 0 : 60_000 / perMinute);
export const MAX_INTERVAL_MS = ({ perMinute, randomPart }: PaceSettings) =>
	INTERVAL_MS(perMinute) * (1 + randomPart);

interface RunOptions
	extends Omit<SendAllOptions, 'pace' | 'maxAttempts' | 'cancelled'>, PaceSettings {
	maxTries: number;
	maxWaitMs: number;
	cancelled?: AbortSignal;
}

/** The defaults of the node. */
export const DEFAULTS = {
	concurrency: 10,
	maxTries: 3,
	maxWaitMs: 60_000,
	stopOnFailure: false,
	perMinute: 0,
	randomPart: 0,
};

export async function sendRun<M extends Message>(
	/** All messages, or a function that reads the next one. */
	messages: M[] | (() => Promise<M | FailedItem | undefined>),
	sender: Pick<Sender<M, unknown>, 'attempt'> & Partial<Sender<M, unknown>>,
	options: RunOptions,
): Promise<RunResult<M, unknown>> {
	const {
		maxTries,
		maxWaitMs,
		perMinute,
		randomPart,
		cancelled = new AbortController().signal,
	} = options;
	let read = 0;
	return await sendAll(
		{
			async next() {
				const value = Array.isArray(messages) ? messages[read++] : await messages();
				return value ? { value } : { done: true, value };
			},
		},
		{
			failureIfNotReady: async () => undefined,
			loadsEarly: () => false,
			load: async () => ({ value: NO_BYTES }),
			...sender,
		},
		{
			...options,
			cancelled,
			maxAttempts: maxTries,
			pace: {
				...{ intervalMs: INTERVAL_MS(perMinute), randomPart, maxWaitMs },
			},
		},
	);
}

/** A status request waits no longer than this after a 429, and a 429 to it holds back the account no longer. */
export const STATUS_MAX_WAIT_MS = 60_000;

const NO_BYTES = Buffer.alloc(0);

/** What the node makes of a reply: the stages of failureInConnection and judged, then messageResult. */
export function toResult(
	{ response, error, invalidInput }: Reply,
	isMessage: boolean,
	hasKey: boolean,
	receivedAt: number,
): Result<unknown> {
	if (invalidInput) {
		const invalid = new InvalidInput('invalid', '', invalidInput.retry);
		return { failure: { kind: 'invalidInput', error: invalid } };
	}
	if (error) return { failure: connectionFailure(error.code, error.isConnecting) };
	const received = { ...response!, bytes: NO_BYTES };
	const read = judged(received, { confirmation: isMessage ? 'sent' : undefined });
	const isTimed = 'failure' in read && read.failure.kind === 'rejected';
	const result = isTimed ? { failure: { ...read.failure, receivedAt } } : read;
	const ofNode = isMessage ? messageResult(result, hasKey) : result;
	// The rules compare the responses, not the JSON of items.
	return 'value' in ofNode ? { value: response } : ofNode;
}
