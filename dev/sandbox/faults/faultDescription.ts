import { chatKind, normalizeChatId } from '../account/chatId';
import type { Fault } from './fault';

const MAX_LENGTH = 200;

/** Returns one line: the requests that a fault applies to, its effects, and how often it still applies. */
export function describeFault(fault: Fault & { timesLeft?: number }): string {
	const requests = fault.endpoint === 'message' ? 'Any message' : (fault.endpoint ?? 'Any request');
	const target = [requests, fault.chatId && `to ${recipient(fault.chatId)}`];
	const effects = [
		fault.latencyMs && `${fault.latencyMs / 1000} s delay`,
		fault.clockOffsetMs && describeClock(fault.clockOffsetMs),
		describeResponse(fault),
		fault.cut && `connection closed ${fault.cut} processing`,
		fault.headers && 'extra headers',
	].filter(Boolean);
	const limits = [
		fault.probability !== undefined && `probability ${fault.probability}`,
		fault.timesLeft !== undefined && `${fault.timesLeft} left`,
	].filter(Boolean);
	const summary = effects.join(', ') || 'no effect';
	return [`${target.filter(Boolean).join(' ')}: ${summary}`, ...limits]
		.join(' · ')
		.slice(0, MAX_LENGTH);
}

function recipient(chatId: string): string {
	const id = normalizeChatId(chatId);
	return chatKind(id) === 'person' ? `+${id}` : id;
}

function describeResponse({ status, code, body, retryAfter, after }: Fault): string | undefined {
	if (status === undefined && body === undefined) return undefined;
	const parts = [status ?? 200, code, body && 'with a custom body', after && 'after processing'];
	const wait = retryAfter !== undefined && `Retry-After ${retryAfter}`;
	return [parts.filter(Boolean).join(' '), wait].filter(Boolean).join(', ');
}

function describeClock(offsetMs: number): string {
	const minutes = Math.round(Math.abs(offsetMs) / 6_000) / 10;
	return `clock ${minutes} min ${offsetMs > 0 ? 'ahead' : 'behind'}`;
}
