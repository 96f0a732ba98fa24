import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A small JSON file that is there again at the next start. */
export function kept(file) {
	return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

export function keep(file, value) {
	mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
	// Aside and renamed: what is broken off in the middle leaves the old one whole.
	writeFileSync(`${file}.new`, `${JSON.stringify(value, null, '\t')}\n`, { mode: 0o600 });
	renameSync(`${file}.new`, file);
	return value;
}
