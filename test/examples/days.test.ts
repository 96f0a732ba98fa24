import { depth } from '../harness/depth';
import { type Fields } from '../harness/exampleCode';
import { campaign, decide, row } from './decide';

const HOUR_MS = 3_600_000;
const ALWAYS = { windowFrom: '00:00', windowTo: '00:00', weekdays: '1,2,3,4,5,6,7' };

/** On these dates, clocks go forward at midnight, or back from one to midnight. */
const DAYS = [
	['America/Santiago', '2026-09-06'],
	['America/Havana', '2026-11-01'],
	['America/Santiago', '2026-04-05'],
	['Europe/Berlin', '2026-03-29'],
	['Europe/Berlin', '2026-10-25'],
] as const;

/** The date of an instant, without luxon. */
const dateIn = (zone: string, at: number) => FORMATS.get(zone)!.format(at);

/** They take long to make. */
const FORMATS = new Map(
	DAYS.map(([zone]) => [
		zone as string,
		new Intl.DateTimeFormat('en-CA', {
			timeZone: zone,
			...({ year: 'numeric', month: '2-digit', day: '2-digit' } as const),
		}),
	]),
);

const isoOf = (at: number) => new Date(at).toISOString();

/** Each half past an hour, from the day before until the day after the next. */
function hoursAround(date: string): number[] {
	const start = Date.parse(`${date}T00:30:00Z`) - 18 * HOUR_MS;
	return Array.from({ length: 60 }, (_, hour) => start + hour * HOUR_MS);
}

/** What is decided in a time zone in which the window is always open. */
const decideIn = (zone: string, at: number, tables: Fields) =>
	decide({
		...{ now: isoOf(at), zone, campaigns: [campaign({ ...ALWAYS, timezone: zone })] },
		...tables,
	});

describe.each(DAYS.slice(0, depth(2, 5)))('%s around %s', (zone, date) => {
	const hours = hoursAround(date);

	test('a plan has one step per date', () => {
		const LIMITS = [1, 2, 3, 4];
		const rows = [1, 2, 3, 4, 5].map((id) => row(id));
		const dates = [...new Set(hours.map((at) => dateIn(zone, at)))];
		const first = dates.indexOf(date);
		for (const plan of ['dailyCaps', 'newPeoplePerDay']) {
			const settings = { [plan]: `1, 2, 3, 4 from ${date}` };
			for (const at of hours) {
				const sending = decideIn(zone, at, { rows, settings }).filter(
					({ status }) => status === 'sending',
				);
				const day = dates.indexOf(dateIn(zone, at)) - first;
				expect([isoOf(at), sending.length]).toEqual([isoOf(at), LIMITS[Math.min(day, 3)] ?? 0]);
			}
		}
	});
});
