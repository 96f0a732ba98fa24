import {
	connectionFailure,
	type Failed,
	PAUSED,
	type RequestFailure,
	type Result,
} from '../../gateway/replies/failure';
import { InvalidInput } from '../../gateway/invalidInput';
import { isDuplicateRejection, rejectionIn } from '../../gateway/replies/outcome';
import type { Clock } from '../../nodes/MessagingGateway/sending/clock';
import { sendMessage } from '../../nodes/MessagingGateway/sending/retry';
import { RunPace } from '../../nodes/MessagingGateway/sending/runPace';
import { type RunResult, sendAll } from '../../nodes/MessagingGateway/sending/sendAll';
import { Schedule } from '../../nodes/MessagingGateway/sending/schedule';
import type { Reply } from './gateway';

/** The only file that knows the interface of the engine. It makes the same calls as the node. */

export type EngineAccount = Schedule;
export const newAccount = (clock: Clock): EngineAccount => new Schedule(clock);

export interface SimulatedMessage {
	index: number;
	chat: string;
	account: EngineAccount;
	parts: number;
	hasKey: boolean;
	/** Resolves when its account may send, or with the reason why it may not. */
	ready?: Promise<Failed | undefined>;
	/** Loads its file before an attempt. */
	load?: () => Promise<Failed | undefined>;
}

export interface RateSettings {
	/** 0 for no limit. */
	perMinute: number;
	/** From 0 to 1. */
	jitter: number;
	batch: { size: number; breakMs: number };
}

interface Limits {
	clock: Clock;
	maxTries: number;
	maxWaitMs: number;
	signal: AbortSignal;
}

/** How many messages the engine may have read that are not started yet. */
export const READ_AHEAD = {
	/** If they wait behind other messages to the same chat. */
	sameChat: 10_000,
	/** In addition to Concurrency. */
	block: 100,
};

export const INTERVAL_MS = (perMinute: number) => (perMinute === 0 ? 0 : 60_000 / perMinute);

function newPace(
	account: EngineAccount,
	maxWaitMs: number,
	{ perMinute, jitter, batch }: RateSettings,
) {
	return new RunPace({ intervalMs: INTERVAL_MS(perMinute), jitter, batch }, maxWaitMs, account);
}

type Read<M> = () => Promise<M | { index: number; failure: RequestFailure } | undefined>;

/** Like Send in a workflow (messageOperation.ts). */
export async function sendRun<M extends SimulatedMessage>(
	read: Read<M>,
	send: (message: M, part: number, before: unknown) => Promise<Result<unknown>>,
	options: Limits & { rate: RateSettings; concurrency: number; stopOnFailure: boolean },
): Promise<RunResult<unknown> & { hints: string[] }> {
	const { clock, maxTries, maxWaitMs, signal, concurrency, stopOnFailure } = options;
	const paces = new Map<EngineAccount, RunPace>();
	const withPace = (message: M) => {
		const { account } = message;
		const pace = paces.get(account) ?? newPace(account, maxWaitMs, options.rate);
		paces.set(account, pace);
		return { ...message, original: message, pace };
	};
	let result: RunResult<unknown>;
	try {
		result = await sendAll(
			{
				next: async () => {
					const message = await read();
					if (!message) return { done: true, value: undefined };
					return { value: 'failure' in message ? message : withPace(message) };
				},
			},
			async ({ original }, part, before) => await send(original, part, before),
			{ clock, concurrency, stopOnFailure, maxAttempts: maxTries, signal },
		);
	} finally {
		for (const pace of paces.values()) pace.leave();
	}
	return { ...result, hints: [...paces.values()].flatMap(({ hint }) => hint ?? []) };
}

/** Like Send as a tool. */
export async function sendOne(
	account: EngineAccount,
	send: (part: number, before: unknown) => Promise<Result<unknown>>,
	options: Limits & { rate: RateSettings; parts: number; hasKey: boolean },
): Promise<Result<unknown> | undefined> {
	const { maxTries, maxWaitMs, rate, parts, hasKey, signal } = options;
	const pace = newPace(account, maxWaitMs, rate);
	try {
		return await sendMessage(send, { maxAttempts: maxTries, pace, parts, hasKey, signal });
	} finally {
		pace.leave();
	}
}

/** Like requestOnce.ts, which status requests, QR codes and the trigger use. */
export async function requestOnce(
	account: EngineAccount,
	send: () => Promise<Result<unknown>>,
	options: { clock: Clock; signal: AbortSignal; deadline: number },
): Promise<Result<unknown> | undefined> {
	const since = options.clock.now();
	const result = await account.other(send, options.signal, options.deadline);
	if (result || options.signal.aborted) return result;
	const isPaused = account.othersStart > since;
	return isPaused ? { failure: { kind: 'notSent', code: PAUSED } } : undefined;
}

/** A status request waits no longer than this after a 429, and a 429 to it holds back the account no longer. */
export const STATUS_MAX_WAIT_MS = 60_000;

const NO_BYTES = Buffer.alloc(0);

/** Interprets a reply as the node does (messageOperation.ts, sendRequest.ts). */
export function toResult(
	{ response, error, invalidInput }: Reply,
	isMessage: boolean,
	hasKey: boolean,
): Result<unknown> {
	if (invalidInput) {
		const invalid = new InvalidInput('invalid', '', invalidInput.retry);
		return { failure: { kind: 'invalidInput', error: invalid } };
	}
	if (error) return { failure: connectionFailure(error.code, error.isConnecting) };
	const received = { ...response!, bytes: NO_BYTES };
	const failure = rejectionIn(received, isMessage ? 'sent' : undefined);
	if (!failure) return { value: response };
	const isDuplicate =
		hasKey && failure.kind === 'rejected' && isDuplicateRejection(failure.response);
	return isDuplicate ? { value: response } : { failure };
}
