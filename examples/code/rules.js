// Decides for each claimed row of a campaign whether it is sent now. The first functions know nothing of n8n.
const { lossOf } = require('./shared/breaker.js');
const { isTimezone, problemInCampaign } = require('./shared/campaigns.js');
const { MINUTE_MS, nextOpening, whyNotNow } = require('./shared/personRules.js');
const { limitOn, plansIn } = require('./shared/plans.js');
const { isUncertain, MAY_HAVE_BEEN_SENT } = require('./shared/rows.js');
const { rowsOf, uniqueById } = require('./shared/tables.js');

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
 * What was sent today and to whom, by number. A row without a response counts as sent, and one that another run is sending now.
 * It is not known over which number a row without one is sent, so it counts for all.
 */
function countSent({ sent, own, now, dayStart }) {
	const today = new Map();
	const newToday = new Map();
	const timesOf = new Map();
	const add = ({ id, number, person, isNew }, time) => {
		if (time >= dayStart) today.set(id, number || '');
		if (time >= dayStart && isNew) newToday.set(personOf(number, person), number || '');
		timesOf.set(person, (timesOf.get(person) ?? new Map()).set(id, time));
	};
	for (const row of sent) {
		if (row.sentAt) add(row, Date.parse(row.sentAt));
		else if (!own.has(row.id)) add(row, now);
	}
	const countOf = (all, number) =>
		[...all.values()].filter((each) => each === number || each === '').length;
	return {
		add,
		/** Whether one more, or one that counts already, is within the limit. */
		hasRoom: (number, limit, id) => countOf(today, number) < limit + (today.has(id) ? 1 : 0),
		hasRoomForNew: (number, limit, person) =>
			countOf(newToday, number) < limit + (newToday.has(personOf(number, person)) ? 1 : 0),
		timesOf: ({ id, person }) =>
			[...(timesOf.get(person) ?? [])].filter(([other]) => other !== id).map(([, time]) => time),
	};
}

/** Whether the last messages of a number since `since` are all uncertain. */
function isInDoubt(sent, number, since) {
	// Those of a run that crashed say nothing about the number: nobody waited for their response.
	const last = sent
		.filter((row) => row.sentAt && (row.number || '') === number && Date.parse(row.sentAt) > since)
		.filter((row) => row.attempts > 0)
		.sort((a, b) => Date.parse(a.sentAt) - Date.parse(b.sentAt) || a.id - b.id)
		.slice(-UNCERTAIN_IN_A_ROW);
	return last.length === UNCERTAIN_IN_A_ROW && last.every(isUncertain);
}

/**
 * One decision per row, in the order of the rows. `campaigns`, `optOuts`, `known` and `sent` are rows of the data tables. `sent`
 * has those that another run is sending, and those that were sent to one of these people or today: read in this order, so that
 * none is missed that the other run marks as sent in between. `numbers` are the names of all numbers, `sessions` the items of
 * Get Status for them, asked at `askedAt`. At most `mostSent` rows are sent.
 */
function decide(tables) {
	const { rows, mostSent, campaigns, optOuts, known, sent, settings, today } = tables;
	const { numbers, sessions, askedAt } = tables;
	const now = today.toMillis();
	const tomorrow = startOfDay(today.plus({ days: 1 }));
	const campaignOf = new Map(
		campaigns.map((campaign) => [draftOf(campaign.name, campaign.run), campaign]),
	);
	const optedOut = new Set(optOuts.map(({ token }) => token));
	const own = new Set(rows.map(({ id }) => id));
	const counts = countSent({ sent, own, now, dayStart: startOfDay(today) });
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
	const release = (fields) => ({ status: 'pending', ...fields });
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
				counts.hasRoom(number, capOf(number), row.id) &&
				(!isNewTo(number, row) || mayBeNew(number, row)),
		);
	}

	/** Why the campaigns of a number have to pause. What was sent or seen before a campaign was resumed no longer counts. */
	function reasonToPause(number, campaign) {
		const resumedAt = Date.parse(campaign.updatedAt);
		const session = askedAt > resumedAt ? sessions[numbers.indexOf(number)] : undefined;
		const loss = lossOf(number, session ?? {});
		if (loss || !isInDoubt(sent, number, resumedAt)) return loss;
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
		if (!counts.hasRoom(number, cap, row.id))
			return wait(opening(tomorrow), `The daily cap of ${cap} is reached`);
		const isNew = isNewTo(number, row);
		if (isNew && !mayBeNew(number, row)) {
			return wait(
				opening(tomorrow),
				`The limit of ${newLimitOf(number)} new people per day is reached`,
			);
		}
		const isOwn = number === (row.number || '');
		if (isOwn && toSend === 0) return release();
		counts.add({ ...row, number, isNew }, now);
		if (isOwn) {
			toSend -= 1;
			return { status: 'sending', isNew };
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
const decisions = decide({
	rows: rowsOf($('Claimed').all()).sort((a, b) => a.id - b.id),
	mostSent: $('Batch').first().json.mostSent,
	campaigns: rowsOf($('Campaigns').all()),
	optOuts: rowsOf($('Opted out').all()),
	known: rowsOf($('Known people').all()),
	// In the order in which they are read. What is read last is true.
	sent: uniqueById([
		...rowsOf($('Being sent').all()),
		...rowsOf($('Sent to this person').all()),
		...rowsOf($('Sent today').all()),
	]),
	numbers: $('Numbers')
		.all()
		.map(({ json }) => json.number),
	askedAt: Date.parse($('Numbers').first().json.askedAt),
	sessions: $('Session status')
		.all()
		.map(({ json }) => json),
	settings: $('Settings').first().json,
	today: $now,
});
return decisions.map((json) => ({ json }));
