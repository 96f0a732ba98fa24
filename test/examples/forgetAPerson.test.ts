import { columnsOf, type Fields, nextOf, parametersOf, runCode } from '../harness/exampleCode';

const PERSON = '447700900123';

test.each([
	['Forget', 'sending', 'wait'],
	['Forget', 'pending', 'change'],
	['Stop messages', 'pending', 'keep'],
])('the action %s with a row that is %s: %s', (action, status, step) => {
	const [row] = runCode('Rows to change', {
		nodes: {
			Check: [{ identity: PERSON, input: { action } }],
			...{ 'With identity': [{ id: 7, status }], 'Without identity': [] },
		},
		input: [{ error: 'is empty' }],
	});
	expect(row).toMatchObject({ id: 7, run: 3, step, statusAfter: 'stopped' });
});

/** The page, after the rows were read once for each list. */
function summary(action: string, runs: Fields[][], optOut: Fields = { id: 1 }) {
	const found = runs.map((rows, run) =>
		rows.length > 0 ? rows.map((row) => ({ ...row, run })) : [{ run, step: 'none' }],
	);
	const [page] = runCode<Fields & { html: string }>('Summary', {
		nodes: {
			Check: [{ identity: PERSON, input: { action } }],
			'Opt-out': [optOut],
			'Rows to change': (_, run) => found[run!]!,
			'Delete known': [{ id: 7 }],
			'Appointments found': [{ input: { id: 3 } }],
		},
		input: found.at(-1)!,
		zone: 'Asia/Tokyo',
	});
	return page!;
}

test('counts what is no longer found as done, by its last state', () => {
	const sending = { id: 1, step: 'wait', status: 'sending', statusAfter: 'stopped' };
	const sent = { id: 1, step: 'change', status: 'sent', statusAfter: 'sent' };
	const waiting = { id: 2, step: 'change', status: 'pending', statusAfter: 'stopped' };
	const deferred = { id: 3, step: 'change', status: 'deferred', statusAfter: 'deferred' };
	const done = summary('Forget', [[sending, waiting, deferred], [sending], [sent], []]);
	expect(done).toMatchObject({ anonymous: 3, stopped: 1, deferred: 1, left: 0, optedOut: true });
	expect(done.html).toContain('1 message may still wait at the gateway');
	expect(done.html).not.toContain('could not be changed');
	const unfinished = summary('Forget', [[sending, waiting], [sending]]);
	expect(unfinished).toMatchObject({ anonymous: 1, left: 1 });
	expect(unfinished.html).toContain('1 message could not be changed');
});

test('shows what is stored, and escapes it', () => {
	const createdAt = '2026-06-01T07:30:15.123Z';
	const row = { id: 1, step: 'keep', status: 'sent', createdAt, text: '<b>Hello' };
	const { html } = summary('Show what is stored', [[row]], {});
	expect(html).toContain('1 message in the outbox. Times are in the time zone Asia/Tokyo.');
	expect(html).toMatch(/<b>Stored at: <\/b>2026-06-01 16:30<.*<b>Text: <\/b>&#60;b&#62;Hello</);
	expect(html).toContain('Not on the list of opt-outs');
});

test.each([
	["'Chat ID' cannot be '<i>0123' [item 0]", 'start with + and the country code.</p>'],
	['The <i>credential is missing [item 0]', '<p>The &#60;i&#62;credential is missing.</p>'],
])('says what to correct if Check says %j', (error, words) => {
	const [page] = runCode<{ html: string }>('Summary', { input: [{ error }] });
	expect(page!.html).toContain('<h1>Nothing was done</h1>');
	expect(page!.html).toContain(words);
	expect(page!.html).not.toMatch(/Chat ID|\[item/);
	expect(nextOf('16-forget-a-person', 'Check')[1]).toEqual(['Summary']);
});

// A run whose claim has ended may still write its result, and would make the row pending again.
test('takes a row away from the run that had claimed it, but not while the run is sending', () => {
	expect(parametersOf('16-forget-a-person', 'Make anonymous').filters).toMatchObject({
		conditions: [
			{ keyName: 'id', condition: 'eq' },
			{ keyName: 'status', condition: 'neq', keyValue: 'sending' },
		],
	});
	expect(columnsOf('16-forget-a-person', 'Make anonymous').claimedBy).toBe('');
});
