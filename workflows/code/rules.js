// Decides for each claimed row of a campaign whether it is sent now. The first functions know nothing of n8n.

/** A batch that starts just before the end of a window must not be sent after it. */
const LAST_START_MS = 2 * 60_000;

/** After a setting that cannot be read, which the user has to correct. */
const CORRECTION_MS = 10 * 60_000;

/** Until a row looks again whether its number is online. */
const OFFLINE_MS = 60_000;

const MAY_HAVE_BEEN_SENT = 'unknown: it may have been sent';

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
	const today = DateTime.fromMillis(at, { zone: timezone }).startOf('day');
	const [from, to] = [minutesOf(windowFrom), minutesOf(windowTo)];
	if (Number.isNaN(from + to)) return undefined;
	for (let offset = -1; offset <= 7; offset++) {
		const date = today.plus({ days: offset });
		if (!weekdays.includes(date.weekday)) continue;
		const start = Math.max(at, timeOn(date, from));
		const end = timeOn(to > from ? date : date.plus({ days: 1 }), to);
		if (start < end - LAST_START_MS) return start;
	}
	return undefined;
}

/**
 * The plan of each number, and under '' that of the others; none if one cannot be read. One plan for all numbers, or one
 * after the other: '1000', '20, 40, 80 from 2026-06-01' (one cap per day, and the last one for all later days), or
 * '1000; B: 20, 40, 80 from 2026-06-01' (for B, and for the others).
 */
function plansIn({ dailyCaps, timezone }, numbers) {
	const plans = new Map();
	for (const plan of String(dailyCaps).split(/[;\n]/)) {
		if (plan.trim() === '') continue;
		const [, name = '', list = '', from = '2000-01-01'] =
			/^\s*(?:([^:]+):)?\s*(\d+(?:\s*,\s*\d+)*)(?:\s+from\s+(\S+))?\s*$/.exec(plan) ?? [];
		const first = DateTime.fromISO(from, { zone: timezone });
		const isKnown = name === '' || numbers.includes(name.trim());
		if (list === '' || !first.isValid || !isKnown) return new Map();
		plans.set(name.trim(), { caps: list.split(',').map(Number), first });
	}
	return plans;
}

/** How many messages may be sent today. */
function capOf({ caps, first }, timezone, now) {
	const today = DateTime.fromMillis(now, { zone: timezone }).startOf('day');
	const day = today.diff(first.startOf('day'), 'days').days;
	return day < 0 ? 0 : caps[Math.min(day, caps.length - 1)];
}

const tomorrow = (now, timezone) =>
	DateTime.fromMillis(now, { zone: timezone }).startOf('day').plus({ days: 1 }).toMillis();

/** When a person may get the next message, if they have had messages at these times. */
function nextForPerson(times, now, { maxPerPerson, perDays }) {
	if (!maxPerPerson) return now;
	const periodMs = perDays * 24 * 60 * 60_000;
	const recent = times.filter((time) => time > now - periodMs).sort((a, b) => a - b);
	return recent.length < maxPerPerson ? now : recent.at(-maxPerPerson) + periodMs;
}

/**
 * One decision per row, in the order of the rows. `campaigns`, `optOuts` and `sent` are rows of the data tables. `sent` has
 * those that another run is sending, and those that were sent to one of these people or today: read in this order, so that none
 * is missed that the other run marks as sent in between. A row without a response counts as sent. `numbers` are the names of all
 * numbers, `online` of those that are online.
 */
function decide({ rows, campaigns, optOuts, sent, numbers, online, settings, now }) {
	const campaignOf = new Map(campaigns.map((campaign) => [campaign.name, campaign]));
	const optedOut = new Set(optOuts.map(({ token }) => token));
	const own = new Set(rows.map(({ id }) => id));
	const dayStart = DateTime.fromMillis(now, { zone: settings.timezone }).startOf('day').toMillis();
	const counted = new Map();
	const timesOf = new Map();
	const count = (row, time) => {
		if (time >= dayStart) counted.set(row.id, row.number || '');
		timesOf.set(row.person, (timesOf.get(row.person) ?? new Map()).set(row.id, time));
	};
	for (const row of sent) {
		if (row.sentAt) count(row, Date.parse(row.sentAt));
		else if (!own.has(row.id)) count(row, now);
	}
	const plans = plansIn(settings, numbers);
	/** Undefined without a plan. */
	const capFor = (number) => {
		const plan = plans.get(number) ?? plans.get('');
		return plan && capOf(plan, settings.timezone, now);
	};
	// It is not known over which number a row without one is sent, so it counts for all.
	const sentBy = (number) =>
		[...counted.values()].filter((each) => each === number || each === '').length;

	const wait = (until, reason) => ({
		status: 'pending',
		nextAttemptAt: new Date(until).toISOString(),
		reason,
	});
	const waitForCorrection = (reason) => wait(now + CORRECTION_MS, reason);
	const end = (status, reason) => ({ status, reason });
	const othersOf = (row) => String(row.otherNumbers ?? '').split(',');
	const hasCapLeft = (number) => sentBy(number) < capFor(number);

	/**
	 * The number that sends the row. Another one only if no attempt over its own can have arrived: the gateway knows the
	 * idempotency key of an attempt only at the number that made it.
	 */
	function numberFor(row) {
		const own = row.number || '';
		if (online.includes(own)) return own;
		if (settings.whenOffline !== 'another number') return undefined;
		if (row.sentAt || String(row.reason ?? '').includes(MAY_HAVE_BEEN_SENT)) return undefined;
		return othersOf(row).find((number) => online.includes(number) && hasCapLeft(number));
	}

	function decideOne(row) {
		const campaign = campaignOf.get(row.campaign);
		if (!campaign) return end('failed', 'There is no campaign of this name');
		if (campaign.status !== 'running')
			return end(campaign.status, `The campaign is ${campaign.status}`);
		if (optedOut.has(row.token)) return end('opted out', '');
		const { windowFrom, windowTo } = campaign;
		const timezone = row.timezone || campaign.timezone;
		const weekdays = String(campaign.weekdays).split(',').map(Number);
		const opening = (at) => nextOpening(at, { timezone, windowFrom, windowTo, weekdays });
		if (!DateTime.fromMillis(now, { zone: timezone }).isValid && row.timezone) {
			return end('failed', `The time zone '${timezone}' is unknown`);
		}
		if (opening(now) === undefined) {
			return waitForCorrection(
				"The send window never opens. Correct it in the data table 'Messaging campaigns'",
			);
		}
		const others = [...(timesOf.get(row.person) ?? [])].filter(([id]) => id !== row.id);
		const next = nextForPerson(
			others.map(([, time]) => time),
			now,
			campaign,
		);
		if (next > now) return wait(opening(next), 'This person had enough messages lately');
		if (opening(now) > now) return wait(opening(now), 'Outside of the send window');
		const { whenOffline } = settings;
		if (!['wait', 'another number'].includes(whenOffline)) {
			return waitForCorrection(
				`Correct 'whenOffline' in Settings of example 11: it is '${whenOffline}', and can be wait or another number`,
			);
		}
		const number = numberFor(row);
		if (number === undefined && !numbers.includes(row.number || '')) {
			return waitForCorrection(
				`'numbers' in Settings of example 11 has no '${row.number}'. Add it, or correct 'number' of the row`,
			);
		}
		if (number === undefined) return wait(now + OFFLINE_MS, `The number ${row.number} is offline`);
		const cap = capFor(number);
		if (cap === undefined) {
			return waitForCorrection(
				"Correct 'dailyCaps' in Settings of example 11. An example, if B is one of 'numbers': 1000; B: 20, 40, 80 from 2026-06-01",
			);
		}
		// A row that may have been sent is one of those that count. If a run crashed before it decided, they can be more than the cap.
		if (counted.has(row.id) ? sentBy(number) > cap : sentBy(number) >= cap) {
			return wait(opening(tomorrow(now, settings.timezone)), `The daily cap of ${cap} is reached`);
		}
		count({ ...row, number }, now);
		if (number === (row.number || '')) return { status: 'sending', isMoved: false };
		const otherNumbers = [row.number, ...othersOf(row).filter((each) => each !== number)].join(',');
		return { status: 'sending', isMoved: true, number, otherNumbers };
	}

	// Keeps what earlier attempts left in `reason`: it may say that the message may have been sent.
	return rows.map((row) => {
		const decision = decideOne(row);
		const isUncertain = String(row.reason ?? '').includes(MAY_HAVE_BEEN_SENT);
		if (!isUncertain || decision.status === 'sending') return { ...row, ...decision };
		const reason = [decision.reason, `an earlier attempt is ${MAY_HAVE_BEEN_SENT}`];
		const status = ['failed', 'stopped', 'opted out'].includes(decision.status)
			? 'unknown'
			: decision.status;
		return { ...row, ...decision, status, reason: reason.filter(Boolean).join('; ') };
	});
}

// n8n passes only the data of nodes that the code names like this: $('Name').all().
const rowsOf = (items) => items.map(({ json }) => json).filter(({ id }) => id !== undefined);
const statuses = $('Session status').all();
const decisions = decide({
	rows: rowsOf($('Claimed').all()).sort((a, b) => a.id - b.id),
	campaigns: rowsOf($('Campaigns').all()),
	optOuts: rowsOf($('Opted out').all()),
	sent: [
		...rowsOf($('Sent today').all()),
		...rowsOf($('Being sent').all()),
		...rowsOf($('Sent to this person').all()),
	],
	numbers: $('Numbers')
		.all()
		.map(({ json }) => json.number),
	online: $('Numbers')
		.all()
		.filter((_, index) => statuses[index].json.online)
		.map(({ json }) => json.number),
	settings: { ...$('Settings').first().json, timezone: $now.zoneName },
	now: $now.toMillis(),
});
return decisions.map((json) => ({ json }));
