import { errorCode, isDocumentedCode } from '../replies/dialect';
import { perAccount } from '../wire/accounts';
import type { GatewayResponse } from '../wire/response';

/** A larger difference is a wrong clock, not a slow network. */
export const MAX_CLOCK_SKEW_MS = 30_000;
/** A larger difference is not corrected: its signatures could be used long after this request. */
export const MAX_CORRECTION_MS = 24 * 60 * 60 * 1_000;
/** A Date header has whole seconds. */
const MIN_CLOCK_SKEW_MS = 1_000;

/** How far this machine's clock is ahead of the gateway's, by the Date header. */
export function clockSkewMs({ headers }: GatewayResponse, now: number): number | undefined {
	const gatewayTime = Date.parse(headers.date ?? '');
	return Number.isNaN(gatewayTime) ? undefined : now - gatewayTime;
}

const SIGNATURE_CODES = ['signature_expired', 'invalid_signature', 'unauthorized'];

/** Whether a rejection may be about the timestamp: by its code, or because no other reason is known. */
export function mayBeClockSkew(response: GatewayResponse): boolean {
	const code = errorCode(response);
	return response.status === 401 && (SIGNATURE_CODES.includes(code) || !isDocumentedCode(code));
}

/** Whether the time that was signed is the likely cause of a rejection. */
function isWrongTime(response: GatewayResponse, skew: number): boolean {
	const isCertain = errorCode(response) === 'signature_expired';
	return isCertain ? Math.abs(skew) >= MIN_CLOCK_SKEW_MS : Math.abs(skew) > MAX_CLOCK_SKEW_MS;
}

/**
 * Undefined is the wall clock. Otherwise the gateway's time minus this process's steady clock, so that setting the wall
 * clock changes nothing.
 */
type TimeSource = number | undefined;

const timeBy = (source: TimeSource) =>
	source === undefined ? Date.now() : Math.round(source + performance.now());

/** The gateway's time, as far as it had to be learned because this machine's clock is wrong. */
export class ClockSkew {
	#learned: TimeSource;

	/** The wall clock while it is right, or nothing has been learned. */
	get timeSource(): TimeSource {
		const skew = timeBy(this.#learned) - Date.now();
		return Math.abs(skew) < MIN_CLOCK_SKEW_MS ? undefined : this.#learned;
	}

	/** The timestamp to sign a request with. */
	get gatewayTime(): number {
		return timeBy(this.timeSource);
	}

	/** Learns from a 401. Returns whether to sign the request again, with the gateway's time. */
	learn(response: GatewayResponse, signedWith: TimeSource): boolean {
		this.drop(signedWith);
		const now = timeBy(signedWith);
		const skew = clockSkewMs(response, now);
		if (skew === undefined || !mayBeClockSkew(response) || !isWrongTime(response, skew)) {
			return false;
		}
		const gatewayTime = now - skew;
		// Compared with the wall clock, so that corrections do not add up.
		if (Math.abs(gatewayTime - Date.now()) > MAX_CORRECTION_MS) return false;
		// What another request has learned in the meantime stays, or requests in flight would replace it in turn.
		this.#learned ??= gatewayTime - performance.now();
		return true;
	}

	/** Drops what a 401 contradicts, unless another request has learned something else since. */
	drop(signedWith: TimeSource): void {
		if (this.#learned === signedWith || this.timeSource === undefined) this.#learned = undefined;
	}

	/** A hint for the user while this machine's clock is wrong. */
	get hint(): string | undefined {
		const ahead = this.gatewayTime - Date.now();
		if (Math.abs(ahead) <= MAX_CLOCK_SKEW_MS) return undefined;
		const seconds = Math.round(Math.abs(ahead) / 1000);
		return `The clock of this n8n is ${seconds} s ${ahead > 0 ? 'behind' : 'ahead of'} the gateway's, so requests are signed with the gateway's time. Set the clock of the machine that runs n8n (NTP).`;
	}
}

export const clockSkewOf = perAccount(() => new ClockSkew());
