import { type Fields, runCode } from '../harness/exampleCode';

const NOW = '2026-06-03T12:00:00.000Z';
const UNCERTAIN = 'No response; unknown: it may have been sent [item 0]';
const CHECK = { error: UNCERTAIN, details: { cause: 'timeout', retry: 'check' } };

const row = (id: number, fields: Fields = {}) => ({
	...{ id, attempts: 0, reason: '', sentAt: null, nextAttemptAt: '2026-06-01T00:00:00.000Z' },
	...{ status: 'sending', updatedAt: NOW, ...fields },
});

/** What Results writes. `items` are the output of Send, each with the index `of` its row. */
const results = (
	rows: Fields[],
	items: Array<{ json: Fields; of: number }>,
	before: Fields[] = [],
	nodes: Record<string, Fields[]> = {},
): Fields[] =>
	runCode('Results', {
		nodes: {
			Batch: [{ mostSent: 5, number: '', campaign: '', day: '2026-06-03' }],
			Claimed: rows,
			'Known people': [],
			'Send now?': items.map(({ of }) => rows[of]!),
			Results: (_, run) => [{ sizes: {}, batch: before[run!] ?? { rows: 0, seconds: 1 } }],
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

test('a row that was late is due again, and says how often it was released', () => {
	const late = { error: 'Not sent in time', details: { cause: 'late', retry: 'safe' } };
	const before = { attempts: 2, reason: null, sentAt: null };
	const released = (times: string) => ({
		...{ ...before, status: 'pending', nextAttemptAt: NOW },
		reason: `Released ${times} without an attempt: the batch had no more time`,
	});
	expect(resultOf(row(7, before), late)).toEqual(released('1 time'));
	const inTest = { ...late, details: { ...late.details, isTest } };
	const again = row(7, { ...before, reason: released('2 times').reason });
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

describe('writes each row once', () => {
	const ids = Array.from({ length: 20 }, (_, index) => index + 1);
	const rows = ids.map((id) => row(id, { attempts: id % 4 }));
	const failed = (text: string, retry: string) => ({ error: text, details: { retry } });
	const OUTPUTS = [
		...[{ outcome: 'sent' }, { outcome: 'deferred' }, CHECK, failed('Offline', 'later')],
		...ids.map((id) => failed(`No account ${id}`, 'never')),
	];
	const campaign = { Batch: [{ mostSent: 5, campaign: 'Spring', day: '' }], Rules: rows };

	test.each<[string, number, Record<string, Fields[]>]>([
		['orders', 6, {}],
		['a campaign', 3, campaign],
	])('%s, in few updates however different the results are', (name, most, nodes) => {
		const given = rows.map((each) => ({ ...each, campaign: name === 'orders' ? '' : 'Spring' }));
		for (const kinds of [1, 3, 5, 20]) {
			const items = ids.map((id, of) => ({ json: OUTPUTS[id % kinds]!, of }));
			const written = results(given, items, [], nodes);
			expect(written.length).toBeLessThanOrEqual(most);
			expect(written.flatMap((each) => each.ids as number[]).sort((a, b) => a - b)).toEqual(ids);
			for (const { ids: own, others } of written as Array<{ ids: number[]; others: number[] }>)
				expect([...own, ...others].sort((a, b) => a - b)).toEqual(ids);
			for (const each of written) {
				const sentOnly = (each.ids as number[]).every((id) => id % kinds === 0);
				expect(each.status === 'sent').toBe(sentOnly);
			}
			const reasons = written.map(({ reason }) => reason).join();
			if (kinds === 20)
				for (const id of ids.slice(1, -4)) expect(reasons).toContain(`No account ${id}`);
		}
	});

	test('rows that wait for many reasons are released, and the next batch decides again', () => {
		const waiting = ids.map((id) => row(id, { status: 'pending', reason: `Until ${id}` }));
		const written = results(waiting, []);
		expect(written).toHaveLength(5);
		expect(written[0]!.isToRelease).toBe(true);
		expect(results(waiting.slice(0, 6), [])).toHaveLength(6);
	});
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

describe('the size of the next batch', () => {
	const OK = { outcome: 'sent' };
	const LATER = { error: 'Busy (503)', details: { cause: 'busy', retry: 'safe' } };
	const NEVER = { error: 'Invalid', details: { cause: 'invalid_input', retry: 'never' } };

	/** After a batch that took so many seconds from its claim on. */
	function nextAfter(seconds: number, outputs: Fields[], before: Fields[] = []) {
		const updatedAt = new Date(Date.parse(NOW) - seconds * 1000).toISOString();
		const rows = outputs.map((_, index) => row(index + 1, { updatedAt }));
		const items = outputs.map((json, of) => ({ json, of }));
		return (results(rows, items, before)[0]!.sizes as Fields)[''];
	}

	test.each([
		['is four times as large if it is fast', 1, Array<Fields>(4).fill(OK), 16],
		['is at most 20', 1, Array<Fields>(16).fill(OK), 20],
		['is smaller if it took longer', 90, Array<Fields>(20).fill(OK), 10],
		['is one row, however long it took', 200, [OK, OK], 1],
		['is one row if some have to be sent again', 1, [OK, OK, LATER], 1],
		['is none if nothing was sent', 1, [LATER, LATER], 0],
		['is one row after rate limits', 1, [LIMIT, LIMIT], 1],
		['grows after a message that failed permanently', 1, [OK, NEVER], 8],
		['grows in a test, so that it reaches every row', 1, [REHEARSED, REDIRECTED], 8],
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

describe('what a number has sent today', () => {
	const EARLIER = '2026-06-02T10:00:00.000Z';
	const stored = { id: 1, token: '2026-06-03', number: null, sent: 7, newPeople: 2 };
	function countsAfter(rows: Fields[], outputs: Fields[], uncertain: unknown = '') {
		const known = { 'Known people': [{ ...stored, uncertain }] };
		const items = outputs.map((json, of) => ({ json, of }));
		return results(rows, items, [], known)[0]!.counts as Fields | null;
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
	const [{ pausedBecause }] = results([row(1, { campaign })], [failed], [], nodes) as [Fields];
	expect(pausedBecause === '' ? '' : (pausedBecause as string).startsWith(reason) && reason).toBe(
		reason,
	);
});
