// What has changed in the calendars since they were read last: new and moved events, and those that are gone.
const { millis } = require('./shared/millis.js');
const { rowsOf } = require('./shared/tables.js');

/** If so many disappear at once, and nothing is left, the calendar was not read, whatever it says. */
const MOST_GONE = 3;

const items = $('Calendar')
	.all()
	.map(({ json }) => json)
	.filter(({ source }) => source);
const stored = rowsOf($('Stored events').all());
const changes = [];

const isSame = (row, event) =>
	['name', 'phone', 'title', 'status'].every((name) => (row[name] ?? '') === (event[name] ?? '')) &&
	['startsAt', 'endsAt'].every((name) => millis(row[name] ?? 0) === millis(event[name] ?? 0));

const sources = new Set(items.map(({ source }) => source));
for (const source of sources) {
	const own = items.filter((each) => each.source === source);
	const events = new Map(
		own.filter(({ id, startsAt }) => id && startsAt).map((each) => [String(each.id), each]),
	);
	if (own.some(({ failed }) => failed)) continue;
	const known = stored.filter((row) => row.source === source);
	const gone = known.filter(
		({ appointmentId, status }) => status !== 'cancelled' && !events.has(appointmentId),
	);
	for (const [appointmentId, event] of events) {
		const { name = '', phone = '', title = '', startsAt, endsAt, status = 'booked' } = event;
		const { timezone = '', language = '' } = event;
		const values = { source, appointmentId, name, phone, title, status, timezone, language };
		const row = known.find((each) => each.appointmentId === appointmentId);
		if (!row || !isSame(row, { ...event, status }))
			changes.push({ ...values, startsAt, endsAt: endsAt ?? startsAt });
	}
	if (gone.length > MOST_GONE && events.size === 0) continue;
	for (const row of gone) changes.push({ ...row, status: 'cancelled' });
}
return changes.map((json) => ({ json }));
