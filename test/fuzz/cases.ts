import type { RequestListener } from 'node:http';
import { inspect } from 'node:util';

import fc from 'fast-check';

import { depth, seedFrom } from '../harness/depth';
import type { Account, Outcome, OutcomeError } from '../harness/engine';
import { useServer } from '../harness/fileServer';
import { OPERATIONS, QUICK_OPERATIONS, quickParameters } from '../harness/operations';

export const token = 'tok/en+Geheim 123';
export const secret = 'sEcReT-do-not-tell';

/** An account whose gateway responds with this. */
export function useCustomGateway(respond: RequestListener): Account {
	const local = useServer(respond);
	return {
		get baseUrl() {
			return local.url;
		},
		...{ token, secret },
	};
}

/** The same, but another account for each call, because the node remembers the rate limit and the clock offset of each. */
export function useAccounts(respond: RequestListener): () => Account {
	const account = useCustomGateway(respond);
	let accounts = 0;
	return () => ({ ...account, baseUrl: `${account.baseUrl}/${accounts++}` });
}

/** `node dev/tools/fuzz.mjs` sets FUZZ_CASES to 100000. FUZZ_SEED=… repeats a failed run. */
const CASES = Number(process.env.FUZZ_CASES ?? depth(200, 4_000));
const seed = seedFrom('FUZZ_SEED');

const TIMEOUT_MS = 300_000 + CASES * 60;

/** A test with random cases. */
export const fuzzTest = (
	title: string,
	property: fc.IAsyncProperty<unknown>,
	numRuns = Math.ceil(CASES / 2),
) =>
	test(
		`${title}, in ${numRuns} cases (FUZZ_SEED=${seed})`,
		async () => await fc.assert(property, { numRuns, seed }),
		TIMEOUT_MS,
	);

/** For fc.oneof(). */
export const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

/** The parameters of an operation. Each one that polls takes at least a second, so these are rare. */
export const anyOperation = fc.oneof(
	weighted(250, fc.constantFrom(...QUICK_OPERATIONS.map(quickParameters))),
	weighted(1, fc.constantFrom(...OPERATIONS.filter(({ polls }) => polls).map(quickParameters))),
);
/** What n8n does with the error of an item. */
export const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
export type OnError = (typeof ON_ERROR)[number];
export const onErrors = fc.constantFrom(...ON_ERROR);

/** Names that the code reads, and names with a special meaning in JavaScript. */
export const anyName = fc.oneof(
	fc.constantFrom(
		...['status', 'state', 'session', 'data', 'result', 'qr', 'qrCode', 'code', 'error', 'message'],
		...['success', 'ok', 'deferred', 'items', 'deliveryKey', 'id', 'key', 'chatId', 'outcome'],
		...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'toJSON', 'hasOwnProperty'],
		...['then', 'length', '0', ''],
	),
	fc.string({ maxLength: 10 }),
);

/** The invariants of every run: it succeeds or fails with a clear message, and leaks no secret. */
export function expectInvariants({ run, error, items, errorItems }: Outcome): void {
	expect(run.status).toMatch(/^(success|error)$/);
	expect(run.status === 'error').toBe(error !== undefined);
	// Errors in expressions come from n8n, with n8n's own messages.
	if (error && !isFromN8n(error)) {
		expect(error.message).toMatch(/^[A-Z'"\d].{5,}/s);
		// n8n writes an object that an expression puts into a text like this, and the message quotes that text.
		const own = `${error.message} ${error.description}`.replace(/'[^']*\[object \w+\][^']*'/g, '');
		expect(own).not.toMatch(
			/\[object \w+\]|is not a function|of undefined|of null|call stack|is not iterable/,
		);
	}
	for (const { json } of [...items, ...errorItems]) expect(typeof json).toBe('object');
	const dump = inspect(run.data, {
		depth: 150,
		maxStringLength: Infinity,
		maxArrayLength: Infinity,
	});
	for (const hidden of [token, encodeURIComponent(token), secret]) {
		expect(dump.includes(hidden)).toBe(false);
	}
	// n8n stores items as JSON.
	expect(() => JSON.stringify([items, errorItems])).not.toThrow();
}

const isFromN8n = ({ name, message }: OutcomeError) =>
	name === 'ExpressionError' || /^(invalid syntax|this is a function)/.test(message);
