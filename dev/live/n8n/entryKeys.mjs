import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { readJson, writeJson } from '../../tools/jsonFile.mjs';

/**
 * What callers need to use the examples: user and password for pages and forms, the token for the MCP server, and the secret
 * with which the CRM signs its requests.
 * @typedef {{ user: string, password: string, token: string, secret: string }} EntryKeys
 */

/** @param {string} home */
const fileIn = (home) => join(home, 'entry-keys.json');

/** @param {string} home */
export const storedEntryKeys = (home) =>
	/** @type {EntryKeys | undefined} */ (readJson(fileIn(home)));

/**
 * The keys of the examples in the n8n in `home`, created the first time.
 * @param {string} home
 * @returns {EntryKeys}
 */
export function entryKeysOf(home) {
	const stored = storedEntryKeys(home);
	if (stored) return stored;

	const keys = { user: 'example', password: random(), token: random(), secret: random() };
	writeJson(fileIn(home), keys);
	return keys;
}

function random() {
	return randomBytes(18).toString('base64url');
}
