// The single events of a calendar file (.ics) as appointments: those with a phone number. An event that repeats, and one in a time zone
// that nobody knows, is listed as a problem instead: a guessed time would be wrong.
const { phoneIn, nameIn, withoutMark } = require('./shared/events.js');

const source = 'Calendar file';
const { timezone } = $('Reminder settings').first().json;
const { data, error } = $input.first().json;
const before = $('Google appointments')
	.all()
	.filter(({ json }) => json.source === 'Google Calendar');
/** Of the last month, because only the future matters, and a file contains years. */
const since = $now.minus({ days: 31 }).toMillis();

const unescaped = (text) => text.replace(/\\n/gi, '\n').replace(/\\([\\;,])/g, '$1');

/** `DTSTART;TZID=Europe/London:20260601T090000` as a name, its parameters and a value. */
function propertyIn(line) {
	const [, head, value] = /^((?:[^":]|"[^"]*")*):(.*)$/s.exec(line) ?? [];
	if (head === undefined) return undefined;
	const [name, ...parameters] = head.split(';');
	const zone = parameters.find((each) => /^TZID=/i.test(each));
	return { name: name.toUpperCase(), zone: zone?.slice(5).replace(/"/g, ''), value };
}

/** The properties of each event, without those of its alarms. Lines are folded. */
function eventsIn(text) {
	const events = [];
	const open = [];
	for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
		const property = propertyIn(line);
		if (!property) continue;
		const { name, value } = property;
		if (name === 'BEGIN') {
			open.push(value.toUpperCase());
			if (open.at(-1) === 'VEVENT') events.push({});
		} else if (name === 'END') open.pop();
		else if (open.at(-1) === 'VEVENT') events.at(-1)[name] ??= property;
	}
	return events;
}

/** Undefined for a whole day, and an invalid time for a time zone that is not known. */
function timeOf({ value, zone = timezone }) {
	if (!/^\d{8}T\d{6}Z?$/.test(value)) return undefined;
	const isUtc = value.endsWith('Z');
	return DateTime.fromFormat(value.replace('Z', ''), "yyyyLLdd'T'HHmmss", {
		// Some programs put a path before the name.
		zone: isUtc ? 'utc' : (/[A-Z][a-z]\w*(?:\/[A-Z][\w-]*){1,2}$/.exec(zone)?.[0] ?? zone),
	});
}

const textOf = (event, name) => unescaped(event[name]?.value ?? '');

function appointmentOf(event) {
	const title = textOf(event, 'SUMMARY');
	const phone = phoneIn(textOf(event, 'DESCRIPTION'), title, textOf(event, 'LOCATION'));
	const start = event.DTSTART && timeOf(event.DTSTART);
	if (!phone || !start) return [];
	const problem = event.RRULE || event['RECURRENCE-ID'] ? 'it repeats' : '';
	if (problem || !start.isValid) {
		const why = problem || `its time zone ${event.DTSTART.zone} is not known`;
		return [{ source, skipped: `${withoutMark(title)}: ${why}` }];
	}
	if (start.toMillis() < since) return [];
	const end = event.DTEND && timeOf(event.DTEND);
	const isCancelled = textOf(event, 'STATUS').toUpperCase() === 'CANCELLED';
	return [
		{
			...{
				source,
				id: textOf(event, 'UID'),
				name: nameIn(title),
				title: withoutMark(title),
				phone,
			},
			...{ startsAt: start.toUTC().toISO(), status: isCancelled ? 'cancelled' : 'booked' },
			endsAt: (end?.isValid ? end : start.plus({ minutes: 30 })).toUTC().toISO(),
		},
	];
}

function own() {
	// Deactivated: then it passes on what it gets.
	if (data === undefined && error === undefined) return [];
	const text = String(data ?? '');
	if (error !== undefined || !/^\s*BEGIN:VCALENDAR/i.test(text)) {
		const why = error !== undefined ? String(error.message ?? error) : 'it is no calendar file';
		return [{ source, failed: why }];
	}
	return [{ source, isRead: true }, ...eventsIn(text).flatMap(appointmentOf)];
}

return [...before, ...own().map((json) => ({ json }))];
