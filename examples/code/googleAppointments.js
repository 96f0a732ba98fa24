// The events of Google Calendar as appointments: those with a phone number in the description, title or place.
const { phoneIn, nameIn, withoutMark } = require('./shared/events.js');

const source = 'Google Calendar';
const events = $input.all().map(({ json }) => json);
const failed = events.find(({ error }) => error !== undefined)?.error;
if (failed !== undefined) return [{ json: { source, failed: String(failed.message ?? failed) } }];
const appointments = events
	.filter(({ start }) => start?.dateTime)
	.map(({ id, status, summary, description, location, start, end }) => ({
		...{ source, id, name: nameIn(summary), title: withoutMark(summary) },
		...{ phone: phoneIn(description, summary, location), startsAt: start.dateTime },
		...{ endsAt: end?.dateTime, status: status === 'cancelled' ? 'cancelled' : 'booked' },
	}))
	.filter(({ phone }) => phone);
// Says that the calendar was read, even if it is empty.
return [{ source, isRead: true }, ...appointments].map((json) => ({ json }));
