// What a booking of Cal.com changes. Cal.com repeats and delays events, so an older one changes nothing.
const { millis } = require('./shared/millis.js');
const { rowsOf } = require('./shared/tables.js');

const source = 'Cal.com';
const STATUSES = {
	BOOKING_CREATED: 'booked',
	BOOKING_RESCHEDULED: 'booked',
	BOOKING_CANCELLED: 'cancelled',
	BOOKING_REJECTED: 'cancelled',
};
const { triggerEvent, createdAt, payload } = JSON.parse($('Booking as text').first().json.text);
const rows = rowsOf($('Known bookings').all()).filter((row) => row.source === source);

const changes = [];
function add(appointmentId, values) {
	const row = rows.find((each) => each.appointmentId === appointmentId);
	if (row?.changedAt && millis(row.changedAt) >= millis(createdAt)) return;
	changes.push({ ...row, source, appointmentId, changedAt: createdAt, ...values });
}

const status = STATUSES[triggerEvent];
if (status && payload?.uid) {
	const { uid, rescheduleUid, title, startTime, endTime, attendees, responses } = payload;
	const [attendee = {}] = attendees ?? [];
	const phone = [
		attendee.phoneNumber,
		...['attendeePhoneNumber', 'phone', 'smsReminderNumber'].map(
			(name) => responses?.[name]?.value,
		),
	].find((each) => typeof each === 'string' && each.trim());
	const values = {
		...{ status, name: attendee.name ?? '', phone: phone ?? '', title: title ?? '' },
		...{ startsAt: startTime, endsAt: endTime, timezone: attendee.timeZone ?? '' },
		language: attendee.language?.locale ?? '',
	};
	if (rescheduleUid && rescheduleUid !== uid)
		add(rescheduleUid, {
			...values,
			startsAt: payload.rescheduleStartTime ?? startTime,
			status: 'cancelled',
		});
	add(uid, values);
}
return changes.map((json) => ({ json }));
