import { type Fields, runCode } from '../harness/exampleCode';

const NOW = '2026-06-03T12:00:00.000Z';
const UNCERTAIN = 'No response; unknown: it may have been sent [item 0]';
const CHECK = { error: UNCERTAIN, details: { cause: 'timeout', retry: 'check' } };

type Nodes = NonNullable<Parameters<typeof runCode>[1]['nodes']>;

const row = (id: number, fields: Fields = {}) => ({
	...{ id, attempts: 0, reason: '', sentAt: null, nextAttemptAt: '2026-06-01T00:00:00.000Z' },
	...{ status: 'sending', updatedAt: NOW, ...fields },
});

/** What Results writes. `items` are the output of Send, each with the index `of` its row. */
const results = (
	rows: Fields[],
	items: Array<{ json: Fields; of: number }>,
	nodes: Nodes = {},
): Fields[] =>
	runCode('Results', {
		nodes: {
			Batch: [{ mostSent: 5, number: '', campaign: '', day: '2026-06-03' }],
			Claimed: rows,
			'Known people': [],
			'Send now?': items.map(({ of }) => rows[of]!),
			Results: [{ sizes: {}, batch: { rows: 0, seconds: 1 } }],
			...nodes,
		},
		input: items.map(({ json }) => json),
		zone: 'Europe/Berlin',
	});

/** What one row becomes. */
function resultOf(given: Fields, json: Fields): Fields {
	const [{ status, attempts, nextAttemptAt, reason, sentAt }] = results(
		[{ status: 'sending', ...given }],
		[{ json, of: 0 }],
	) as [Fields];
	return { status, attempts, nextAttemptAt, reason, sentAt };
}

const isTest = true;
const REHEARSED = { outcome: 'rehearsed', isTest };
const REDIRECTED = { outcome: 'redirected', isTest, testNumber: { outcome: 'sent' } };
const TEST = "Not sent: a test, because of 'Send Messages To' of the credential";
const testFailure = (text: string, cause: string, retry: string) => ({
	error: `${text} [item 0]`,
	details: { cause, retry, isTest },
});

// The same for each output of Send with a credential for tests: those of the numbers for trying branches, too.
test.each<[string, Fields, string?]>([
	['rehearsed', REHEARSED, '12:01'],
	['redirected', REDIRECTED],
	['simulated as deferred', { outcome: 'deferred', isTest, deliveryKey: 'rehearsal' }],
	['simulated as offline', testFailure('Rehearsal: offline', 'offline', 'later')],
	['simulated as a rate limit', testFailure('Rehearsal: 429', 'rate_limit_exceeded', 'safe')],
	['simulated as uncertain', testFailure(`Rehearsal: ${UNCERTAIN}`, 'timeout', 'check')],
	['rejected for the test number', testFailure('Rejected (422)', 'validation_error', 'never')],
	['not sent, as its run became a rehearsal', testFailure('Not sent', 'rehearsal', 'never')],
])('a message that was %s decides nothing', (_, output, time = '13:00') => {
	const due = { status: 'pending', nextAttemptAt: `2026-06-03T${time}:00.000Z`, attempts: 9 };
	expect(resultOf(row(7, { attempts: 9 }), output)).toEqual({ ...due, reason: TEST, sentAt: null });
	const sentAt = '2026-06-03T11:00:00.000Z';
	const uncertain = row(7, { attempts: 9, reason: UNCERTAIN, sentAt });
	const reason = `${TEST}; an earlier attempt is unknown: it may have been sent`;
	expect(resultOf(uncertain, output)).toEqual({ ...due, sentAt, reason });
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

	test.each([UNCERTAIN, CRASHED, HELD])(
		'is sent after an attempt that may have arrived: %s',
		(reason) => {
			expect(resultOf(row(7, { reason }), { outcome: 'duplicate' })).toEqual({
				...{ status: 'sent', attempts: 1, reason: '', sentAt: NOW, nextAttemptAt: NOW },
			});
		},
	);

	// Someone else may have used the key, for another person.
	test.each(['', null, 'Not online (409)'])(
		'is unknown if the row has sent nothing: %j',
		(reason) => {
			const result = resultOf(row(7, { reason }), { outcome: 'duplicate' });
			expect(result).toEqual({
				...{ status: 'unknown', attempts: 1, sentAt: NOW, nextAttemptAt: NOW },
				reason: expect.stringMatching(
					/^Not sent: the gateway already had a message with this key, /,
				),
			});
			// Rules would pause the campaigns of the number, as after messages without a response.
			expect(result.reason).not.toContain('it may have been sent');
		},
	);
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

test('a row that was late is due again, and says how often it was released', () => {
	const late = { error: 'Not sent in time', details: { cause: 'late', retry: 'safe' } };
	const before = { attempts: 2, reason: null, sentAt: null };
	const released = (times: string) => ({
		...{ ...before, status: 'pending', nextAttemptAt: NOW },
		reason: `Released ${times} without an attempt: the batch had no more time`,
	});
	expect(resultOf(row(7, before), late)).toEqual(released('1 time'));
	const again = row(7, { ...before, reason: released('2 times').reason });
	const inTest = { ...late, details: { ...late.details, isTest } };
	expect(resultOf(again, inTest)).toEqual(released('3 times'));
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

test('writes each row once, in few updates however different the results are', () => {
	const ids = Array.from({ length: 20 }, (_, index) => index + 1);
	const rows = ids.map((id) => row(id));
	const failed = (text: string, retry: string) => ({ error: text, details: { retry } });
	const outputs = [
		...[{ outcome: 'sent' }, { outcome: 'deferred' }, CHECK, failed('Offline', 'later')],
		...ids.map((id) => failed(`No account ${id}`, 'never')),
	];
	for (const kinds of [1, 5, 20]) {
		const items = ids.map((id, of) => ({ json: outputs[id % kinds]!, of }));
		const written = results(rows, items) as Array<{ ids: number[]; status: string }>;
		expect(written.length).toBeLessThanOrEqual(6);
		expect(written.flatMap((each) => each.ids).sort((a, b) => a - b)).toEqual(ids);
		for (const { ids: own, status } of written)
			expect(status === 'sent').toBe(own.every((id) => id % kinds === 0));
	}
	// The next batch decides about the others again.
	const waiting = ids.map((id) => row(id, { status: 'pending', reason: `Until ${id}` }));
	expect(results(waiting, [])).toMatchObject([{ isToRelease: true }, {}, {}, {}, {}]);
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

test.each([
	['a campaign', 'Spring', 20, 5],
	['a campaign without a pace', 'Spring', 0, 20],
	['a campaign that is slower than a batch', 'Spring', 1, 1],
	['orders', '', 4, 20],
])('%s sends in one batch what its pace sends in 15 seconds', (_, campaign, perMinute, most) => {
	const due = [row(1, { campaign, number: '' })];
	const [batch] = runCode('Batch', {
		nodes: {
			...{ 'Oldest pending': campaign ? [] : due, 'Oldest of campaigns': due },
			...{ 'Next batch': [{ skipped: [] }], 'Skipped numbers': [{ skipped: [] }] },
			...{ Results: [{ sizes: { '': 20 } }], Settings: [{ messagesPerMinute: perMinute }] },
		},
		now: NOW,
	});
	expect(batch!.mostSent).toBe(most);
});

const OK = { outcome: 'sent' };
const LATER = { error: 'Busy (503)', details: { cause: 'busy', retry: 'safe' } };
const oks = (count: number) => Array<Fields>(count).fill(OK);
const tried = (rows: number, fields: Fields = {}) => ({ rows, seconds: 40, ...fields });

test.each<[string, number, Fields[], Fields[], number]>([
	['is four times as large if it is fast', 1, oks(4), [], 16],
	['is at most 20', 1, oks(16), [], 20],
	['is smaller if it took longer', 90, oks(20), [], 10],
	['is one row if some have to be sent again', 1, [OK, OK, LATER], [], 1],
	['is none if nothing was sent', 1, [LATER, LATER], [], 0],
	['is one row after rate limits', 1, [LIMIT, LIMIT], [], 1],
	['grows in a test, so that it reaches every row', 1, [REHEARSED, REDIRECTED], [], 8],
	['tries one more, although it took as long as fewer', 32, oks(2), [tried(1)], 3],
	['tries no more if that took too long', 32, [OK], [tried(2, { seconds: 60 })], 1],
	['tries no more if they could not be sent', 32, [OK], [tried(2, { isFailed: true })], 1],
])('the next batch %s', (_, seconds, outputs, before, expected) => {
	const updatedAt = new Date(Date.parse(NOW) - seconds * 1000).toISOString();
	const rows = outputs.map((_, index) => row(index + 1, { updatedAt }));
	const items = outputs.map((json, of) => ({ json, of }));
	const Results = (_: number, run?: number) => [{ batch: before[run!] ?? tried(0) }];
	expect(results(rows, items, { Results })[0]!.sizes).toEqual({ '': expected });
});

describe('what a number has sent today', () => {
	const EARLIER = '2026-06-02T10:00:00.000Z';
	const stored = { id: 1, token: '2026-06-03', number: null, sent: 7, newPeople: 2 };
	function countsAfter(rows: Fields[], outputs: Fields[], uncertain: unknown = '') {
		const known = { 'Known people': [{ ...stored, uncertain }] };
		const items = outputs.map((json, of) => ({ json, of }));
		return results(rows, items, known)[0]!.counts as Fields | null;
	}

	test.each<[string, Fields, Fields, number]>([
		['sent', {}, { outcome: 'sent' }, 8],
		['uncertain', {}, CHECK, 8],
		['rejected', {}, { error: 'Invalid', details: { retry: 'never' } }, 7],
		['counted today before', { sentAt: '2026-06-03T00:30:00.000Z' }, { outcome: 'sent' }, 7],
		['counted yesterday', { sentAt: EARLIER }, { outcome: 'sent' }, 8],
	])('a message that was %s', (_, fields, output, expected) => {
		expect(countsAfter([row(1, fields)], [output])?.sent ?? stored.sent).toBe(expected);
	});

	test('new people, and only those who may have got a message', () => {
		const rows = [row(1, { isNew: true }), row(2, { isNew: true }), row(3, { isNew: false })];
		const outputs = [{ outcome: 'sent' }, LIMIT, { outcome: 'sent' }];
		expect(countsAfter(rows, outputs)).toMatchObject({ newPeople: 3, sent: 9 });
	});

	test('the last messages without a response, each once, until one has a response', () => {
		const before = `1 ${EARLIER},2 ${EARLIER}`;
		const [again, other] = [row(2), row(3)];
		const after = countsAfter([again, other], [CHECK, CHECK], before)!;
		expect(after.uncertain).toBe(`1 ${EARLIER},2 ${NOW},3 ${NOW}`);
		expect(countsAfter([again, other], [CHECK, { outcome: 'sent' }], before)!.uncertain).toBe('');
		const rows = [4, 5, 6, 7, 8, 9].map((id) => row(id));
		const many = countsAfter(rows, Array<Fields>(6).fill(CHECK), before)!;
		expect(many.uncertain).toBe([5, 6, 7, 8, 9].map((id) => `${id} ${NOW}`).join());
	});
});

test.each([
	['logged_out', 'Spring', 'The phone of A has logged the session out. Pair it again'],
	['banned', 'Spring', 'The account of A is blocked'],
	['offline', 'Spring', ''],
	['logged_out', '', ''],
])('after a failure with the cause %s, pauses the campaign %j: %j', (cause, campaign, reason) => {
	const nodes = { Batch: [{ mostSent: 1, number: 'A', campaign }], Rules: [row(1, { campaign })] };
	const failed = { json: { error: 'Failed', details: { cause, retry: 'later' } }, of: 0 };
	const [{ pausedBecause }] = results([row(1, { campaign })], [failed], nodes) as [Fields];
	expect(pausedBecause === '' ? '' : (pausedBecause as string).startsWith(reason) && reason).toBe(
		reason,
	);
});
