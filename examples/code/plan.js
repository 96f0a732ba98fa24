// What each appointment needs now: rows of the outbox to store, to renew or to withdraw, and what the summary says about it.
//
// A row is stored a few minutes before its time, and is valid for a few minutes after the calendar was read. So a message never says
// what the calendar said long ago, also if n8n was off in between: its row has expired, and is renewed if it is still right.
const { KINDS, RUN, HOUR_MS, timesOf, nextTime, answerOf } = require('./shared/appointments.js');
const { millis } = require('./shared/millis.js');
const { minutesOf } = require('./shared/campaigns.js');
const { LOCAL, FICTION } = require('./shared/local.js');
const { MINUTE_MS } = require('./shared/personRules.js');
const { hasBegun } = require('./shared/rows.js');
const { rowsOf } = require('./shared/tables.js');

/** The schedule is every ten minutes. */
const AHEAD_MS = 12 * MINUTE_MS;
const VALID_MS = 15 * MINUTE_MS;
const MAX_TEXT = 4_096;
const EVENING_MS = 3 * HOUR_MS;

const settings = $('Reminder settings').first().json;
const now = $now.toMillis();
const iso = (ms) => DateTime.fromMillis(ms, { zone: 'utc' }).toISO();
const optedOut = new Set(rowsOf($('Opted-out people').all()).map(({ token }) => token));
const rows = rowsOf($('Reminder rows').all());
const unread = new Map(
	$('Calendar')
		.all()
		.filter(({ json }) => json.source && json.failed)
		.map(({ json }) => [json.source, json.failed]),
);

/** Of the page, which is n8n's only if it is not published. A proxy may keep n8n from reaching itself, so nothing else is known. */
const { statusCode, data } = $('Answer page').first().json;
const isUnpublished = statusCode === 404 && String(data).includes('is not registered');
const problems = [...unread].map(([source, why]) => `${source} cannot be read: ${why}`);
const NO_PAGE = 'publish “17. Appointments: page”, which their links open';
if (isUnpublished) problems.push(`No reminders are sent: ${NO_PAGE}`);

/** `appointment <row> <kind> <start> <identity>`. The first row of a person and a time can be cancelled, and another one be left. */
const keyOf = (requestId) => String(requestId).split(' ').slice(2).join(' ');
const byKey = new Map(rows.map((row) => [keyOf(row.requestId), row]));

/** Of each person and time one: calendars contain events twice. */
function appointments() {
	const groups = new Map();
	const [people, tokens, signatures] = ['Person', 'Token of the person', 'Signature'].map((node) =>
		$(node).all(),
	);
	for (const [index, row] of rowsOf($('Upcoming').all()).entries()) {
		const { identity, error } = people[index].json;
		const token = tokens[index].json.token.slice(0, 32);
		const signature = signatures[index].json.signature.slice(0, 32);
		const key = `${iso(millis(row.startsAt))} ${identity ?? row.phone}`;
		const group = groups.get(key) ?? { key, identity, error, token, signature, rows: [] };
		group.rows.push(row);
		groups.set(key, group);
	}
	return [...groups.values()]
		.map((group) => {
			const active = group.rows.filter(({ status }) => status !== 'cancelled');
			const answered = group.rows
				.filter(answerOf)
				.sort((a, b) => millis(a.answeredAt) - millis(b.answeredAt));
			const first = group.rows.indexOf(active[0] ?? group.rows[0]);
			return {
				...group,
				row: group.rows[first],
				startsAt: millis(group.rows[first].startsAt),
				isActive: active.length > 0,
				answer: answered.length > 0 ? answerOf(answered.at(-1)) : '',
			};
		})
		.sort((a, b) => a.startsAt - b.startsAt);
}

function dateAndTime(startsAt, timezone) {
	const zone = timezone || settings.timezone;
	const at = DateTime.fromMillis(startsAt, { zone, locale: settings.language });
	const date = at.toLocaleString({ weekday: 'long', day: 'numeric', month: 'long' });
	const time = at.toLocaleString(DateTime.TIME_SIMPLE);
	return { date, time: zone === settings.timezone ? time : `${time} (${zone})` };
}

function textOf(kind, { row, startsAt, signature }) {
	const { sender, place, contact, page } = settings;
	const values = {
		...{ name: row.name, title: row.title, sender, place, contact },
		...dateAndTime(startsAt, row.timezone),
		link: `${page}?a=${row.id}&t=${startsAt / MINUTE_MS}&s=${signature}`,
	};
	const text = settings[`${kind}Text`].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
	return text.slice(0, MAX_TEXT);
}

/** Why nothing is sent about an appointment any more; undefined if it is. */
function whyNot({ identity, token, row, isActive, answer }) {
	if (!isActive) return 'cancelled';
	if (['cancel', 'another time'].includes(answer)) return `answered: ${answer}`;
	if (unread.has(row.source))
		return `not sent: the calendar cannot be read (${unread.get(row.source)})`;
	if (!String(row.phone ?? '').trim()) return 'not sent: no phone number';
	if (identity === undefined)
		return 'not sent: the phone number must be complete, with + and country code';
	if (optedOut.has(token)) return 'not sent: this person has opted out';
	if (isUnpublished) return `not sent: ${NO_PAGE}`;
	if (LOCAL.test(settings.page) && !FICTION.test(identity))
		return 'not sent: no phone can open a link to this machine. Set N8N_WEBHOOK_URL of n8n, or page in Reminder settings';
	return undefined;
}

const clock = (ms) => DateTime.fromMillis(ms, { zone: settings.timezone }).toFormat('HH:mm');

const TOO_LATE = 'not sent: too late (booked late, or n8n or the phone was off)';

/** What a row of the outbox says to a person. */
function stateOf({ status, reason, sentAt, sendAt }) {
	if (status === 'sent') return `sent at ${clock(millis(sentAt))}`;
	if (status === 'deferred') return 'waits in the gateway until the phone is online';
	if (status === 'unknown') return 'may have been sent: check the chat';
	if (status === 'failed') return `not sent: ${reason}`;
	if (status === 'expired') return TOO_LATE;
	if (status === 'pending' && reason) return `not sent yet: ${reason}`;
	return ['pending', 'sending'].includes(status) ? `is sent at ${clock(millis(sendAt))}` : status;
}

const changes = [];

/** Stores the row, or keeps it valid, and returns what to say about it. */
function remind(kind, appointment) {
	const {
		row: { id, timezone },
		startsAt,
		identity,
		token,
	} = appointment;
	const zone = timezone || settings.timezone;
	const times = timesOf(startsAt, settings[`${kind}Hours`], settings, zone);
	const found = byKey.get(`${kind} ${iso(startsAt)} ${identity}`);
	const isOver = found && (found.status === 'failed' || hasBegun(found));
	if (isOver && !['expired', 'withdrawn'].includes(found.status)) return stateOf(found);
	const next = nextTime(times, now, settings, zone);
	if (!next) return TOO_LATE;
	if (next.from > now + AHEAD_MS) return `at ${clock(next.from)}`;
	const message = {
		...{ recipient: identity, text: textOf(kind, appointment), person: identity, token, run: RUN },
		expiresAt: iso(Math.min(next.until, now + VALID_MS)),
	};
	const from = { sendAt: iso(next.from), nextAttemptAt: iso(next.from) };
	if (!found) {
		const requestId = `appointment ${id} ${kind} ${iso(startsAt)} ${identity}`;
		changes.push({ step: 'store', requestId, status: 'pending', ...from, ...message });
	} else {
		const isWaiting = found.status === 'pending';
		const { sendAt, nextAttemptAt } = found;
		const kept = isWaiting ? { sendAt, nextAttemptAt } : from;
		const step = { step: 'renew', id: found.id, statusBefore: found.status };
		changes.push({ ...step, status: 'pending', ...kept, ...message });
	}
	return found?.status === 'pending' ? stateOf(found) : `is sent at ${clock(next.from)}`;
}

const lines = [];
const wanted = new Set();
for (const appointment of appointments()) {
	const { row, startsAt, answer, identity } = appointment;
	const why = whyNot(appointment);
	const kinds = KINDS.filter((kind) => settings[`${kind}Hours`] > 0);
	const states = kinds.map((kind) => {
		const key = `${kind} ${iso(startsAt)} ${identity}`;
		const found = byKey.get(key);
		if (startsAt <= now && !why) return found ? stateOf(found) : TOO_LATE;
		if (why) return found && !['pending', 'expired'].includes(found.status) ? stateOf(found) : '';
		wanted.add(key);
		return remind(kind, appointment);
	});
	const { id, name, phone, title } = row;
	const status = appointment.isActive ? 'booked' : 'cancelled';
	lines.push({ id, name, phone, title, startsAt, status, answer, why: why ?? '', states });
}
// What is no longer in the calendar, or at another time.
for (const { id, requestId, status, sentAt } of rows) {
	if (!requestId.startsWith('appointment ') || wanted.has(keyOf(requestId))) continue;
	if (['pending', 'sending'].includes(status))
		changes.push({ step: 'withdraw', id, isUncertain: status === 'sending' || Boolean(sentAt) });
}

/** In the evening, one message to the owner about tomorrow. */
function evening() {
	const owner = String(settings.owner ?? '').trim();
	const minutes = minutesOf(settings.eveningAt);
	const today = $now.setZone(settings.timezone).startOf('day');
	const at = today.set({ hour: Math.floor(minutes / 60), minute: minutes % 60 }).toMillis();
	const requestId = `evening ${today.toISODate()}`;
	if (!owner || now < at || now >= at + EVENING_MS) return;
	if (rows.some((row) => row.requestId === requestId)) return;
	const tomorrow = today.plus({ days: 1 });
	const ofTomorrow = lines.filter(
		({ startsAt, status }) =>
			status === 'booked' &&
			tomorrow.hasSame(DateTime.fromMillis(startsAt, { zone: settings.timezone }), 'day'),
	);
	const lineOf = ({ startsAt, name, phone }) => `${clock(startsAt)} ${name} ${phone}`;
	const open = ofTomorrow.filter(({ answer }) => answer === '');
	const missed = open.filter(
		({ why, states }) => why || states.some((each) => /^not sent:/.test(each)),
	);
	const moved = ofTomorrow.filter(({ answer }) => answer === 'another time');
	const cancelled = ofTomorrow.filter(({ answer }) => answer === 'cancel');
	const part = (title, list, of) => (list.length > 0 ? ['', `${title}:`, ...list.map(of)] : []);
	if (ofTomorrow.length === 0 && problems.length === 0) return;
	const text = [
		`Tomorrow: ${ofTomorrow.length} ${ofTomorrow.length === 1 ? 'appointment' : 'appointments'}, ${ofTomorrow.length - open.length} answered.`,
		...part('No answer yet', open, lineOf),
		...part('Not reminded', missed, (line) =>
			[lineOf(line), line.why || line.states.find((each) => /^not sent:/.test(each))].join(', '),
		),
		...part('Need another time', moved, lineOf),
		...part('Cancelled', cancelled, lineOf),
		...(problems.length > 0 ? ['', ...problems] : []),
	].join('\n');
	const time = { sendAt: iso(now), nextAttemptAt: iso(now), expiresAt: iso(at + EVENING_MS) };
	const message = {
		recipient: owner,
		text: text.slice(0, MAX_TEXT),
		person: '',
		token: '',
		run: RUN,
	};
	changes.push({ step: 'store', requestId, status: 'pending', ...time, ...message });
}
evening();

// The last evening message, if the owner does not have it.
const last = rows.findLast(({ requestId }) => requestId.startsWith('evening '));
if (['failed', 'expired'].includes(last?.status)) {
	const why = last.status === 'failed' ? last.reason : 'n8n or the phone was off';
	problems.push(`The evening message of ${last.requestId.slice(8)} was not sent: ${why}`);
}

const skipped = $('Calendar')
	.all()
	.filter(({ json }) => json.skipped)
	.map(({ json }) => `${json.source}: left out: ${json.skipped}`);
const MOST_SKIPPED = 5;
problems.push(...skipped.slice(0, MOST_SKIPPED));
if (skipped.length > MOST_SKIPPED)
	problems.push(`And ${skipped.length - MOST_SKIPPED} more events`);
return [...changes, { step: 'summary', lines, problems }].map((json) => ({ json }));
