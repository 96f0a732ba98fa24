import type { Result } from '../../../gateway/failure';
import { type RetryOptions, sendWithRetries } from './retry';

interface PartOptions extends RetryOptions {
	parts?: number;
}

/**
 * Sends the parts of a message one after the other, each with its own retries, until one fails. A message of which a
 * part was sent is completed even if no other message may start.
 */
export async function sendParts<Value>(
	send: (part: number, before?: Value) => Promise<Result<Value>>,
	{ parts = 1, ...options }: PartOptions,
): Promise<Result<Value> | undefined> {
	let before: Value | undefined;
	for (let part = 0; ; part++) {
		const stop = part === 0 ? options.stop : options.signal;
		const attempt = async () => await send(part, before);
		const result = await sendWithRetries(attempt, { ...options, stop });
		if (!result) return undefined;
		if ('failure' in result && parts > 1) return { ...result, parts: { sent: part, of: parts } };
		if ('failure' in result || part + 1 >= parts) return result;
		before = result.value;
	}
}
