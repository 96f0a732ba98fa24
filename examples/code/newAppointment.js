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

const noNumber = 'The phone number must be complete, and start with + and the country code';
const found = [
	checked.error !== undefined && noNumber,
	!day.isValid && 'The date is missing',
	!isTime && 'The time must be such as 14:30',
	!(length > 0 && length <= 24 * 60) && 'The minutes must be a number',
	day.isValid && isTime && start <= $now && 'The appointment is in the past',
]
	.filter(Boolean)
	.join('. ');
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
