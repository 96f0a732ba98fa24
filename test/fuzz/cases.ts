import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';

import fc from 'fast-check';

import { depth, seedFrom } from '../harness/depth';
import type { Account, Outcome, OutcomeError } from '../harness/engine';
import { type Operation, OPERATIONS } from '../harness/operations';

export const token = 'tok/en+Geheim 123';
export const secret = 'sEcReT-do-not-tell';

/** An account whose gateway responds with this. */
export function useServer(respond: RequestListener): Account {
	const account = { baseUrl: '', token, secret };
	const server = createServer(respond);
	beforeAll(async () => {
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		account.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	});
	afterAll(async () => {
		server.close();
		server.closeAllConnections();
		await once(server, 'close');
	});
	return account;
}

/** `npm run fuzz` sets FUZZ_CASES to 100000. FUZZ_SEED=… repeats a failed run. */
const CASES = Number(process.env.FUZZ_CASES ?? depth(200, 4_000));
export const seed = seedFrom('FUZZ_SEED');

/** Half each: hostile responses, and hostile parameters. */
export const CASES_PER_TEST = Math.ceil(CASES / 2);
/** Responses of up to 16 MB take seconds each, so `npm test` has none of them. */
export const SIZE_CASES = Math.round(CASES / 1_000);
export const TIMEOUT_MS = 300_000 + CASES * 60;

const parametersOf = (operations: Operation[]): Array<Record<string, unknown>> =>
	operations.map(({ parameters }) => ({ ...parameters, timeout: 1, pollInterval: 0.5 }));

/** For fc.oneof(). */
export const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

/** The parameters of an operation. Each one that polls takes at least a second, so these are rare. */
export const anyOperation = fc.oneof(
	weighted(250, fc.constantFrom(...parametersOf(OPERATIONS.filter(({ polls }) => !polls)))),
	weighted(1, fc.constantFrom(...parametersOf(OPERATIONS.filter(({ polls }) => polls)))),
);
/** What n8n does with the error of an item. */
export const onErrors = fc.constantFrom(
	...(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const),
);
export const ITEM = { json: {}, binary: { data: { data: 'QUJD', mimeType: 'text/plain' } } };

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
