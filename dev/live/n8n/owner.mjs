import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { readJson, writeJson } from '../../tools/jsonFile.mjs';
import { installation, n8nManifestIn } from '../workspace/paths.mjs';

/** @typedef {{ email: string, password: string, passwordHash: string }} Owner */

/** @param {string} home */
const fileIn = (home) => join(home, 'owner.json');

/** @param {string} home */
export const storedOwner = (home) => /** @type {Owner | undefined} */ (readJson(fileIn(home)));

/**
 * The owner account of the n8n in `home`, created the first time.
 * @param {string} home
 * @param {string} folder The n8n installation.
 */
export function ownerOf(home, folder = installation) {
	const stored = storedOwner(home);
	if (stored) return stored;

	/** @type {unknown} */
	const bcrypt = createRequire(n8nManifestIn(folder))('bcryptjs');
	const { hashSync } = /** @type {{ hashSync: (password: string, rounds: number) => string }} */ (
		bcrypt
	);
	// n8n requires an uppercase letter and a digit: the prefix has both.
	const password = `N8n-${randomBytes(12).toString('base64url')}`;
	const owner = { email: 'owner@example.com', password, passwordHash: hashSync(password, 10) };
	writeJson(fileIn(home), owner);
	return owner;
}
