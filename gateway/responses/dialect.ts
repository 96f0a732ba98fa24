import table from './dialect.json';
import { plainName } from '../json';

const words = (text: string) => plainName(text).split(/\s+/);

const listsOf = <Key extends string>(texts: Record<Key, string>) =>
	Object.fromEntries(
		Object.entries<string>(texts).map(([key, text]) => [key, words(text)]),
	) as Record<Key, string[]>;

/** The names that responses use, by what they name. The API document has some of each, and the others are common. */
export const NAMES = listsOf(table.names);

// The words that APIs use. The tables are complete on purpose: a gateway with other words declares them (declared.ts).
export const CODES = listsOf(table.codes);
const CONFIRMATIONS = listsOf(table.confirmations);
const byWord = <Key extends string>(texts: Record<Key, string>) => {
	const keys = Object.keys(texts) as Key[];
	return new Map(keys.flatMap((key) => words(texts[key]).map((word) => [word, key] as const)));
};
const OUTCOMES = byWord(table.outcomes);
const PHASES = byWord(table.phases);

/** Whether an error code is in the API document. Expects it in lower case. */
export const isDocumentedCode = (code: string) => table.documentedCodes.includes(code);

/** What a request that does something was to do. A request that only reads has none. */
export type Confirmation = keyof typeof table.confirmations;

/**
 * `confirms`: the word for what was requested, as a status or as the name of a boolean. `pending`: many gateways call every message that
 * they have passed on that, with an ID. `lostPhone`: a gateway that lost the connection to the phone, so the message may have been sent.
 */
export type WordMeaning = 'confirms' | keyof typeof table.outcomes;

/** Returns what a single word, without spaces, hyphens and underscores, says about a request; undefined if it is in no table. */
export const meaningOfWord = (word: string, to: Confirmation = 'sent'): WordMeaning | undefined =>
	CONFIRMATIONS[to].includes(word) ? 'confirms' : OUTCOMES.get(word);

/** What a status of the session means for sending, pairing and waiting. */
export type Phase = keyof typeof table.phases | 'unknown';

/** The subject of a status does not count: SESSION_NOT_CONNECTED means NOT_CONNECTED. */
const SUBJECT =
	/^(?<session>(whatsapp)?(session|instance|client|connection)|whatsapp)?(phone|device)?(is|already)*/;

export function phaseOf(status: string): Phase {
	const word = wordOf(status);
	// Alone, these may be about anything.
	if (word === 'notfound' || word === 'none') return 'unknown';
	return PHASES.get(word) ?? PHASES.get(word.replace(SUBJECT, '')) ?? 'unknown';
}

/** Returns what an error code says about the session; `unknown` if it is a sentence, or may be about something else, such as FAILED. */
export function phaseOfCode(code = ''): Phase {
	const word = wordOf(code);
	const isAboutSession = SUBJECT.exec(word)?.groups?.session || CODES.ofSession.includes(word);
	return isAboutSession && !/\s/.test(code.trim()) ? phaseOf(code) : 'unknown';
}

/** Whether an error code says that the session is not ready to send. */
export const saysOffline = (code?: string) => /^(offline|loggedOut)$/.test(phaseOfCode(code));

/** Longer names and words are in no table. Comparing them would take seconds, and overflow the stack of an expression. */
export const MAX_WORD = 100;
const MAX_MEMBERS = 100;

export const trimmedText = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

/** Returns text, a number or a boolean as text, and an empty text for any other value. */
export const scalarOf = (value: unknown) =>
	typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
		? String(value).trim()
		: '';

/** Returns scalarOf() for comparisons: in lower case, without spaces, hyphens and underscores. */
export function wordOf(value: unknown): string {
	const text = scalarOf(value);
	return text.length > MAX_WORD ? text : plainName(text).replace(/\s/g, '');
}

export const isKey = (value: unknown): value is string | number =>
	(typeof value === 'string' && value !== '') || Number.isSafeInteger(value);

/** Whether a value is neither empty nor a word for nothing, such as `none` or `0`. Many or deep values are something. */
export function isSomething(value: unknown, depth = 5): boolean {
	if (typeof value !== 'object' || value === null) return !IS_NOTHING.test(wordOf(value));
	const members = Object.values(value);
	const isSmall = depth > 0 && members.length < MAX_MEMBERS;
	return isSmall ? members.some((member) => isSomething(member, depth - 1)) : members.length > 0;
}
const IS_NOTHING = /^(|false|no?|0+|none|null|\[\]|\{\})$/;
