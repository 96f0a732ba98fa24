import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

interface Kept {
	scope: string;
	/** Missing where nothing could be seen yet. */
	state?: unknown;
}

/** What is remembered belongs to one account and one way to look at it. A digest, for the account's key holds the token. */
export const scopeOf = (...parts: unknown[]) =>
	createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);

/**
 * What a trigger remembers in n8n's static data: one text, because n8n wraps every object in there, which is slow
 * for thousands, and takes every write for a change.
 */
export class Memory {
	readonly #data: IDataObject;
	readonly #scope: string;
	/** Whether no poll has left anything, not even one of another scope. */
	readonly isEmpty: boolean;
	/** What the last poll of this scope has left. */
	readonly before: unknown;

	constructor(data: IDataObject, scope: string) {
		const kept = parsed(data.state);
		this.#data = data;
		this.#scope = scope;
		this.isEmpty = kept === undefined;
		this.before = kept?.scope === scope ? kept.state : undefined;
	}

	keep(state?: unknown): void {
		const text = JSON.stringify({ scope: this.#scope, state } satisfies Kept);
		if (this.#data.state !== text) this.#data.state = text;
	}
}

function parsed(text: unknown): Kept | undefined {
	if (typeof text !== 'string') return undefined;
	try {
		return JSON.parse(text) as Kept;
	} catch {
		return undefined;
	}
}
