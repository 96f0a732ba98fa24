import { inspect } from 'node:util';

import fc from 'fast-check';

import type { Outcome, OutcomeError } from '../engine';
import { OPERATIONS, PATIENT_OPERATIONS } from '../operations';

export const token = 'tok/en+Geheim 123';
export const secret = 'sEcReT-do-not-tell';

/** FUZZ_CASES=100000 is `npm run fuzz`; FUZZ_SEED=… repeats a run that failed. */
const CASES = Number(process.env.FUZZ_CASES ?? 2_000);
export const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Half of the cases are hostile answers, half are hostile parameters. */
export const HALF = Math.ceil(CASES / 2);
export const PATIENCE_MS = 60_000 + CASES * 60;

export const anyOperation = fc.oneof(
	{ weight: 250, arbitrary: fc.constantFrom(...OPERATIONS) },
	{ weight: 1, arbitrary: fc.constantFrom(...PATIENT_OPERATIONS) },
);

/** Names that the code looks for, and names that are traps in JavaScript. */
export const anyName = fc.oneof(
	fc.constantFrom(
		...['status', 'state', 'session', 'data', 'result', 'qr', 'qrCode', 'code', 'error', 'message'],
		...['success', 'ok', 'deferred', 'items', 'deliveryKey', 'id', 'key', 'chatId', 'outcome'],
		...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'toJSON', 'hasOwnProperty'],
		...['then', 'length', '0', ''],
	),
	fc.string({ maxLength: 10 }),
);

/** What must hold whatever comes: an end in words, and no secret in it. */
export function expectSound({ run, error, items, errorItems }: Outcome): void {
	expect(run.status).toMatch(/^(success|error)$/);
	expect(run.status === 'error').toBe(error !== undefined);
	// What n8n cannot evaluate it says itself, in its own words.
	if (error && !isOfN8n(error)) {
		expect(error.message).toMatch(/^[A-Z'"\d].{5,}/s);
		expect(`${error.message} ${error.description}`).not.toMatch(
			/\[object \w+\]|is not a function|of undefined|of null|call stack|is not iterable/,
		);
	}
	for (const { json } of [...items, ...errorItems]) expect(typeof json).toBe('object');
	const everything = inspect(run.data, {
		depth: 150,
		maxStringLength: Infinity,
		maxArrayLength: Infinity,
	});
	for (const hidden of [token, encodeURIComponent(token), secret]) {
		expect(everything.includes(hidden)).toBe(false);
	}
	// n8n stores it as JSON.
	expect(() => JSON.stringify([items, errorItems])).not.toThrow();
}

const isOfN8n = ({ name, message }: OutcomeError) =>
	name === 'ExpressionError' || /^(invalid syntax|this is a function)/.test(message);
