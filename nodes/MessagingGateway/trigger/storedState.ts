import { createHmac } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { storedObject } from '../../../gateway/json';

/**
 * The state belongs to an account and the settings of a poll. A digest, because the account's key contains the token;
 * with the secret, because short tokens could be guessed from a plain digest.
 */
export const scopeOf = (secret: string, ...parts: unknown[]) =>
	createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url').slice(0, 16);

/**
 * The trigger's state in n8n's static data, as one text: n8n wraps every object in there in a proxy, which is slow
 * for thousands, and takes every write for a change.
 */
export function storedState(data: IDataObject, scope: string) {
	const stored = storedObject(data.state);
	return {
		/** Whether no poll has stored anything, in any scope. */
		isEmpty: stored === undefined,
		/** The state after the last poll in this scope. */
		before: stored?.scope === scope ? stored.state : undefined,
		store(state?: unknown): void {
			const text = JSON.stringify({ scope, state });
			if (data.state !== text) data.state = text;
		},
	};
}

export type StoredState = ReturnType<typeof storedState>;
