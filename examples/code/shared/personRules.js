// When a person may get a message: send window and frequency. Example 11 asks for campaigns, and example 15 for everything else.
const { LAST_START_MINUTES, minutesOf } = require('./campaigns.js');

const MINUTE_MS = 60_000;

/** A time of day on a date. A time that the change to summer time skips is an hour later. */
const timeOn = (date, minutes) =>
	date.set({ hour: Math.floor(minutes / 60), minute: minutes % 60 }).toMillis();

/**
 * The first time from `at` on when the window is open. A window that ends before it starts goes over midnight, and belongs
 * to the weekday on which it starts.
 */
function nextOpening(at, { timezone, windowFrom, windowTo, weekdays }) {
	const today = DateTime.fromMillis(at, { zone: timezone }).startOf('day');
	const [from, to] = [minutesOf(windowFrom), minutesOf(windowTo)];
	const days = weekdays.split(',').map(Number);
	for (let offset = -1; ; offset++) {
		const date = today.plus({ days: offset });
		if (!days.includes(date.weekday)) continue;
		const start = Math.max(at, timeOn(date, from));
		const end = timeOn(to > from ? date : date.plus({ days: 1 }), to);
		if (start < end - LAST_START_MINUTES * MINUTE_MS) return start;
	}
}

/** When a person may get the next message, if they have had messages at these times. */
function nextForPerson(times, now, { maxPerPerson, perDays }) {
	if (!maxPerPerson) return now;
	const periodMs = perDays * 24 * 60 * MINUTE_MS;
	const recent = times.filter((time) => time > now - periodMs).sort((a, b) => a - b);
	return recent.length < maxPerPerson ? now : recent.at(-maxPerPerson) + periodMs;
}

/**
 * Why a person may get no message now, and from when on; undefined if nothing stands against it. `times` are those of the
 * person's other messages, and `limits` a campaign, or the settings of example 15, without a mistake.
 */
function whyNotNow(times, now, limits) {
	const next = nextForPerson(times, now, limits);
	if (next > now) {
		return { reason: 'This person had enough messages lately', until: nextOpening(next, limits) };
	}
	const opening = nextOpening(now, limits);
	return opening > now ? { reason: 'Outside of the send window', until: opening } : undefined;
}

module.exports = { MINUTE_MS, nextOpening, whyNotNow };
