import { perAccount } from './account';
import type { GatewayResponse } from './response';

/** A larger difference comes from a wrong clock, not from a slow network. */
export const TOLERATED_SKEW_MS = 30_000;
/** A larger difference is not corrected, because its signatures could be used long after the request. */
export const MAX_CORRECTION_MS = 24 * 60 * 60 * 1_000;
/** Smaller differences mean nothing, because a Date header has whole seconds. */
const MIN_CLOCK_SKEW_MS = 1_000;

/** Returns how far this machine's clock is ahead of the gateway's; undefined without a valid Date header. */
export function clockSkewMs({ headers }: GatewayResponse, now: number): number | undefined {
	const gatewayTime = Date.parse(headers.date ?? '');
	return Number.isNaN(gatewayTime) ? undefined : now - gatewayTime;
}

export const clockText = (aheadMs: number) =>
	`The clock of this n8n is ${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the gateway's`;

/** Whether a rejection says that the time is its reason, or names no other reason. */
export type ClockDoubt = 'certain' | 'possible' | undefined;

/** Whether the signed time is the likely cause of a rejection. Only a certain doubt is enough for a small difference. */
function isWrongTime(doubt: ClockDoubt, skew: number): boolean {
	if (!doubt) return false;
	return doubt === 'certain'
		? Math.abs(skew) >= MIN_CLOCK_SKEW_MS
		: Math.abs(skew) > TOLERATED_SKEW_MS;
}

/**
 * What a request was signed with. Undefined stands for the wall clock. A number is the offset of the gateway's time from the process's
 * monotonic clock, so setting the wall clock does not change it.
 */
type TimeSource = number | undefined;

const timeBy = (source: TimeSource) =>
	source === undefined ? Date.now() : Math.round(source + performance.now());

/** Learns the gateway's time from 401s that are due to a wrong clock of this machine. */
export class SigningClock {
	#learned: TimeSource;

	/** The learned time, or the wall clock (undefined) if nothing was learned or the wall clock has become correct. */
	get source(): TimeSource {
		const skew = timeBy(this.#learned) - Date.now();
		return Math.abs(skew) < MIN_CLOCK_SKEW_MS ? undefined : this.#learned;
	}

	get signingTime(): number {
		return timeBy(this.source);
	}

	/** Learns the gateway's time from a 401. Returns whether to sign the request again with it. */
	learn(response: GatewayResponse, signedWith: TimeSource, doubt: ClockDoubt): boolean {
		// After any 401, the learned time may be wrong. If it was right, learning it again costs only one more 401.
		this.drop(signedWith);
		const now = timeBy(signedWith);
		const skew = clockSkewMs(response, now);
		if (skew === undefined || !isWrongTime(doubt, skew)) {
			return false;
		}
		const gatewayTime = now - skew;
		// The limit applies to the difference from the wall clock, so that several corrections cannot add up to more.
		if (Math.abs(gatewayTime - Date.now()) > MAX_CORRECTION_MS) return false;
		// Keeps what another request has learned meanwhile. Otherwise, concurrent requests would keep replacing it.
		this.#learned ??= gatewayTime - performance.now();
		return true;
	}

	/** Drops the learned time, unless another request has learned a different one since. Also drops it once the wall clock is right. */
	drop(signedWith: TimeSource): void {
		if (this.#learned === signedWith || this.source === undefined) this.#learned = undefined;
	}

	get hint(): string | undefined {
		const aheadMs = Date.now() - this.signingTime;
		if (Math.abs(aheadMs) <= TOLERATED_SKEW_MS) return undefined;
		return `${clockText(aheadMs)}, so requests are signed with the gateway's time. Set the clock of the machine that runs n8n (NTP).`;
	}
}

export const signingClockOf = perAccount(() => new SigningClock());
