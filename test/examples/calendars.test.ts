/** The calendars of example 17: what becomes of their events, as appointments. */
import { createHmac } from 'node:crypto';

import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { depth } from '../harness/depth';
import { type Fields, runCode } from '../harness/exampleCode';
import { useNewGateways } from '../harness/sandboxAccount';
import { SECRET } from './exampleNodes';
import { runExample } from './runExample';
import { Tables } from './tables';

const gateway = useNewGateways();
const APPOINTMENTS = 'Messaging appointments';
const NOW = '2026-06-03T12:00:00.000Z';
const SETTINGS = [{ timezone: 'Europe/London' }];

const google = (input: Fields[]) =>
	runCode('Google appointments', { nodes: { 'Reminder settings': SETTINGS }, input });
const file = (input: Fields, before: Fields[] = []) =>
	runCode('File appointments', {
		nodes: { 'Reminder settings': SETTINGS, 'Google appointments': before },
		input: [input],
		now: NOW,
	});

test.each([
	[{ description: 'Call <b>+44 7700 900123</b>, please' }, '+44 7700 900123'],
	[{ description: 'Tel: 07700 900123' }, '07700 900123'],
	[{ location: '0044 7700 900123' }, '0044 7700 900123'],
	[{ summary: '✓ Ada +44 (0)7700-900123' }, '+44 (0)7700-900123'],
])('Google: finds the number in %j', (fields, phone) => {
	const start = { dateTime: '2026-06-04T10:00:00+01:00' };
	const [, appointment] = google([{ id: 'e1', summary: '✓ Ada', start, end: start, ...fields }]);
	expect(appointment).toMatchObject({
		...{ source: 'Google Calendar', id: 'e1', name: 'Ada', phone, status: 'booked' },
		startsAt: start.dateTime,
	});
});

test('Google: leaves out whole days and events without a number, and says if it cannot be read', () => {
	const start = { dateTime: '2026-06-04T10:00:00Z' };
	const [read, ...others] = google([
		{ id: 'a', summary: 'Lunch at 12, room 1234567', start },
		{ id: 'b', summary: 'Fair +44 7700 900123', start: { date: '2026-06-04' } },
	]);
	expect([read, others]).toEqual([{ source: 'Google Calendar', isRead: true }, []]);
	const failed = google([{ error: 'Forbidden' }]);
	expect(failed).toEqual([{ source: 'Google Calendar', failed: 'Forbidden' }]);
});

const ics = (event: string[], more = '') =>
	[
		...['BEGIN:VCALENDAR', 'BEGIN:VTIMEZONE', 'TZID:Europe/London', 'BEGIN:STANDARD'],
		...['DTSTART:19701025T020000', 'RRULE:FREQ=YEARLY', 'END:STANDARD', 'END:VTIMEZONE'],
		...['BEGIN:VEVENT', 'UID:1', 'DESCRIPTION:Tel\\: +44 7700 900123', ...event],
		...['BEGIN:VALARM', 'TRIGGER:-PT15M', 'DESCRIPTION:+49 1512 3456789', 'END:VALARM'],
		...['END:VEVENT', more, 'END:VCALENDAR'],
	].join('\n');

test('a calendar file: every way to write a time and a line means the same', () => {
	const zones = fc.constantFrom('Europe/London', 'America/New_York', 'Asia/Kolkata', 'utc', '');
	const minutes = fc.integer({ min: 0, max: 100_000 });
	const title = fc.constantFrom('Ada; haircut', 'Ünïcode, a\\b', 'Long '.repeat(30).trim());
	const property = fc.property(zones, minutes, title, (zone, offset, text) => {
		const at = DateTime.fromISO(NOW, { zone: zone || 'Europe/London' })
			.plus({ minutes: offset })
			.startOf('minute');
		const local = at.toFormat("yyyyLLdd'T'HHmmss");
		const starts: Record<string, string> = {
			'': `:${local}`,
			utc: `:${local}Z`,
			'Europe/London': `;TZID="/example.org/20250101/Europe/London":${local}`,
		};
		const start = `DTSTART${starts[zone] ?? `;TZID=${zone}:${local}`}`;
		const summary = `SUMMARY:${text.replace(/[\\;,]/g, (each) => `\\${each}`)}`;
		const folded = summary.replace(/(.{60})/gu, '$1\n ');
		const data = ics([start, folded]);
		const found = file({ data }).slice(1);
		expect(file({ data: data.replaceAll('\n', '\r\n') }).slice(1)).toEqual(found);
		// Of a local time that summer time repeats, either is right.
		const exact = [at, ...at.getPossibleOffsets()].map((each) => each.toUTC().toISO());
		expect(found).toMatchObject([
			{ id: '1', title: text, phone: '+44 7700 900123', status: 'booked' },
		]);
		expect(exact).toContain(found[0]!.startsAt);
	});
	fc.assert(property, { numRuns: depth(100, 2_000) });
});

test.each([
	['it repeats', ['DTSTART:20260604T100000Z', 'RRULE:FREQ=WEEKLY', 'SUMMARY:Yoga']],
	['is not known', ['DTSTART;TZID=GMT Standard Time:20260604T100000', 'SUMMARY:Yoga']],
])('a calendar file: leaves an event out and says so: %s', (why, lines) => {
	const [, found] = file({ data: ics(lines) });
	expect(found).toEqual({
		source: 'Calendar file',
		skipped: expect.stringMatching(`^Yoga: .*${why}`),
	});
});

test('a calendar file that is none, or cannot be read, is no empty calendar', () => {
	const before = { source: 'Google Calendar', isRead: true };
	for (const input of [{ data: '<html>Sign in</html>' }, { error: { message: '404' } }]) {
		const [first, failed] = file(input, [before]);
		expect([first, failed]).toEqual([
			before,
			{ source: 'Calendar file', failed: expect.any(String) },
		]);
	}
	// Deactivated.
	expect(file({ sender: 'Example' }, [before])).toEqual([before]);
});

describe('Compare', () => {
	const event = { source: 'C', id: 'e1', name: 'Ada', phone: '+1', title: 'T', status: 'booked' };
	const at = (hour: number) => ({
		startsAt: `2026-06-04T${hour}:00:00.000Z`,
		endsAt: `2026-06-04T20:00:00.000Z`,
	});
	const row = (id: number, fields: Fields = {}) => {
		const { id: appointmentId, ...values } = event;
		return { ...values, id, appointmentId, ...at(10), ...fields };
	};
	const seen = (hour: number, fields: Fields = {}) => [{ ...event, ...at(hour), ...fields }];

	test.each<[string, Fields[], Fields[], string[]]>([
		['new', seen(10), [], ['10 booked']],
		['the same', seen(10), [row(1)], []],
		['moved', seen(11), [row(1)], ['11 booked']],
		['cancelled', seen(10, { status: 'cancelled' }), [row(1)], ['10 cancelled']],
		['gone', [], [row(1)], ['10 cancelled']],
		['not read', [{ source: 'C', failed: '404' }], [row(1)], []],
		['of another source', [], [row(1, { source: 'Cal.com' })], []],
		['suddenly empty', [], [1, 2, 3, 4].map((id) => row(id, { appointmentId: `e${id}` })), []],
	])('an event that is %s', (_, events, stored, expected) => {
		const Calendar = [{ source: 'C', isRead: true }, ...events];
		const changes = runCode('Compare', { nodes: { Calendar, 'Stored events': stored } });
		expect(
			changes.map((each) => `${String(each.startsAt).slice(11, 13)} ${each.status as string}`),
		).toEqual(expected);
	});
});

describe('bookings of Cal.com', () => {
	const payload = (uid: string, fields: IDataObject = {}) => ({
		...{ uid, title: 'Visit', startTime: '2040-06-04T10:00:00Z', endTime: '2040-06-04T11:00:00Z' },
		attendees: [{ name: 'Ada', timeZone: 'Europe/Berlin', language: { locale: 'de' } }],
		responses: { attendeePhoneNumber: { value: '+44 7700 900123' } },
		...fields,
	});
	async function book(
		tables: Tables,
		triggerEvent: string,
		minute: number,
		fields: object,
		secret = SECRET,
	) {
		const createdAt = `2026-06-01T10:${minute}:00.000Z`;
		const text = JSON.stringify({ triggerEvent, createdAt, payload: fields });
		const signature = createHmac('sha256', secret).update(text).digest('hex');
		const data = { data: Buffer.from(text).toString('base64'), mimeType: 'application/json' };
		const item = { json: { headers: { 'x-cal-signature-256': signature } }, binary: { data } };
		const { answers, error } = await runExample({
			...{ file: '17-appointments-page', trigger: 'Booking', items: [item], tables },
			activate: ['Booking', 'Expected booking signature'],
			account: gateway.account,
		});
		expect(error).toBeUndefined();
		return (answers[0] as { options: IDataObject }).options.responseCode;
	}
	const rows = (tables: Tables) =>
		tables
			.rows(APPOINTMENTS)
			.map(({ appointmentId, status }) => `${appointmentId as string}: ${status as string}`);

	test('are stored, moved and cancelled, only with a valid signature', async () => {
		const tables = new Tables();
		expect(await book(tables, 'BOOKING_CREATED', 10, payload('one'), 'another secret')).toBe(401);
		expect(rows(tables)).toEqual([]);
		expect(await book(tables, 'BOOKING_CREATED', 10, payload('one'))).toBe(200);
		expect(tables.rows(APPOINTMENTS)).toMatchObject([
			{ name: 'Ada', phone: '+44 7700 900123', timezone: 'Europe/Berlin', language: 'de' },
		]);
		await book(tables, 'BOOKING_RESCHEDULED', 20, payload('two', { rescheduleUid: 'one' }));
		expect(rows(tables)).toEqual(['one: cancelled', 'two: booked']);
		await book(tables, 'BOOKING_CANCELLED', 30, payload('two'));
		expect(rows(tables)).toEqual(['one: cancelled', 'two: cancelled']);
	});

	test('that arrive late or twice change nothing', async () => {
		const tables = new Tables();
		await book(tables, 'BOOKING_RESCHEDULED', 20, payload('two', { rescheduleUid: 'one' }));
		await book(tables, 'BOOKING_CREATED', 10, payload('one'));
		await book(tables, 'BOOKING_CANCELLED', 40, payload('two'));
		await book(tables, 'BOOKING_RESCHEDULED', 20, payload('two', { rescheduleUid: 'one' }));
		await book(tables, 'BOOKING_REQUESTED', 50, payload('three'));
		expect(rows(tables)).toEqual(['one: cancelled', 'two: cancelled']);
	});
});
