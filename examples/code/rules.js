// Decides for each claimed row of a campaign whether it is sent now. The first functions know nothing of n8n.
const { lossOf } = require('./shared/breaker.js');
const { isTimezone, problemInCampaign } = require('./shared/campaigns.js');
const { isTooOld, numberOf } = require('./shared/claims.js');
const { MINUTE_MS, nextOpening, whyNotNow } = require('./shared/personRules.js');
const { limitOn, plansIn } = require('./shared/plans.js');
const { isUncertain, MAY_HAVE_BEEN_SENT, releasedBecause } = require('./shared/rows.js');
const { withSendOptions } = require('./shared/sendOptions.js');
const { rowsOf } = require('./shared/tables.js');

/** After a setting that cannot be read, which the user has to correct. */
const CORRECTION_MS = 10 * MINUTE_MS;

/** Until a row looks again whether its number is online. */
const OFFLINE_MS = MINUTE_MS;

/** So many uncertain messages in a row pause the campaigns of a number. */
const UNCERTAIN_IN_A_ROW = 5;

/** The first time of a day, which may have no midnight, or two. luxon's `startOf` finds either of two, and so does `hasSame`. */
function startOfDay(day) {
	const start = day.startOf('day');
	const earlier = start.minus({ hours: 1 });
	return (earlier.toISODate() === start.toISODate() ? earlier : start).toMillis();
}

/** The plans in Settings, or what to correct there. */
function readSettings({ whenOffline, messagesPerMinute, dailyCaps, newPeoplePerDay }, numbers) {
	const correct = (name, why) => ({
		problem: `Correct '${name}' in Settings of example 11: ${why}`,
	});
	if (!['wait', 'another number'].includes(whenOffline)) {
		return correct('whenOffline', `it is '${whenOffline}', and must be wait or another number`);
	}
	if (!(Number.isFinite(messagesPerMinute) && messagesPerMinute >= 0)) {
		return correct(
			'messagesPerMinute',
			`it is '${messagesPerMinute ?? ''}', and must be a number (0 is no limit)`,
		);
	}
	const caps = plansIn(dailyCaps, numbers);
	if (caps.problem) return correct('dailyCaps', caps.problem);
	const newPeople = plansIn(newPeoplePerDay, numbers);
	if (newPeople.problem) return correct('newPeoplePerDay', newPeople.problem);
	return { caps: caps.plans, newPeople: newPeople.plans };
}

const personOf = (number, person) => `${number || ''}\n${person}`;

/** A person has read and started one draft of a campaign. Its rows have the same run. */
const draftOf = (name, run) => `${name}\n${run ?? ''}`;

/**
 * What was sent today over each number, by the counters, and when each person had a message, by their rows. A row without a response
 * counts as sent, and one that another run is sending now. It is not known over which number a row without one is sent, so it counts
 * for all.
 */
function countSent({ counters, sent, rows, now, dayStart }) {
	const own = new Set(rows.map(({ id }) => id));
	const today = new Map();
	const newToday = new Map();
	const countedAsNew = new Set();
	const timesOf = new Map();
	const increase = (counts, number, by = 1) => counts.set(number, (counts.get(number) ?? 0) + by);
	const isCounted = ({ sentAt }) => Boolean(sentAt) && Date.parse(sentAt) >= dayStart;
	const addTime = ({ id, person }, time) =>
		timesOf.set(person, (timesOf.get(person) ?? new Map()).set(id, time));
	/** Counts a row that is being sent, and returns whether its person is one more new person. */
	function add(row, time) {
		const person = personOf(row.number, row.person);
		const isMore = row.isNew && !countedAsNew.has(person);
		if (isMore) increase(newToday, numberOf(row));
		if (row.isNew) countedAsNew.add(person);
		if (!isCounted(row)) increase(today, numberOf(row));
		addTime(row, time);
		return isMore;
	}
	for (const count of counters) {
		increase(today, numberOf(count), count.sent);
		increase(newToday, numberOf(count), count.newPeople);
	}
	for (const row of sent) {
		if (row.sentAt) addTime(row, Date.parse(row.sentAt));
		if (row.campaign && isCounted(row)) countedAsNew.add(personOf(row.number, row.person));
	}
	for (const row of sent) {
		const isOfAnotherRun = row.status === 'sending' && !own.has(row.id);
		if (isOfAnotherRun) add({ ...row, isNew: Boolean(row.campaign) }, now);
	}
	const countOf = (counts, number) =>
		(counts.get(number) ?? 0) + (number === '' ? 0 : (counts.get('') ?? 0));
	return {
		add,
		/** Whether one more, or one that counts already, is within the limit. */
		hasRoom: (number, limit, row) => countOf(today, number) < limit + (isCounted(row) ? 1 : 0),
		hasRoomForNew: (number, limit, person) =>
			countOf(newToday, number) < limit + (countedAsNew.has(personOf(number, person)) ? 1 : 0),
		timesOf: ({ id, person }) =>
			[...(timesOf.get(person) ?? [])].filter(([other]) => other !== id).map(([, time]) => time),
	};
}

/** Whether the last messages of a number since `since` are all uncertain. */
function isInDoubt(counters, number, since) {
	const times = String(counters.find((count) => numberOf(count) === number)?.uncertain ?? '')
		.split(',')
		.map((entry) => Date.parse(entry.split(' ')[1]));
	return times.filter((time) => time > since).length >= UNCERTAIN_IN_A_ROW;
}

/**
 * One decision per row, in the order of the rows. `campaigns`, `optOuts`, `known`, `counters` and `sent` are rows of the data tables.
 * `counters` are those of today. `sent` has those that another run is sending, and those of these people. `numbers` are the names of all numbers, `sessions` the items of
 * Get Status for them, asked at `askedAt`. At most `mostSent` rows are sent.
 */
function decide(tables) {
	const { rows, mostSent, campaigns, optOuts, known, counters, sent, settings, today } = tables;
	const { numbers, sessions, askedAt } = tables;
	const now = today.toMillis();
	const tomorrow = startOfDay(today.plus({ days: 1 }));
	const campaignOf = new Map(
		campaigns.map((campaign) => [draftOf(campaign.name, campaign.run), campaign]),
	);
	const optedOut = new Set(optOuts.map(({ token }) => token));
	const counts = countSent({ counters, sent, rows, now, dayStart: startOfDay(today) });
	const knownPeople = new Set([
		...known.map(({ number, token }) => personOf(number, token)),
		...sent
			.filter(({ status }) => status === 'sent')
			.map(({ number, person }) => personOf(number, person)),
	]);
	let toSend = mostSent;
	const { problem, caps, newPeople } = readSettings(settings, numbers.filter(Boolean));
	const problemFor = ({ number }) => (number ? problem : readSettings(settings, numbers).problem);
	const capOf = (number) => limitOn(today.toISODate(), caps, number);
	const newLimitOf = (number) => limitOn(today.toISODate(), newPeople, number);
	const isOnline = (number) => sessions[numbers.indexOf(number)]?.online === true;

	const wait = (until, reason) => ({
		status: 'pending',
		nextAttemptAt: new Date(until).toISOString(),
		reason,
	});
	const waitForCorrection = (reason) => wait(now + CORRECTION_MS, reason);
	const end = (status, reason) => ({ status, reason });
	/** Due as before: a batch that follows decides again. */
	const release = (fields) => ({
		status: 'pending',
		nextAttemptAt: today.toUTC().toISO(),
		...fields,
	});
	const othersOf = (row) => String(row.otherNumbers ?? '').split(',');
	const isNewTo = (number, { person, token }) =>
		![person, token].some((each) => knownPeople.has(personOf(number, each)));
	const mayBeNew = (number, { person }) => counts.hasRoomForNew(number, newLimitOf(number), person);

	/**
	 * The number that sends the row. Another one only if no attempt over its own can have arrived: the gateway knows the
	 * idempotency key of an attempt only at the number that made it.
	 */
	function numberFor(row) {
		const own = row.number || '';
		if (isOnline(own)) return own;
		if (settings.whenOffline !== 'another number') return undefined;
		if (row.sentAt || isUncertain(row)) return undefined;
		return othersOf(row).find(
			(number) =>
				isOnline(number) &&
				counts.hasRoom(number, capOf(number), row) &&
				(!isNewTo(number, row) || mayBeNew(number, row)),
		);
	}

	/** Why the campaigns of a number have to pause. What was sent or seen before a campaign was resumed no longer counts. */
	function reasonToPause(number, campaign) {
		const resumedAt = Date.parse(campaign.updatedAt);
		const session = askedAt > resumedAt ? sessions[numbers.indexOf(number)] : undefined;
		const loss = lossOf(number, session ?? {});
		if (loss || !isInDoubt(counters, number, resumedAt)) return loss;
		return `The last ${UNCERTAIN_IN_A_ROW} messages${number && ` of ${number}`} have no response, so they may have been sent. Check their chats and the gateway, then choose Resume`;
	}

	function decideOne(row) {
		const campaign = campaignOf.get(draftOf(row.campaign, row.run));
		if (!campaign) return end('failed', 'There is no campaign with this name and run');
		const wrong = problemInCampaign(campaign);
		if (['draft', 'paused', 'stopped'].includes(campaign.status))
			return end(campaign.status, `The campaign is ${campaign.status}`);
		if (optedOut.has(row.token)) return end('opted out', '');
		if (wrong) return waitForCorrection(wrong);
		if (row.timezone && !isTimezone(row.timezone)) {
			return waitForCorrection(
				`Correct 'timezone' in the data table 'Messaging outbox': it is '${row.timezone}', and must be a name such as Europe/London`,
			);
		}
		const pausedBecause = reasonToPause(row.number || '', campaign);
		if (pausedBecause) return { ...end('paused', pausedBecause), pausedBecause };
		const timezone = row.timezone || campaign.timezone;
		const limits = { ...campaign, timezone };
		const opening = (at) => nextOpening(at, limits);
		const hold = whyNotNow(counts.timesOf(row), now, limits);
		if (hold) return wait(hold.until, hold.reason);
		const toCorrect = problemFor(row);
		if (toCorrect) return waitForCorrection(toCorrect);
		const number = numberFor(row);
		if (number === undefined && !numbers.includes(row.number || '')) {
			return waitForCorrection(
				`Correct 'numbers' in Settings of example 11: it has no '${row.number}'. Add it, or correct 'number' of the message`,
			);
		}
		if (number === undefined) {
			return wait(
				now + OFFLINE_MS,
				`The ${row.number ? `number ${row.number}` : 'phone'} is offline`,
			);
		}
		const cap = capOf(number);
		if (!counts.hasRoom(number, cap, row))
			return wait(opening(tomorrow), `The daily cap of ${cap} is reached`);
		const isNew = isNewTo(number, row);
		if (isNew && !mayBeNew(number, row)) {
			return wait(
				opening(tomorrow),
				`The limit of ${newLimitOf(number)} new people per day is reached`,
			);
		}
		const isOwn = number === (row.number || '');
		if (isOwn && toSend === 0) return release({ isReleased: true });
		const isMore = counts.add({ ...row, number, isNew }, now);
		if (isOwn) {
			toSend -= 1;
			return { status: 'sending', isNew: isMore };
		}
		// Another run may be sending for the other number, so this one has to claim the row again there.
		const otherNumbers = [row.number, ...othersOf(row).filter((each) => each !== number)].join(',');
		return release({ number, otherNumbers });
	}

	// Keeps what earlier attempts left in `reason`: it may say that the message may have been sent.
	return rows.map((row) => {
		const decision = decideOne(row);
		if (!isUncertain(row) || decision.reason === undefined) return { ...row, ...decision };
		const reason = [decision.reason, `an earlier attempt is ${MAY_HAVE_BEEN_SENT}`];
		const status = ['failed', 'stopped', 'opted out'].includes(decision.status)
			? 'unknown'
			: decision.status;
		return { ...row, ...decision, status, reason: reason.filter(Boolean).join('; ') };
	});
}

// n8n passes only the data of nodes that the code names like this: $('Name').all().
const { mostSent, day } = $('Batch').first().json;
const settings = $('Settings').first().json;
const claimed = rowsOf($('Claimed').all());
const rows = claimed.filter(({ status }) => status === 'sending');
const counters = rowsOf($('Known people').all()).filter(({ token }) => token === day);
const decisions = decide({
	...{ rows, mostSent, counters },
	campaigns: rowsOf($('Campaigns').all()),
	optOuts: rowsOf($('Opted out').all()),
	known: rowsOf($('Known people').all()),
	sent: rowsOf($('Being sent').all()),
	numbers: $('Numbers')
		.all()
		.map(({ json }) => json.number),
	askedAt: Date.parse($('Numbers').first().json.askedAt),
	sessions: $('Session status')
		.all()
		.map(({ json }) => json),
	settings,
	today: $now,
});
const released = decisions.map((row) =>
	row.status === 'sending' && isTooOld(row)
		? { ...row, ...releasedBecause(row, 'n8n was too slow') }
		: row,
);
const others = claimed.filter(({ status }) => status !== 'sending');
const perMinute = settings.messagesPerMinute && Math.max(1, settings.messagesPerMinute);
return withSendOptions([...released, ...others], perMinute).map((json) => ({ json }));
