import type { Fault } from '../fault';

const LONGEST = 200;

/** One fault in a line: whom it befalls, what it does, how often it still will. */
export function describeFault(fault: Fault & { timesLeft?: number }): string {
	const whom = [fault.endpoint ?? 'Any request', fault.chatId && `to ${fault.chatId}`];
	const effects = [
		fault.latencyMs && `${fault.latencyMs / 1000} s late`,
		fault.clockOffsetMs && clock(fault.clockOffsetMs),
		answer(fault),
		fault.cut && `cut off ${fault.cut} it took effect`,
		fault.headers && 'with more headers',
	].filter(Boolean);
	const often = [
		fault.probability !== undefined && `by chance (${fault.probability})`,
		fault.timesLeft !== undefined && `${fault.timesLeft} left`,
	].filter(Boolean);
	const what = effects.join(', ') || 'nothing';
	return [`${whom.filter(Boolean).join(' ')}: ${what}`, ...often].join(' · ').slice(0, LONGEST);
}

function answer({ status, code, body, retryAfter, after }: Fault): string | undefined {
	if (status === undefined && body === undefined) return undefined;
	const words = [
		status ?? 200,
		code,
		body && 'with a body of its own',
		after && 'after it took effect',
	];
	const wait = retryAfter !== undefined && `Retry-After ${retryAfter}`;
	return [words.filter(Boolean).join(' '), wait].filter(Boolean).join(', ');
}

function clock(offsetMs: number): string {
	const minutes = Math.round(Math.abs(offsetMs) / 6_000) / 10;
	return `clock ${minutes} min ${offsetMs > 0 ? 'ahead' : 'behind'}`;
}
