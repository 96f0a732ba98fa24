import type { VirtualClock } from '../harness/virtualClock';
import type { Random } from './random';
import type { Fault, GatewaySpec } from './scenario';

/** What a client receives, and what the model knows about it. */
export interface Reply {
	response?: { status: number; headers: Record<string, string>; data: unknown };
	/** Instead of a request: the input is invalid, or cannot be read now. */
	invalidInput?: { retry?: { requestedWaitMs?: number } };
	/** Instead of a response: the code of the error, and whether it came before there was a connection. */
	error?: { code: string; isConnecting: boolean };
	/**
	 * What the client can conclude from it. `refused`: not accepted, because of a limit. `later`: not accepted, and a
	 * retry may help. `permanent`: not accepted, and a retry does not help. `unknown`: maybe accepted.
	 */
	meaning: 'success' | 'refused' | 'later' | 'permanent' | 'unknown';
	/** The wait that it asks for. */
	waitMs?: number;
}

/** What it sees of a message. The number of its chat comes first. */
interface GatewayRequest {
	run: { kind: 'run' | 'status'; timeoutMs: number };
	chat: string;
	key?: string;
	isRejected: boolean;
}

/** One account of a gateway. */
export class VirtualGateway {
	/** Those that it has accepted. */
	readonly keys = new Set<string>();
	readonly #takeFromLimit: Limit;
	#accepted = 0;
	#requests = 0;

	constructor(
		private readonly spec: GatewaySpec,
		private readonly clock: VirtualClock,
		private readonly random: Random,
	) {
		this.#takeFromLimit = limitOf(spec, random);
	}

	/** Whether another chat than this one is all that it limits. */
	limitsOnlyAnotherChat(chat: string): boolean {
		const { bucket, window, plan, limitedChat } = this.spec;
		return !bucket && !window && !plan && !chat.startsWith(`${limitedChat?.chat} `);
	}

	/**
	 * Calls back once, with a response or an error. `onAccepted` is called if the message is accepted, perhaps after the client has
	 * given up.
	 */
	send(message: GatewayRequest, onAccepted: () => void, callback: (reply: Reply) => void): void {
		const now = this.clock.now();
		const fault = this.#faultAt(now);
		const isFirst = this.#requests++ === 0;
		const latencyMs = latency(this.spec.latency, this.random) * (isFirst ? 2 : 1);
		const unsent = fault && UNSENT[fault];
		if (unsent) return this.clock.at(now + 1, () => callback(unsent));

		const timeoutAt = now + message.run.timeoutMs;
		const respondsAt = fault === 'late' ? timeoutAt + latencyMs : now + latencyMs;
		this.clock.at(now + (respondsAt - now) / 2, () => {
			const reply = this.#arrived(message, onAccepted, fault);
			if (fault === 'lost' || fault === 'silent' || respondsAt >= timeoutAt) return;
			this.clock.at(respondsAt, () => callback(reply));
		});
		if (fault !== 'lost' && fault !== 'silent' && respondsAt < timeoutAt) return;
		this.clock.at(timeoutAt, () => callback(TIMED_OUT));
	}

	#faultAt(now: number): Fault | undefined {
		const { outages, faults, faultChance } = this.spec;
		const outage = outages.find(
			({ fromMs, durationMs }) => now >= fromMs && now < fromMs + durationMs,
		);
		if (outage) return outage.fault;
		if (faults.length === 0 || this.random() >= faultChance) return undefined;
		return faults[Math.floor(this.random() * faults.length)];
	}

	/** The request is at the gateway. */
	#arrived(message: GatewayRequest, onAccepted: () => void, fault?: Fault): Reply {
		if (fault === 'maintenance') return maintenance(2_000, { 'retry-after': '2' });
		if (fault === 'maintenanceDate') {
			const headers = { 'retry-after': this.#dateIn(3), date: this.#dateIn(0) };
			return maintenance(3_000, headers);
		}
		const instead = fault && NOT_ACCEPTED[fault];
		if (instead) return instead;
		const reply = this.#refusal(message) ?? this.#accept(message, onAccepted);
		if (fault === 'cutAfter') return CUT;
		if (fault === 'errorAfter') return ERROR;
		return reply;
	}

	#refusal({ run, key, chat, isRejected }: GatewayRequest): Reply | undefined {
		const { limitedChat, plan } = this.spec;
		if (limitedChat && chat.startsWith(`${limitedChat.chat} `))
			return refused('rate_limited', limitedChat.retryAfterSeconds);
		const waitMs = this.#takeFromLimit(this.clock.now());
		if (waitMs !== undefined) return this.#tooMany(waitMs);
		const isNew = run.kind === 'run' && !(key !== undefined && this.keys.has(key));
		if (plan && isNew && !isRejected && this.#accepted >= plan.messages)
			return refused('daily_limit_reached', plan.retryAfterSeconds);
		if (!isRejected) return undefined;
		return { meaning: 'permanent', response: response(422, { error: 'validation_error' }) };
	}

	#accept({ run, key }: GatewayRequest, onAccepted: () => void): Reply {
		if (run.kind === 'status') return success(200, { status: 'ONLINE' });
		if (key !== undefined && this.keys.has(key))
			return this.spec.duplicates === 'replay'
				? success(200, { duplicate: true, messageId: 'm' })
				: success(409, { error: 'already_exists' });
		if (key !== undefined) this.keys.add(key);
		this.#accepted += 1;
		onAccepted();
		return this.spec.defers ? success(202, { deliveryKey: 'd' }) : success(200, { messageId: 'm' });
	}

	#tooMany(waitMs: number): Reply {
		const { bucket, window } = this.spec;
		const { announces } = (window ?? bucket)!;
		const seconds = Math.ceil((announces === 'window' ? window!.ms : waitMs) / 1_000);
		switch (announces) {
			case 'window':
			case 'seconds':
				return refused('rate_limited', seconds);
			case 'exact':
				return refused('rate_limited', Math.ceil(waitMs) / 1_000);
			case 'date': {
				const headers = { 'retry-after': this.#dateIn(seconds), date: this.#dateIn(0) };
				return refused('rate_limited', seconds, headers);
			}
			case 'code':
				return { meaning: 'refused', response: response(403, { error: 'rate_limit_exceeded' }) };
			default:
				return refused('rate_limited');
		}
	}

	/** An HTTP date, by the gateway's own clock. */
	#dateIn(seconds: number): string {
		const time = Date.UTC(2026, 0, 1) + this.clock.now() + this.spec.clockErrorMs;
		return new Date(time + seconds * 1_000).toUTCString();
	}
}

/** Returns how long until another request is accepted; undefined if this one is. */
type Limit = (now: number) => number | undefined;

function limitOf({ bucket, window }: GatewaySpec, random: Random): Limit {
	if (window) return windowLimit(window, random() * window.ms);
	return bucket ? bucketLimit(bucket) : () => undefined;
}

function bucketLimit({ capacity, perSecond }: NonNullable<GatewaySpec['bucket']>): Limit {
	let [tokens, filledAt] = [capacity, 0];
	return (now) => {
		tokens = Math.min(capacity, tokens + ((now - filledAt) / 1_000) * perSecond);
		filledAt = now;
		// A token that is due now must not be missed because of rounding.
		if (tokens < 1 - 1e-9) return ((1 - tokens) / perSecond) * 1_000;
		tokens -= 1;
		return undefined;
	};
}

function windowLimit(spec: NonNullable<GatewaySpec['window']>, phase: number): Limit {
	const { requests, ms, isFixed } = spec;
	/** When the last requests were accepted, or their window began. */
	const accepted: number[] = [];
	return (now) => {
		while (accepted.length > 0 && accepted[0]! <= now - ms) accepted.shift();
		if (accepted.length >= requests) return accepted[0]! + ms - now;
		accepted.push(isFixed ? Math.floor((now + phase) / ms) * ms - phase : now);
		return undefined;
	};
}

const latency = ({ minMs, maxMs }: GatewaySpec['latency'], random: Random): number =>
	minMs + random() * (maxMs - minMs);

export const response = (status: number, data: unknown, headers: Record<string, string> = {}) => ({
	status,
	headers,
	data,
});

export const success = (status: number, data: unknown): Reply => ({
	meaning: 'success',
	response: response(status, data),
});
/** With the seconds of Retry-After, if it has one, and how else it is written. */
export const refused = (
	error: string,
	seconds?: number,
	headers: Record<string, string> = seconds === undefined ? {} : { 'retry-after': String(seconds) },
): Reply => ({
	meaning: 'refused',
	response: response(429, { error }, headers),
	waitMs: seconds === undefined ? undefined : Math.round(seconds * 1_000),
});
const maintenance = (waitMs: number, headers: Record<string, string>): Reply => ({
	meaning: 'later',
	response: response(503, { error: 'maintenance' }, headers),
	waitMs,
});
const failed = (meaning: Reply['meaning'], code: string, isConnecting = false): Reply => ({
	meaning,
	error: { code, isConnecting },
});

const CUT = failed('unknown', 'ECONNRESET');
export const TIMED_OUT = failed('unknown', 'ETIMEDOUT');
const ERROR: Reply = { meaning: 'unknown', response: response(500, { error: 'internal_error' }) };

/** Faults before the request leaves. */
const UNSENT: Partial<Record<Fault, Reply>> = {
	refused: failed('later', 'ECONNREFUSED', true),
	certificate: failed('permanent', 'CERT_HAS_EXPIRED', true),
	fileMissing: { meaning: 'later', invalidInput: { retry: {} } },
	fileBusy: {
		meaning: 'later',
		invalidInput: { retry: { requestedWaitMs: 2_000 } },
		waitMs: 2_000,
	},
	fileInvalid: { meaning: 'permanent', invalidInput: {} },
};

/** Faults with which the gateway accepts nothing. */
const NOT_ACCEPTED: Partial<Record<Fault, Reply>> = {
	cutBefore: CUT,
	error: ERROR,
	lost: TIMED_OUT,
	webPage: {
		meaning: 'unknown',
		response: response(200, '<!doctype html><p>Sign in</p>', { 'content-type': 'text/html' }),
	},
	denied: { meaning: 'permanent', response: response(200, { success: false }) },
};

/** What a client reports whose user has cancelled the execution. */
export const CANCELLED = failed('unknown', 'ERR_CANCELED');
