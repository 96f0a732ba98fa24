// When the reminders of an appointment are due, and what has become of them.
const { MINUTE_MS, nextOpening } = require('./personRules.js');
const { millis } = require('./millis.js');

const HOUR_MS = 60 * MINUTE_MS;
/** A reminder that would be in quiet hours is sent so long before them, so that it is not late if the outbox is busy. */
const BEFORE_QUIET_MS = 30 * MINUTE_MS;
const KINDS = ['first', 'second'];
/** `run` of their rows in the outbox. */
const RUN = 'appointments';

/** What is open outside of the quiet hours, for nextOpening. Two equal times: there are no quiet hours. */
const openHours = ({ quietFrom, quietTo }, timezone) => ({
	...{ timezone, weekdays: '1,2,3,4,5,6,7' },
	...(quietFrom === quietTo
		? { windowFrom: '00:00', windowTo: '00:00' }
		: { windowFrom: quietTo, windowTo: quietFrom }),
});

/** When the quiet hours begin next, after a time that is not in them. */
function nextQuiet(at, { quietFrom, quietTo }, timezone) {
	if (quietFrom === quietTo) return Infinity;
	const [hour, minute] = quietFrom.split(':').map(Number);
	const day = DateTime.fromMillis(at, { zone: timezone }).startOf('day');
	const times = [0, 1].map((days) => day.plus({ days }).set({ hour, minute }).toMillis());
	return times.find((time) => time > at);
}

/**
 * From when and until when a reminder may be sent, and the time from which on it is too late: when half of its hours are over. It is
 * before the appointment in any case.
 */
function timesOf(startsAt, hours, settings, timezone) {
	const open = openHours(settings, timezone);
	const at = startsAt - hours * HOUR_MS;
	const deadline = startsAt - (hours * HOUR_MS) / 2;
	if (nextOpening(at, open) === at) return { at, deadline };
	// The last quiet hours that began before it.
	let start = at - 25 * HOUR_MS;
	for (let next = start; next <= at; next = nextQuiet(next, settings, timezone)) start = next;
	return { at: start - BEFORE_QUIET_MS, deadline };
}

/** The time at which it can be sent, from `now` on, and until when. Undefined if it is too late. */
function nextTime({ at, deadline }, now, settings, timezone) {
	const from = nextOpening(Math.max(at, now), openHours(settings, timezone));
	if (from >= deadline) return undefined;
	return { from, until: Math.min(deadline, nextQuiet(from, settings, timezone)) };
}

/** Stored if a person asks for another time after they cancelled: their time may be given to others, so they cannot come to it again. */
const AFTER_CANCEL = 'another time, after cancel';

/** The recipient's answer, if it is about this time: an appointment that was moved has none. */
const answerOf = ({ answer, answeredFor, startsAt }) =>
	answer && millis(answeredFor) === millis(startsAt) ? answer.split(',')[0] : '';

module.exports = { KINDS, RUN, HOUR_MS, AFTER_CANCEL, timesOf, nextTime, answerOf };
