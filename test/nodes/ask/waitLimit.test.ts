import { NOT_SET } from '../../../gateway/inputValues';
import { waitLimit } from '../../../nodes/MessagingGateway/ask/waitLimit';

const NOW = Date.UTC(2026, 0, 1);

/** When the wait for a question that was sent a second later ends. */
const endOf = (values: object, timezone = 'UTC') =>
	waitLimit(
		(name) => (name === 'limitWaitTime' ? { values } : NOT_SET),
		NOW,
		timezone,
	)(NOW + 1_000);
const until = (maxDateAndTime: unknown) => ({ limitType: 'atSpecifiedTime', maxDateAndTime });
const after = (resumeAmount: number) => ({
	...{ limitType: 'afterTimeInterval', resumeAmount, resumeUnit: 'hours' },
});

test.each<[object, string, string]>([
	[after(2), 'Europe/Berlin', '2026-01-01T02:00:01.000Z'],
	// In winter and in summer.
	[until('2998-12-01T10:00:00'), 'Europe/Berlin', '2998-12-01T09:00:00.000Z'],
	[until('2998-07-01T10:00:00'), 'Europe/Berlin', '2998-07-01T08:00:00.000Z'],
	[until('2998-12-01'), 'America/New_York', '2998-12-01T05:00:00.000Z'],
	[until('2998-12-01 10:00 +02:00'), 'America/New_York', '2998-12-01T08:00:00.000Z'],
	[until(Date.UTC(2998, 11, 1)), 'America/New_York', '2998-12-01T00:00:00.000Z'],
	[until(new Date(Date.UTC(2998, 11, 1))), 'Asia/Kolkata', '2998-12-01T00:00:00.000Z'],
	[until('9999-12-31'), 'UTC', '3000-01-01T00:00:00.000Z'],
])('%j in the time zone %s of the workflow ends at %s', (values, timezone, expected) => {
	expect(endOf(values, timezone).toISOString()).toBe(expected);
});

test.each([
	...['2020-01-01', '', 'tomorrow', '12/11/2998', '2998-02-29 10:00', '2998-12-01 25:00'],
	// n8n would read it in the time zone of the machine.
	'2998-12-31 5:00 PM',
])('%j is no time in the future', (entered) => {
	expect(() => endOf(until(entered))).toThrow("'Max Date and Time'");
});
