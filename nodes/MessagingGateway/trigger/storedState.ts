import { createHmac } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { storedObject } from '../../../gateway/json';

/**
 * Identifies the account and the settings of a poll, to which a state belongs. It is a digest, because the account's key
 * contains the token. It includes the secret, because short tokens could be guessed from a plain digest.
 */
export const scopeOf = (secret: string, ...parts: unknown[]) =>
	createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url').slice(0, 16);

/**
 * Reads and writes the trigger's state in n8n's static data. The state is one text, because n8n wraps every object in a
 * proxy, which is slow for thousands of objects, and takes every write for a change.
 */
export function storedState(data: IDataObject, scope: string) {
	const stored = storedObject(data.state);
	return {
		/** Is true if no poll has stored anything, in any scope. */
		isEmpty: stored === undefined,
		/** Contains the state after the last poll, unless that poll had another scope. */
		before: stored?.scope === scope ? stored.state : undefined,
		store(state?: unknown): void {
			const text = JSON.stringify({ scope, state });
			if (data.state !== text) data.state = text;
		},
	};
}

export type StoredState = ReturnType<typeof storedState>;
