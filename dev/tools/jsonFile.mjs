import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The content of a JSON file, or undefined if there is none. Not `any`, so that callers must name the type.
 * @param {string} file
 * @returns {unknown}
 */
export function readJson(file) {
	return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/**
 * @param {string} file
 * @param {unknown} value
 */
export function writeJson(file, value) {
	mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
	// Written to another file and renamed, so that an interruption leaves the old file intact.
	writeFileSync(`${file}.new`, `${JSON.stringify(value, null, '\t')}\n`, { mode: 0o600 });
	renameSync(`${file}.new`, file);
}
