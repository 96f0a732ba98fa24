import { example, type Fields } from '../harness/exampleCode';
import { campaign, decide, NOON, row, statuses } from './decide';

/** When one row is sent that is due at `now`: `now` itself, or its next attempt. */
function sentAt(now: string, campaignFields: Fields, rowFields: Fields = {}): string {
	const [decision] = decide({
		now,
		rows: [row(1, rowFields)],
		campaigns: [campaign(campaignFields)],
	});
	return decision!.status === 'sending' ? 'now' : decision!.nextAttemptAt!;
}

describe('send window', () => {
	const all = { weekdays: '1,2,3,4,5,6,7' };
	const night = { windowFrom: '22:00', windowTo: '02:00' };
	const inBerlin = { timezone: 'Europe/Berlin', ...all };
	const late = { ...inBerlin, windowFrom: '23:00', windowTo: '05:00' };
	const FRIDAY_EVENING = '2026-06-05T20:00:00Z';

	test.each<[string, string, Fields, string]>([
		['at its start', '2026-06-03T09:00:00Z', {}, 'now'],
		['before it', '2026-06-03T08:59:59Z', {}, '2026-06-03T09:00:00.000Z'],
		['two minutes before its end', '2026-06-03T17:58:00Z', {}, '2026-06-04T09:00:00.000Z'],
		['just before that', '2026-06-03T17:57:59Z', {}, 'now'],
		['on Friday evening', FRIDAY_EVENING, {}, '2026-06-08T09:00:00.000Z'],
		['after its only weekday', FRIDAY_EVENING, { weekdays: '5' }, '2026-06-12T09:00:00.000Z'],
		['all day', '2026-06-03T23:57:00Z', { windowFrom: '00:00', windowTo: '00:00' }, 'now'],
		// The night belongs to Friday, although it is Saturday by then.
		['over midnight, on Saturday at one', '2026-06-06T01:00:00Z', night, 'now'],
		['over midnight, on Monday at one', '2026-06-08T01:00:00Z', night, '2026-06-08T22:00:00.000Z'],
		[
			'after the change to summer time',
			'2026-03-28T18:00:00Z',
			inBerlin,
			'2026-03-29T07:00:00.000Z',
		],
		[
			'that starts in the hour which is skipped',
			'2026-03-29T00:30:00Z',
			{ ...inBerlin, windowFrom: '02:30' },
			'2026-03-29T01:30:00.000Z',
		],
		['after a night of 23 hours', '2026-03-29T03:00:00Z', late, '2026-03-29T21:00:00.000Z'],
		['in a night of 25 hours', '2026-10-25T03:30:00Z', late, 'now'],
		[
			'without a leading zero',
			'2026-06-03T08:00:00Z',
			{ windowFrom: '9:00' },
			'2026-06-03T09:00:00.000Z',
		],
	])('%s', (_, now, fields, expected) => {
		expect(sentAt(now, fields)).toBe(expected);
	});

	test('is in the time zone of the recipient', () => {
		const timezone = 'Pacific/Auckland';
		expect(sentAt('2026-06-05T08:00:00Z', {}, { timezone })).toBe('2026-06-07T21:00:00.000Z');
	});
});

describe('daily cap', () => {
	const rows = [row(1), row(2), row(3)];
	const sent = (id: number, time: string) => ({ ...row(id), status: 'sent', sentAt: time });

	test('holds exactly, and the others wait for the next window', () => {
		const decisions = decide({
			rows,
			settings: { dailyCaps: '3' },
			sentToday: [
				sent(50, '2026-06-03T09:00:00Z'),
				{ ...sent(51, '2026-06-03T10:00:00Z'), campaign: '' },
			],
		});
		expect(decisions.map(({ status }) => status)).toEqual(['sending', 'pending', 'pending']);
		expect(decisions[1]).toMatchObject({
			nextAttemptAt: '2026-06-04T09:00:00.000Z',
			reason: 'The daily cap of 3 is reached',
		});
	});

	test('counts rows that another run is sending, and its own only once', () => {
		const own = { ...rows[0]!, sentAt: '2026-06-03T11:00:00Z' };
		expect(
			statuses({
				rows: [own, rows[1]!, rows[2]!],
				settings: { dailyCaps: '3' },
				sentToday: [own],
				beingSent: [own, rows[1]!, rows[2]!, row(60)],
			}),
		).toEqual(['sending', 'sending', 'pending']);
	});

	test('holds if a run crashed before it decided about its rows, which then count as sent', () => {
		const released = rows.map((each) => ({ ...each, sentAt: '2026-06-03T11:00:00Z' }));
		const tables = { rows: released, sentToday: released };
		expect(statuses({ ...tables, settings: { dailyCaps: '3' } })).not.toContain('pending');
		expect(statuses({ ...tables, settings: { dailyCaps: '2' } })).not.toContain('sending');
	});

	test('counts a row once that several lists contain', () => {
		const other = sent(50, '2026-06-03T09:00:00Z');
		const lists = { sentToday: [other], beingSent: [other], sentToPerson: [other] };
		const decided = statuses({ ...lists, rows, settings: { dailyCaps: '2' } });
		expect(decided).toEqual(['sending', 'pending', 'pending']);
	});

	test.each([' 3\nB: 2, 9 from 2026-06-03\n', 'A: 3; B: 2, 9 from 2026-06-03; C: 3;'])(
		'belongs to a number, and messages without one count for all: %j',
		(dailyCaps) => {
			const numbered = ['A', 'B', 'A', 'B', 'B', 'C'].map((number, id) => row(id + 1, { number }));
			expect(
				statuses({
					rows: numbered,
					numbers: { A: true, B: true, C: true },
					settings: { dailyCaps },
					sentToday: [{ ...sent(50, '2026-06-03T09:00:00Z'), number: null }],
				}),
			).toEqual(['sending', 'sending', 'sending', 'pending', 'pending', 'sending']);
		},
	);
});

describe('frequency per person', () => {
	const limited = [campaign({ maxPerPerson: 2, perDays: 7 })];
	const sent = (id: number, time: string) => ({
		...row(id, { campaign: 'Another', person: row(1).person }),
		sentAt: time,
	});

	test('counts messages of all campaigns, and orders, and waits until the oldest is old enough', () => {
		// The first is an order.
		const order = { ...sent(50, '2026-05-30T10:00:00Z'), campaign: '' };
		const sentToPerson = [order, sent(51, '2026-06-01T10:00:00Z')];
		expect(decide({ campaigns: limited, sentToPerson })).toMatchObject([
			// The sixth of June is a Saturday.
			{ status: 'pending', nextAttemptAt: '2026-06-08T09:00:00.000Z' },
		]);
		expect(statuses({ campaigns: limited, sentToPerson: sentToPerson.slice(1) })).toEqual([
			'sending',
		]);
	});

	test('counts rows of the same batch, and not an earlier attempt of the same row', () => {
		const { person } = row(1);
		const first = row(1, { sentAt: '2026-06-03T11:00:00Z' });
		expect(
			statuses({
				campaigns: [campaign({ maxPerPerson: 1, perDays: 1 })],
				rows: [first, row(2, { person })],
				sentToPerson: [first],
			}),
		).toEqual(['sending', 'pending']);
	});
});

describe('several numbers', () => {
	const numbers = { A: true, B: false, C: true };
	const settings = { whenOffline: 'another number' };
	const ofB = (id: number, fields: Fields = {}) =>
		row(id, { number: 'B', otherNumbers: 'C,A', ...fields });

	// One run sends for a number, so the row is claimed again there. Then it is decided again.
	test('go over to another number if their own is offline, as its hash orders them', () => {
		expect(decide({ numbers, settings, rows: [ofB(1)] })).toMatchObject([
			{ status: 'pending', number: 'C', otherNumbers: 'B,A', reason: '' },
		]);
		expect(decide({ numbers: { ...numbers, C: false }, settings, rows: [ofB(1)] })).toMatchObject([
			{ status: 'pending', number: 'A', otherNumbers: 'B,C' },
		]);
	});

	test('are released if they are too many for one batch, but not if they wait in any case', () => {
		const rows = [1, 2, 3].map((id) => row(id, { reason: 'unknown: it may have been sent' }));
		const optOuts = [{ id: 1, token: 'token 3' }];
		expect(decide({ rows, optOuts, mostSent: 1 })).toMatchObject([
			{ status: 'sending' },
			{ status: 'pending', reason: 'unknown: it may have been sent' },
			{ status: 'unknown' },
		]);
		expect(decide({ rows, mostSent: 1, settings: { dailyCaps: '1' } })[1]).toMatchObject({
			nextAttemptAt: '2026-06-04T09:00:00.000Z',
		});
	});

	test('without a number wait if only named numbers have a plan', () => {
		const rows = [row(1, { number: 'A' }), row(2)];
		expect(
			decide({ rows, numbers: { A: true, '': true }, settings: { dailyCaps: 'A: 5' } }),
		).toMatchObject([
			{ status: 'sending' },
			{
				status: 'pending',
				reason:
					"Correct 'dailyCaps' in Settings of example 11: there is no plan for messages without a number",
			},
		]);
	});

	test('wait for a correction of the setting, also those that are online', () => {
		const rows = [row(1, { number: 'A' }), ofB(2)];
		const reason =
			"Correct 'whenOffline' in Settings of example 11: it is 'other number', and must be wait or another number";
		expect(decide({ numbers, settings: { whenOffline: 'other number' }, rows })).toMatchObject(
			rows.map(() => ({ status: 'pending', reason })),
		);
	});

	test.each([
		['the setting says so', {}, { whenOffline: 'wait' }, numbers],
		['no number is online', {}, settings, { ...numbers, A: false, C: null }],
		['there is no other number', { otherNumbers: '' }, settings, numbers],
	])('wait if %s', (_, fields, set, states) => {
		expect(decide({ numbers: states, settings: set, rows: [ofB(1, fields)] })).toMatchObject([
			{
				status: 'pending',
				number: 'B',
				nextAttemptAt: '2026-06-03T12:01:00.000Z',
				reason: 'The number B is offline',
			},
		]);
	});

	test('never go over another number after an uncertain outcome', () => {
		for (const fields of [
			{ reason: 'No response; unknown: it may have been sent' },
			{ sentAt: NOON },
		]) {
			const [decision] = decide({ numbers, settings, rows: [ofB(1, fields)] });
			expect(decision).toMatchObject({ status: 'pending', number: 'B' });
			expect(decision!.reason).toMatch(/^The number B is offline/);
		}
	});

	// Its number was removed from Settings, or has another name there.
	test('wait for a correction if their number is unknown, and say so', () => {
		const lost = row(1, { number: 'Old', otherNumbers: 'A' });
		const given = { numbers: { A: true, '': true }, rows: [lost] };
		expect(decide({ ...given, settings: { whenOffline: 'wait' } })).toMatchObject([
			{
				...{ status: 'pending', nextAttemptAt: '2026-06-03T12:10:00.000Z' },
				reason:
					"Correct 'numbers' in Settings of example 11: it has no 'Old'. Add it, or correct 'number' of the message",
			},
		]);
		expect(decide({ ...given, settings })).toMatchObject([
			{ status: 'pending', number: 'A', otherNumbers: 'Old' },
		]);
	});

	test('count for the cap of the number that sends them', () => {
		const caps = { ...settings, dailyCaps: '1' };
		const rows = [ofB(1), ofB(2), ofB(3), row(4, { number: 'C' })];
		expect(
			decide({ numbers, settings: caps, rows }).map(({ number, status, reason }) => ({
				...{ number, status, reason },
			})),
		).toEqual([
			{ number: 'C', status: 'pending', reason: '' },
			{ number: 'A', status: 'pending', reason: '' },
			{ number: 'B', status: 'pending', reason: 'The number B is offline' },
			{ number: 'C', status: 'pending', reason: 'The daily cap of 1 is reached' },
		]);
	});
});

test('sends nothing to a person who opted out', () => {
	const optOuts = [{ id: 1, token: 'token 1' }];
	expect(statuses({ rows: [row(1), row(2)], optOuts })).toEqual(['opted out', 'sending']);
});

test.each(['paused', 'stopped', 'draft'])('sends nothing of a campaign that is %s', (status) => {
	expect(statuses({ campaigns: [campaign({ status })] })).toEqual([status]);
});

test('keeps that an earlier attempt may have been sent', () => {
	const reason = 'No response; unknown: it may have been sent';
	const [waiting] = decide({ now: '2026-06-03T20:00:00Z', rows: [row(1, { reason })] });
	expect(waiting!.reason).toBe(
		'Outside of the send window; an earlier attempt is unknown: it may have been sent',
	);
	const optedOut = decide({ rows: [row(1, { reason })], optOuts: [{ id: 1, token: 'token 1' }] });
	expect(optedOut).toMatchObject([{ status: 'unknown' }]);
});

// A row that another run marks as sent after the second query is in the result of the first.
test('is preceded by the query for rows that are being sent, then by those for rows that were sent', () => {
	const { connections } = example('11-outbox-send');
	const path = ['Claim'];
	while (path.at(-1) !== 'Rules') path.push(connections[path.at(-1)!]!.main![0]![0]!.node);
	const queries = ['Being sent', 'Sent to this person', 'Sent today'];
	expect(path.filter((node) => queries.includes(node))).toEqual(queries);
});

describe('sends only the draft that was started', () => {
	test.each(['8', null])('not a row with the run %j', (run) => {
		expect(decide({ rows: [row(1, { run })] })).toMatchObject([
			{ status: 'failed', reason: 'There is no campaign with this name and run' },
		]);
	});

	test('not a row of a draft that is prepared now', () => {
		const campaigns = [campaign(), campaign({ id: 2, run: '8', status: 'draft' })];
		const rows = [row(1), row(2, { run: '8' })];
		expect(statuses({ rows, campaigns })).toEqual(['sending', 'draft']);
	});
});
