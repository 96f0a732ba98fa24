import { createHmac } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

interface Stored {
	scope: string;
	/** Missing if no poll has succeeded. */
	state?: unknown;
}

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
export class StoredState {
	readonly #data: IDataObject;
	readonly #scope: string;
	/** Whether no poll has stored anything, in any scope. */
	readonly isEmpty: boolean;
	/** The state after the last poll in this scope. */
	readonly before: unknown;

	constructor(data: IDataObject, scope: string) {
		const stored = parse(data.state);
		this.#data = data;
		this.#scope = scope;
		this.isEmpty = stored === undefined;
		this.before = stored?.scope === scope ? stored.state : undefined;
	}

	store(state?: unknown): void {
		const text = JSON.stringify({ scope: this.#scope, state } satisfies Stored);
		if (this.#data.state !== text) this.#data.state = text;
	}
}

function parse(text: unknown): Stored | undefined {
	if (typeof text !== 'string') return undefined;
	try {
		return JSON.parse(text) as Stored;
	} catch {
		return undefined;
	}
}
