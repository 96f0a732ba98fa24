// The appointment that was entered in the form, or what is wrong with it.
const { minutesOf } = require('./shared/campaigns.js');

const { name, phone, title, date, time, minutes } = $('Add an appointment').first().json;
const { timezone } = $('Reminder settings').first().json;
const checked = $input.first().json;

/** Forms show dates in different ways, and n8n passes on the ISO date. */
const day = DateTime.fromISO(String(date ?? '').slice(0, 10), { zone: timezone });
const minute = minutesOf(
	String(time ?? '')
		.trim()
		.replace('.', ':'),
);
const isTime = !Number.isNaN(minute);
const start = day.set(isTime ? { hour: Math.floor(minute / 60), minute: minute % 60 } : {});
const length = Number(minutes || 30);

function problem() {
	if (checked.error !== undefined)
		return 'The phone number must be complete, and start with + and the country code';
	if (!day.isValid) return 'The date is missing';
	if (!isTime) return 'The time must be such as 14:30';
	if (!(length > 0 && length <= 24 * 60)) return 'The minutes must be a number';
	if (start <= $now) return 'The appointment is in the past';
	return '';
}

const found = problem();
if (found) return [{ json: { problem: found } }];
return [
	{
		json: {
			...{ problem: '', appointmentId: `form ${$execution.id}`, source: 'form', status: 'booked' },
			...{ name: String(name).trim(), phone: String(phone).trim(), title: String(title).trim() },
			startsAt: start.toUTC().toISO(),
			endsAt: start.plus({ minutes: length }).toUTC().toISO(),
		},
	},
];
