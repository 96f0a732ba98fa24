import { type Fields, runCode } from '../harness/exampleCode';

const NOW = '2026-06-03T12:00:00.000Z';
const UNCERTAIN = 'No response; unknown: it may have been sent [item 0]';
const CHECK = { error: UNCERTAIN, details: { cause: 'timeout', retry: 'check' } };

const row = (id: number, fields: Fields = {}) => ({
	...{ id, attempts: 0, reason: '', sentAt: null, nextAttemptAt: '2026-06-01T00:00:00.000Z' },
	...{ status: 'sending', updatedAt: NOW, ...fields },
});

/** `items` are the output of Send, each with the index `of` its row. */
const results = (
	rows: Fields[],
	items: Array<{ json: Fields; of: number }>,
	before: Fields[] = [],
): Fields[] =>
	runCode('Results', {
		nodes: {
			'Oldest first': items.map(({ of }) => rows[of]!),
			Results: (_, run) => [{ batch: before[run!] ?? { rows: 0, seconds: 1 } }],
		},
		input: items.map(({ json }) => json),
		zone: 'Europe/Berlin',
	});

/** What one row becomes, without the block. */
function resultOf(given: Fields, json: Fields): Fields {
	const [{ fromId: _, toId: __, number: ___, batch: ____, nextBatch: _____, ...result }] = results(
		[given],
		[{ json, of: 0 }],
	) as [Fields];
	return result;
}

const sent = (of: number) => ({ json: { success: true, outcome: 'sent' }, of });
const blocksOf = (all: Fields[]) => all.map(({ fromId, toId, status }) => [fromId, toId, status]);

const isTest = true;
const REHEARSED = { outcome: 'rehearsed', isTest };
const REDIRECTED = { outcome: 'redirected', isTest, testNumber: { outcome: 'sent' } };
const TEST = "Not sent: a test, because of 'Send Messages To' of the credential";
const testFailure = (text: string, cause: string, retry: string) => ({
	error: `${text} [item 0]`,
	details: { cause, retry, isTest },
});

// The same for each output of Send with a credential for tests: those of the numbers for trying branches, too.
describe.each<[string, Fields, string?]>([
	['rehearsed', REHEARSED, '12:01'],
	['redirected', REDIRECTED],
	['simulated as deferred', { outcome: 'deferred', isTest, deliveryKey: 'rehearsal' }],
	['simulated as offline', testFailure('Rehearsal: offline', 'offline', 'later')],
	['simulated as a rate limit', testFailure('Rehearsal: 429', 'rate_limit_exceeded', 'safe')],
	['simulated as uncertain', testFailure(`Rehearsal: ${UNCERTAIN}`, 'timeout', 'check')],
	['rejected for the test number', testFailure('Rejected (422)', 'validation_error', 'never')],
	['not sent, as its run became a rehearsal', testFailure('Not sent', 'rehearsal', 'never')],
])('a message that was %s decides nothing', (_, output, time = '13:00') => {
	const due = { status: 'pending', nextAttemptAt: `2026-06-03T${time}:00.000Z` };

	test('about a row that was not tried: it is no attempt, and the reason says why it was not sent', () => {
		expect(resultOf(row(7, { attempts: 9 }), output)).toEqual({
			...{ ...due, attempts: 9, reason: TEST, sentAt: null },
		});
	});

	test('about an earlier attempt that may have arrived', () => {
		const uncertain = row(7, {
			attempts: 4,
			reason: UNCERTAIN,
			sentAt: '2026-06-03T11:00:00.000Z',
		});
		expect(resultOf(uncertain, output)).toEqual({
			...{ ...due, attempts: 4, sentAt: '2026-06-03T11:00:00.000Z' },
			reason: `${TEST}; an earlier attempt is unknown: it may have been sent`,
		});
	});
});

test('marks messages as sent or deferred', () => {
	const sentNow = { status: 'sent', attempts: 1, reason: '', sentAt: NOW, nextAttemptAt: NOW };
	expect(resultOf(row(7), { outcome: 'sent' })).toEqual(sentNow);
	expect(resultOf(row(7), { outcome: 'deferred' })).toEqual({ ...sentNow, status: 'deferred' });
	expect(resultOf(row(7), { outcome: 'later' })).toMatchObject({ status: 'unknown' });
});

describe('a duplicate', () => {
	const CRASHED = 'The run that was sending it did not finish; unknown: it may have been sent';
	const HELD = 'Outside of the send window; an earlier attempt is unknown: it may have been sent';

	test.each([
		[4, UNCERTAIN],
		[0, CRASHED],
		[1, HELD],
	])('is sent if an earlier attempt of the row may have arrived: %d, %s', (attempts, reason) => {
		expect(resultOf(row(7, { attempts, reason }), { outcome: 'duplicate' })).toEqual({
			...{ status: 'sent', attempts: attempts + 1, reason: '', sentAt: NOW, nextAttemptAt: NOW },
		});
	});

	// Someone else may have used the key, for another person.
	test.each([
		[0, ''],
		[0, null],
		[2, 'Not online (409)'],
	])('is unknown if the row has sent nothing: %d, %j', (attempts, reason) => {
		const result = resultOf(row(7, { attempts, reason }), { outcome: 'duplicate' });
		expect(result).toEqual({
			...{ status: 'unknown', attempts: attempts + 1, sentAt: NOW, nextAttemptAt: NOW },
			reason:
				'Not sent: the gateway already had a message with this key, and no earlier attempt of this row can have sent it. If the request was repeated with its id, the first row of it counts. Otherwise check whether this person got the message',
		});
		// Rules would pause the campaigns of the number, as after messages without a response.
		expect(result.reason).not.toContain('it may have been sent');
	});
});

test('after a temporary failure, waits twice as long as before', () => {
	expect(resultOf(row(7, { attempts: 8 }), { error: 'Not online (409)' })).toEqual({
		...{ status: 'pending', attempts: 9, nextAttemptAt: '2026-06-03T13:25:20.000Z' },
		...{ reason: 'Not online (409)', sentAt: null },
	});
});

// Whatever the status of the response and its text: a gateway may say with 400 or 422 that the phone is offline.
test.each([
	['invalid_input', 'never', 0, 'failed'],
	['offline', 'later', 9, 'failed'],
	['timeout', 'check', 8, 'pending'],
	['timeout', 'check', 9, 'unknown'],
])('after the cause %s (%s) at attempt %d + 1, the row is %s', (cause, retry, attempts, status) => {
	const failed = { error: 'Rejected (422)', details: { cause, retry } };
	const reason = `Rejected (422)${retry === 'check' ? '; unknown: it may have been sent' : ''}`;
	expect(resultOf(row(7, { attempts }), failed)).toMatchObject({ status, reason });
});

test('a row that was late is due as before', () => {
	const late = { error: 'Not sent in time', details: { cause: 'late', retry: 'safe' } };
	const before = { status: 'pending', attempts: 2, reason: null, sentAt: null };
	const { nextAttemptAt } = row(7);
	expect(resultOf(row(7, before), late)).toEqual({ ...before, nextAttemptAt });
	const inTest = { ...late, details: { ...late.details, isTest } };
	expect(resultOf(row(7, before), inTest)).toEqual({ ...before, nextAttemptAt });
});

test('remembers that an earlier attempt may have been sent, and when', () => {
	expect(resultOf(row(7), CHECK)).toMatchObject({
		reason: 'No response; unknown: it may have been sent',
		sentAt: NOW,
	});
	const sentAt = '2026-06-03T11:00:00.000Z';
	const later = { attempts: 9, reason: UNCERTAIN, sentAt };
	expect(resultOf(row(7, later), { error: 'Not online (409)' })).toMatchObject({
		status: 'unknown',
		reason: 'Not online (409); an earlier attempt is unknown: it may have been sent',
		sentAt,
	});
	expect(resultOf(row(7, { ...later, reason: null }), { error: 'Offline' })).toMatchObject({
		status: 'failed',
	});
});

// Between the IDs of a block, there is no row that was not sent.
test('writes each row once, and starts another block after a row that is not in the list, or has another result', () => {
	const rows = [1, 2, 4, 5, 6, 9].map((id) => row(id, { attempts: id === 6 ? 3 : 0 }));
	const deferred = { json: { outcome: 'deferred' }, of: 3 };
	// The text of the last row was sent in parts.
	const items = [sent(5), sent(0), sent(1), sent(2), deferred, sent(4), sent(5)];
	expect(blocksOf(results(rows, items))).toEqual([
		[1, 2, 'sent'],
		[4, 4, 'sent'],
		[5, 5, 'deferred'],
		[6, 6, 'sent'],
		[9, 9, 'sent'],
	]);
});

const LIMIT = {
	error: 'Too many (429)',
	details: { cause: 'rate_limit_exceeded', retry: 'safe' },
};

test('a rate limit is no attempt, and the row waits a minute, because it may be the limit of its chat', () => {
	expect(resultOf(row(7, { attempts: 9 }), LIMIT)).toEqual({
		...{ status: 'pending', attempts: 9, nextAttemptAt: '2026-06-03T12:01:00.000Z' },
		...{ reason: 'Too many (429)', sentAt: null },
	});
});

describe('the size of the next batch', () => {
	const OK = { outcome: 'sent' };
	const LATER = { error: 'Busy (503)', details: { cause: 'busy', retry: 'safe' } };
	const NEVER = { error: 'Invalid', details: { cause: 'invalid_input', retry: 'never' } };

	/** After a batch that took so many seconds from its claim on. */
	function nextAfter(seconds: number, outputs: Fields[], before: Fields[] = []) {
		const updatedAt = new Date(Date.parse(NOW) - seconds * 1000).toISOString();
		const rows = outputs.map((_, index) => row(index + 1, { updatedAt }));
		const items = outputs.map((json, of) => ({ json, of }));
		return results(rows, items, before)[0]!.nextBatch;
	}

	test.each([
		['is twice as large if it is fast', 1, Array<Fields>(4).fill(OK), 8],
		['is at most 20', 1, Array<Fields>(16).fill(OK), 20],
		['is smaller if it took longer', 90, Array<Fields>(20).fill(OK), 10],
		['is one row, however long it took', 200, [OK, OK], 1],
		['is one row if some have to be sent again', 1, [OK, OK, LATER], 1],
		['is none if nothing was sent', 1, [LATER, LATER], 0],
		['is one row after rate limits', 1, [LIMIT, LIMIT], 1],
		['grows after a message that failed permanently', 1, [OK, NEVER], 4],
		['grows in a test, so that it reaches every row', 1, [REHEARSED, REDIRECTED], 4],
		['is one row if some of a rehearsal have to be sent again', 1, [REHEARSED, LATER], 1],
	])('%s', (_, seconds, outputs, expected) => {
		expect(nextAfter(seconds, outputs)).toBe(expected);
	});

	const tried = (rows: number, fields: Fields = {}) => ({ rows, seconds: 40, ...fields });
	test.each<[string, number, Fields[], number]>([
		['one more if it stands still', 1, [], 2],
		['one more again, although it took as long as fewer', 2, [tried(1)], 3],
		['not if more rows took too long', 1, [tried(1), tried(2, { seconds: 60 })], 1],
		['not if more rows could not be sent', 1, [tried(2, { isFailed: true }), tried(1)], 1],
		['not if the batch took too long', 60, [], 1],
	])('tries %s', (_, size, before, expected) => {
		const seconds = size === 60 ? 60 : 32;
		const rows = size === 60 ? 1 : size;
		expect(nextAfter(seconds, Array<Fields>(rows).fill(OK), before)).toBe(expected);
	});
});
