import type { RequestFailure } from '../../gateway/responses/failure';
import type { Pace } from '../../gateway/wire/account';
import type { EngineAccount, PaceSettings } from './engine';
import type { Reply, VirtualGateway } from './gateway';
import type { RunSpec } from './scenario';

/** What happened, as the virtual executions and gateways saw it. */

export interface Span {
	from: number;
	to: number;
}

export interface Attempt {
	message: MessageRecord;
	startedAt: number;
	startTurn: number;
	/** Infinity while it is in flight. */
	endedAt: number;
	endTurn: number;
	reply?: Reply;
	/** The longest delay before the next attempt. */
	delayMs: number;
	/** What the engine received. */
	failure?: RequestFailure;
	/** When the gateway accepted it. */
	acceptedAt?: number;
}

/** A message, or a status request. */
export interface MessageRecord {
	name: string;
	run: RunRecord;
	account: AccountRecord;
	index: number;
	chat: string;
	key?: string;
	isRejected: boolean;
	/** The position of this record among the parts of the message; most messages have only one. */
	part: number;
	/** Of the first part: all others. */
	laterParts: readonly MessageRecord[];
	attempts: Attempt[];
}

export interface OnlineCheck {
	startedAt: number;
	/** Infinity while it is in flight. */
	endedAt: number;
	/** Why no message may be sent to the account, and since when. */
	failure?: RequestFailure;
	failedTurn: number;
}

/** A run of the node over its items, or a status request. */
export interface RunRecord extends Pick<
	RunSpec,
	'concurrency' | 'maxTries' | 'maxWaitMs' | 'timeoutMs' | 'stopOnFailure'
> {
	kind: 'run' | 'status';
	name: string;
	pace: PaceSettings;
	/** No attempt may start at this time or later. */
	deadline: number;
	startedAt: number;
	endedAt: number;
	cancelledAt?: number;
	/** By index; those that were read. */
	messages: Map<number, MessageRecord>;
	/** The index of the invalid message, if it was read. */
	invalid?: number;
	attempts: Attempt[];
	inFlight: number;
	/** When it read its items. */
	reading: Span[];
	/** The status requests that the messages to an account wait for. */
	checks: Map<AccountRecord, OnlineCheck>;
	/** How many messages were read that have not started. */
	waiting: number;
	/** The last message of each chat that has started. */
	lastOfChat: Map<string, MessageRecord>;
}

export interface AccountRecord {
	name: string;
	engine: EngineAccount;
	pace?: Pace;
	gateway: VirtualGateway;
	attempts: Attempt[];
	/** In which the gateway, or the delay after a 429, forbids requests. The last one is the longest. */
	pauses: Span[];
	pausedUntil: number;
	/** For status requests. */
	statusesPausedUntil: number;
	/** When the gateway refused a request for the first time. */
	firstRefusalAt: number;
	/** The first refused message since the last success; Infinity if there was none. */
	refusedSince: number;
	/** The last refused message, and the end of the wait that the gateway announced. */
	refusedAt: number;
	refusedUntil: number;
	/** Attempts that started later than this say something new. */
	refusedTurn: number;
	/** How many refused messages since then had started after the one before was refused. */
	refusals: number;
	refusedSpans: Span[];
}

export const partsOf = (first: MessageRecord): MessageRecord[] => [first, ...first.laterParts];

/** Of all its parts. */
export const lastAttempt = (message: MessageRecord): Attempt | undefined =>
	partsOf(message)
		.findLast(({ attempts }) => attempts.length > 0)
		?.attempts.at(-1);

/** What the last response to it means. */
export const lastMeaning = ({ attempts }: Pick<MessageRecord, 'attempts'>) =>
	attempts.at(-1)?.reply?.meaning;

/** Whether an attempt may have been accepted. */
export const isUncertain = ({ attempts }: MessageRecord) =>
	attempts.some(({ reply }) => reply?.meaning === 'unknown');

/** When all messages to the account were refused; the last time may not have ended. */
export const refusedSpansOf = ({ refusedSpans, refusedSince }: AccountRecord): Span[] => [
	...refusedSpans,
	{ from: refusedSince, to: Infinity },
];

/** How many attempts count as one of Max Tries: those that a limit refused do not. */
export const counted = (attempts: Attempt[]) =>
	attempts.filter(({ reply }) => reply?.meaning !== 'refused').length;

/** The paces that a run asks for count if there is one. */
export const isPaced = ({ pace }: RunRecord) => pace.perMinute > 0;

/** Why a message was not sent whose file cannot be loaded. */
export const UNLOADABLE: RequestFailure = { kind: 'invalidInput', error: new Error('no file') };
