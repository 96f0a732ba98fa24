import { createHash } from 'crypto';

import { jsonText } from '../../../gateway/json';
import { runIdentity } from '../n8n/keyOfRun';
import type { Item } from '../operation/item';

export interface MessageContent {
	fields: Record<string, unknown>;
	file?: Uint8Array;
}

/**
 * Returns a key that stays the same when n8n repeats an execution, because the repetition keeps the start time and the
 * resume token of the first one. n8n 1 has no such token, and two executions can start in the same millisecond. So the
 * key also depends on input and content: losing a message is worse than sending it twice.
 */
export const automaticKey = (
	{ context, index, input }: Item,
	{ fields, file }: MessageContent,
): string => digestKey([...runIdentity(context), index, input.json, fields], file);

/** Returns a key that every process, execution and model computes for the same values, so the gateway drops what a second one sends. */
export const digestKey = (values: unknown[], file?: Uint8Array): string => {
	const text = jsonText(
		values,
		'Idempotency Key',
		'The item contains a value that JSON does not allow. Use an expression that returns the key.',
	);
	const digest = createHash('sha256').update(String(text));
	if (file) digest.update(file);
	return `n8n-${digest.digest('hex').slice(0, 40)}`;
};
