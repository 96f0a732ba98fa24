import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { keep, kept } from './kept.mjs';
import { live } from './places.mjs';

/** Who signs in to n8n. Made up at the first start, with a letter in upper case and a digit, as n8n wants it. */
export function ownerOf(home, place = live) {
	const file = join(home, 'owner.json');
	const owner = kept(file);
	if (owner) return owner;
	const { hashSync } = createRequire(join(place, 'node_modules/n8n/package.json'))('bcryptjs');
	const password = `N8n-${randomBytes(12).toString('base64url')}`;
	return keep(file, { email: 'owner@example.com', password, passwordHash: hashSync(password, 10) });
}
