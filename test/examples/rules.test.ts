import type { Fields } from '../harness/exampleCode';
import { campaign, decide, NOON, row, statuses, type Tables } from './decide';

/** When one row is sent that is due at `now`: then, or at its next attempt. */
describe('send window', () => {
	const all = { weekdays: '1,2,3,4,5,6,7' };
	const night = { windowFrom: '22:00', windowTo: '02:00' };
	const berlin = { timezone: 'Europe/Berlin', ...all };
	const skipped = { ...berlin, windowFrom: '02:30' };
	const late = { ...berlin, windowFrom: '23:00', windowTo: '05:00' };
	const FRIDAY_EVENING = '2026-06-05T20:00:00Z';

	test.each<[string, string, Fields, string]>([
		['at its start', '2026-06-03T09:00:00Z', {}, 'now'],
		['before it', '2026-06-03T08:59:59Z', {}, '2026-06-03T09:00:00.000Z'],
		['two minutes before its end', '2026-06-03T17:58:00Z', {}, '2026-06-04T09:00:00.000Z'],
		['just before that', '2026-06-03T17:57:59Z', {}, 'now'],
		['on Friday evening', FRIDAY_EVENING, {}, '2026-06-08T09:00:00.000Z'],
		['all day', '2026-06-03T23:57:00Z', { windowFrom: '00:00', windowTo: '00:00' }, 'now'],
		// The night belongs to Friday, although it is Saturday by then.
		['over midnight, on Saturday at one', '2026-06-06T01:00:00Z', night, 'now'],
		['over midnight, on Monday at one', '2026-06-08T01:00:00Z', night, '2026-06-08T22:00:00.000Z'],
		['after clocks went forward', '2026-03-28T18:00:00Z', berlin, '2026-03-29T07:00:00.000Z'],
		['from an hour that is skipped', '2026-03-29T00:30:00Z', skipped, '2026-03-29T01:30:00.000Z'],
		['in a night of 25 hours', '2026-10-25T03:30:00Z', late, 'now'],
		['from 9:00', '2026-06-03T08:00:00Z', { windowFrom: '9:00' }, '2026-06-03T09:00:00.000Z'],
	])('%s', (_, now, fields, expected) => {
		const [{ status, nextAttemptAt } = {}] = decide({ now, campaigns: [campaign(fields)] });
		expect(status === 'sending' ? 'now' : nextAttemptAt).toBe(expected);
	});

	test('is in the time zone of the recipient', () => {
		const [first] = decide({
			now: '2026-06-05T08:00:00Z',
			rows: [row(1, { timezone: 'Pacific/Auckland' })],
		});
		expect(first!.nextAttemptAt).toBe('2026-06-07T21:00:00.000Z');
	});
});

describe('daily cap', () => {
	const rows = [row(1), row(2), row(3)];
	const released = rows.map((each) => ({ ...each, sentAt: '2026-06-03T11:00:00Z' }));
	const own = [released[0]!, ...rows.slice(1)];
	const another = row(60, { status: 'sending' });
	const inTwoRuns = { rows: own, counted: [{ sent: 1 }], beingSent: [...own, another] };
	// Their run has crashed, so they count as sent.
	const ofCrashedRun = { rows: released, counted: [{ sent: 3 }] };

	test.each<[string, string, Tables, string]>([
		['is exact', '3', { rows, counted: [{ sent: 2 }] }, 'sending pending pending'],
		['counts rows of another run, and its own once', '3', inTwoRuns, 'sending sending pending'],
		['has room for released rows', '3', ofCrashedRun, 'sending sending sending'],
		['holds back released rows', '2', ofCrashedRun, 'pending pending pending'],
	])('%s', (_, dailyCaps, tables, expected) => {
		expect(statuses({ ...tables, settings: { dailyCaps } }).join(' ')).toBe(expected);
	});

	test('lets others wait for the next window', () => {
		const [, second] = decide({ rows, settings: { dailyCaps: '1' } });
		expect(second).toMatchObject({
			nextAttemptAt: '2026-06-04T09:00:00.000Z',
			reason: 'The daily cap of 1 is reached',
		});
	});

	const separated = [' 3\nB: 2, 9 from 2026-06-03\n', 'A: 3; B: 2, 9 from 2026-06-03; C: 3;'];
	test.each(separated)('belongs to a number, and other messages count for all: %j', (dailyCaps) => {
		const numbered = ['A', 'B', 'A', 'B', 'B', 'C'].map((number, id) => row(id + 1, { number }));
		const numbers = { A: true, B: true, C: true };
		const counted = [{ number: '', sent: 1 }];
		expect(statuses({ rows: numbered, numbers, settings: { dailyCaps }, counted })).toEqual([
			...['sending', 'sending', 'sending', 'pending', 'pending', 'sending'],
		]);
	});
});

describe('frequency per person', () => {
	const limited = [campaign({ maxPerPerson: 2, perDays: 7 })];
	const sent = (id: number, time: string) => ({
		...row(id, { campaign: 'Another', person: row(1).person }),
		sentAt: time,
	});

	test('counts messages of all campaigns, and orders, and waits until the oldest is old enough', () => {
		const order = { ...sent(50, '2026-05-30T10:00:00Z'), campaign: '' };
		const later = sent(51, '2026-06-01T10:00:00Z');
		expect(decide({ campaigns: limited, sentToPerson: [order, later] })).toMatchObject([
			// The sixth of June is a Saturday.
			{ status: 'pending', nextAttemptAt: '2026-06-08T09:00:00.000Z' },
		]);
		expect(statuses({ campaigns: limited, sentToPerson: [later] })).toEqual(['sending']);
	});

	test('counts rows of the same batch, and not an earlier attempt of the same row', () => {
		const { person } = row(1);
		const first = row(1, { sentAt: '2026-06-03T11:00:00Z' });
		const campaigns = [campaign({ maxPerPerson: 1, perDays: 1 })];
		const rows = [first, row(2, { person })];
		const decided = statuses({ campaigns, rows, sentToPerson: [first] });
		expect(decided).toEqual(['sending', 'pending']);
	});
});

describe('several numbers', () => {
	const numbers = { A: true, B: false, C: true };
	const settings = { whenOffline: 'another number' };
	const ofB = (id: number, fields: Fields = {}) =>
		row(id, { number: 'B', otherNumbers: 'C,A', ...fields });
	const only = (tables: Tables) => decide({ numbers, settings, rows: [ofB(1)], ...tables })[0]!;

	// One run sends for a number, so the row is claimed again there. Then it is decided again.
	test('go over to another number if their own is offline, as its hash orders them', () => {
		const toC = { status: 'pending', number: 'C', otherNumbers: 'B,A', reason: '' };
		expect(only({})).toMatchObject(toC);
		const toA = { status: 'pending', number: 'A', otherNumbers: 'B,C', reason: '' };
		expect(only({ numbers: { ...numbers, C: false } })).toMatchObject(toA);
	});

	test('are released if they are too many for one batch, but not if they wait in any case', () => {
		const rows = [1, 2, 3].map((id) => row(id, { reason: 'unknown: it may have been sent' }));
		const optOuts = [{ id: 1, token: 'token 3' }];
		expect(decide({ rows, optOuts, mostSent: 1 })).toMatchObject([
			{ status: 'sending' },
			{ status: 'pending', isReleased: true, reason: 'unknown: it may have been sent' },
			{ status: 'unknown' },
		]);
		expect(decide({ rows, mostSent: 1, settings: { dailyCaps: '1' } })[1]).toMatchObject({
			nextAttemptAt: '2026-06-04T09:00:00.000Z',
		});
	});

	test.each<[string, Tables]>([
		['the setting says so', { settings: { whenOffline: 'wait' } }],
		['no number is online', { numbers: { ...numbers, A: false, C: null } }],
		['there is no other number', { rows: [ofB(1, { otherNumbers: '' })] }],
		['they may have been sent', { rows: [ofB(1, { reason: 'unknown: it may have been sent' })] }],
		['they were sent', { rows: [ofB(1, { sentAt: NOON })] }],
	])('wait if %s', (_, tables) => {
		expect(only(tables)).toMatchObject({
			...{ status: 'pending', number: 'B', nextAttemptAt: '2026-06-03T12:01:00.000Z' },
			reason: expect.stringMatching(/^The number B is offline/),
		});
	});

	test('count for the cap of the number that sends them', () => {
		const caps = { ...settings, dailyCaps: '1' };
		const rows = [ofB(1), ofB(2), ofB(3), row(4, { number: 'C' })];
		expect(decide({ numbers, settings: caps, rows })).toMatchObject([
			{ number: 'C', status: 'pending', reason: '' },
			{ number: 'A', status: 'pending', reason: '' },
			{ number: 'B', status: 'pending', reason: 'The number B is offline' },
			{ number: 'C', status: 'pending', reason: 'The daily cap of 1 is reached' },
		]);
	});
});

/** On these dates, clocks go forward at midnight, or back from midnight to 23:00. */
test.each<[string, ...Array<[string, number]>]>([
	['2026-09-06', ['06T03:30', 0], ['06T04:30', 1], ['07T02:30', 1], ['07T03:30', 2]],
	['2026-04-04', ['04T02:30', 0], ['04T03:30', 1], ['05T03:30', 1], ['05T04:30', 2]],
])('a plan has one step per date, also around %s', (date, ...times) => {
	const zone = 'America/Santiago';
	const always = { windowFrom: '00:00', windowTo: '00:00', weekdays: '1,2,3,4,5,6,7' };
	const campaigns = [campaign({ ...always, timezone: zone })];
	for (const plan of ['dailyCaps', 'newPeoplePerDay']) {
		const settings = { [plan]: `1, 2, 3 from ${date}` };
		const given = { zone, campaigns, settings, rows: [row(1), row(2), row(3)] };
		for (const [time, most] of times) {
			const now = `${date.slice(0, 8)}${time}:00Z`;
			const sending = statuses({ ...given, now }).filter((each) => each === 'sending');
			expect([now, sending.length]).toEqual([now, most]);
		}
	}
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

test('sends nothing of a claim that is too old, and says so', () => {
	const rows = [row(1, { updatedAt: '2026-06-03T11:59:30Z', reason: 'In turn' })];
	expect(decide({ rows })).toMatchObject([
		{ status: 'pending', reason: 'Released 1 time without an attempt: n8n was too slow' },
	]);
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
