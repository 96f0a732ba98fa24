import { type Fields, runCode } from '../harness/exampleCode';

const ADA = '447700900123';

interface Question {
	now?: string;
	/** What each item asks for: the fields of Settings, and `identity` or `error` as from Check. */
	items?: Fields[];
	optOuts?: Fields[];
	messages?: Fields[];
}

function ask({ now, items = [{}], optOuts = [], messages = [] }: Question) {
	const settings = items.map(({ identity: _, error: __, ...fields }) => ({
		...{ purpose: '', timezone: 'UTC', windowFrom: '09:00', windowTo: '18:00' },
		...{ weekdays: '1,2,3,4,5', maxPerPerson: 2, perDays: 7, item: { row: 1 }, ...fields },
	}));
	const checked = items.map(({ identity = ADA, error }) =>
		error
			? { error, token: '-' }
			: { identity, token: `${'0'.repeat(20)}${String(identity)}${'f'.repeat(32)}` },
	);
	return runCode<{ answer: Fields; isCounted: boolean; person?: string }>('May I write', {
		now,
		nodes: {
			Settings: settings,
			Token: checked,
			'Opted out': optOuts,
			'Had messages': messages,
		},
	});
}

const reason = (question: Question) => ask(question)[0]!.answer.error;

/** As the opt-out page stores it: the first half of the HMAC. */
const optOutOf = (identity: string) => ({
	id: 1,
	token: `${'0'.repeat(20)}${identity}`.slice(0, 32),
});
const message = (id: number, fields: Fields) => ({ id, person: ADA, status: 'sent', ...fields });

const lately = [
	message(1, { sentAt: '2026-06-01T10:00:00Z' }),
	message(2, { sentAt: null, status: 'sending' }),
];

test('returns the item if nothing stands against it, and counts nothing that was not sent yet', () => {
	const answer = { row: 1, mayWrite: true, person: ADA };
	expect(ask({})).toEqual([{ answer, person: ADA, isCounted: false }]);
});

const failed = (retry: string, more: Fields = {}) => ({
	error: 'No response; unknown: it may have been sent [item 0]',
	details: { cause: 'timeout', retry, ...more },
});
const isTest = true;

// n8n before 2.36 passes on no details.
test.each<[Fields, boolean]>([
	[{ outcome: 'sent' }, true],
	[{ outcome: 'deferred' }, true],
	// The node may have made two attempts.
	[{ outcome: 'duplicate' }, true],
	[failed('check'), true],
	[{ ...failed('check'), details: undefined }, true],
	[failed('later'), false],
	[failed('never'), false],
	[{ error: 'Not online (409)' }, false],
	[{ outcome: 'rehearsed', isTest }, false],
	[{ outcome: 'redirected', isTest, testNumber: { outcome: 'sent' } }, false],
	[{ outcome: 'deferred', isTest }, false],
	[failed('check', { isTest }), false],
	[{ error: `Rehearsal: ${failed('check').error}` }, false],
	[{ outcome: 'later' }, false],
	// Check has sent nothing.
	[{ chatId: ADA, allowed: true }, false],
])('after Send, %j is counted: %p', (result, isCounted) => {
	const messages = [...lately];
	expect(ask({ items: [{ result }], messages, optOuts: [optOutOf(ADA)] })).toEqual([
		{ answer: { person: ADA, counted: isCounted }, person: ADA, isCounted },
	]);
	expect(ask({ items: [{ result, error: "'Chat ID' is empty" }] })).toMatchObject([
		{ isCounted: false },
	]);
});

// n8n leads an item to the error output only if it has no other field.
test('returns nothing but why, and from when on', () => {
	const night = ask({ now: '2026-06-05T20:00:00Z', items: [{ timezone: 'Europe/Berlin' }] });
	const message = 'From 2026-06-08 09:00 Europe/Berlin';
	expect(night[0]!.answer).toEqual({ error: 'Outside of the send window', message });
});

test.each<[string, Question, string]>([
	['an opt-out', { optOuts: [optOutOf(ADA)] }, 'This person has opted out'],
	['the night', { now: '2026-06-03T20:00:00Z' }, 'Outside of the send window'],
	['the limit per person', { messages: lately }, 'This person had enough messages lately'],
])('%s holds back marketing, but no transactional message, and not others', (_, question, why) => {
	for (const purpose of ['', ' Marketing']) {
		expect(reason({ ...question, items: [{ purpose }] })).toBe(why);
	}
	expect(ask({ ...question, items: [{ purpose: 'transactional' }] })).toMatchObject([
		{ answer: { mayWrite: true } },
	]);
	const items = [{ identity: '447700900124', timezone: 'UTC-8' }];
	// By day in both places, or by night in one.
	const { now = '2026-06-03T17:30:00Z' } = question;
	expect(reason({ ...question, now, items })).toBeUndefined();
});

test('does not count what is older, or waits', () => {
	const messages = [
		message(1, { sentAt: '2026-05-20T10:00:00Z' }),
		message(2, { sentAt: null, status: 'pending' }),
		message(3, { sentAt: '2026-06-01T10:00:00Z' }),
	];
	// The lists of two items contain the same row.
	messages.push(messages[2]!);
	expect(reason({ messages })).toBeUndefined();
});

test('counts the earlier messages of the same list, of both purposes', () => {
	const items = [{ purpose: 'transactional' }, {}, {}, { identity: '447700900124' }];
	expect(ask({ items }).map(({ answer }) => answer.error)).toEqual([
		...[undefined, undefined, 'This person had enough messages lately', undefined],
	]);
});

test.each([
	[
		{ error: "'Chat ID' is empty [item 12]", purpose: 'transactional' },
		'The phone number must start with + and the country code',
	],
	[{ purpose: 'transaction' }, "'purpose' is 'transaction'. Use marketing or transactional."],
	[
		{ timezone: 'London' },
		"Correct 'timezone' in Settings of “15. May I write?”: it is 'London', and must be a name such as Europe/London",
	],
])('allows nothing that it cannot read: %j', (item, expected) => {
	const { answer } = ask({ items: [item] })[0]!;
	expect(answer.error).toBe(expected);
	// Example 4 reads it: the row is not sent, instead of skipped.
	if ('error' in item) expect(answer.message).toBe('Correct the phone number');
});
