// When a person may get a message: send window and frequency. Example 11 asks for campaigns, and example 15 for everything else. Knows
// nothing of n8n.

/** A batch that starts just before the end of a window must not be sent after it. */
const LAST_START_MS = 2 * 60_000;

/** Minutes since midnight of a time of day such as '09:30' or '9:30'. */
function minutesOf(time) {
	const [, hour, minute] = /^(\d\d?):(\d\d)$/.exec(time) ?? [];
	return Number(hour) * 60 + Number(minute);
}

/** A time of day on a date. A time that the change to summer time skips is an hour later. */
const timeOn = (date, minutes) =>
	date.set({ hour: Math.floor(minutes / 60), minute: minutes % 60 }).toMillis();

/**
 * The first time from `at` on when the window is open. A window that ends before it starts goes over midnight, and belongs
 * to the weekday on which it starts. Undefined if it never opens.
 */
function nextOpening(at, { timezone, windowFrom, windowTo, weekdays }) {
	const days = String(weekdays).split(',').map(Number);
	const today = DateTime.fromMillis(at, { zone: timezone }).startOf('day');
	const [from, to] = [minutesOf(windowFrom), minutesOf(windowTo)];
	if (Number.isNaN(from + to)) return undefined;
	for (let offset = -1; offset <= 7; offset++) {
		const date = today.plus({ days: offset });
		if (!days.includes(date.weekday)) continue;
		const start = Math.max(at, timeOn(date, from));
		const end = timeOn(to > from ? date : date.plus({ days: 1 }), to);
		if (start < end - LAST_START_MS) return start;
	}
	return undefined;
}

/** When a person may get the next message, if they have had messages at these times. */
function nextForPerson(times, now, { maxPerPerson, perDays }) {
	if (!maxPerPerson) return now;
	const periodMs = perDays * 24 * 60 * 60_000;
	const recent = times.filter((time) => time > now - periodMs).sort((a, b) => a - b);
	return recent.length < maxPerPerson ? now : recent.at(-maxPerPerson) + periodMs;
}

/**
 * Why a person may get no message now, and from when on: without `until`, never, as the window never opens. Undefined if nothing
 * stands against it. `times` are those of the person's other messages, and `limits` a campaign, or the settings of example 15.
 */
function whyNotNow(times, now, limits) {
	const opening = nextOpening(now, limits);
	if (opening === undefined) return { reason: 'The send window never opens' };
	const next = nextForPerson(times, now, limits);
	if (next > now) {
		return { reason: 'This person had enough messages lately', until: nextOpening(next, limits) };
	}
	if (opening > now) return { reason: 'Outside of the send window', until: opening };
	return undefined;
}
