// What each row of the batch becomes: after Send, or because it is not sent now. Rows with the same result are one item, so that one
// update writes them all.
const { lossOf } = require('./shared/breaker.js');
const { numberOf, secondsSince } = require('./shared/claims.js');
const { afterSend, now, unsent } = require('./shared/afterSend.js');
const { batchOf, sizeAfter } = require('./shared/batchSize.js');
const { isUncertain } = require('./shared/rows.js');
const { FINISHED } = require('./shared/states.js');
const { rowsOf } = require('./shared/tables.js');

/** A batch has at most 12 operations on data tables, and the rules of campaigns need more of them. */
const MAX_GROUPS = { order: 6, campaign: 3 };
/** So many uncertain messages of a number, one after the other, are remembered. */
const MAX_UNCERTAIN = 5;

/** Rows with the same values, the largest group first. */
function grouped(entries) {
	const groups = new Map();
	for (const { id, values } of entries) {
		const key = JSON.stringify(values);
		groups.set(key, { values, ids: [...(groups.get(key)?.ids ?? []), id] });
	}
	return [...groups.values()].sort((a, b) => b.ids.length - a.ids.length);
}

const latest = (times) =>
	times.filter(Boolean).reduce((last, time) => (time > last ? time : last), '') || null;

/** Several groups as one. The reason says which row had which. */
function merged(groups, status) {
	const all = groups.map(({ values }) => values);
	const reasons = groups.map(({ ids, values }) => {
		const rows = `${ids.length === 1 ? 'Row' : 'Rows'} ${ids.join(', ')}`;
		return `${rows}: ${[values.status !== status && values.status, values.reason].filter(Boolean).join(', ')}`;
	});
	const values = {
		...{ ...all[0], status, attempts: Math.max(...all.map(({ attempts }) => attempts)) },
		nextAttemptAt: latest(all.map(({ nextAttemptAt }) => nextAttemptAt)),
		reason: all.every(({ reason }) => reason === all[0].reason)
			? all[0].reason
			: reasons.join('; '),
		sentAt: latest(all.map(({ sentAt }) => sentAt)),
	};
	return { values, ids: groups.flatMap(({ ids }) => ids) };
}

/** At most so many groups: first those with the same status become one, then what is left has to be checked by a person. */
function atMost(groups, most) {
	if (groups.length <= most) return groups;
	const kindOf = ({ values }) => `${values.status} ${isUncertain(values)}`;
	const kinds = [...new Set(groups.map(kindOf))].map((kind) => {
		const same = groups.filter((group) => kindOf(group) === kind);
		return same.length === 1 ? same[0] : merged(same, same[0].values.status);
	});
	if (kinds.length <= most) return kinds;
	return [...kinds.slice(0, most - 1), merged(kinds.slice(most - 1), 'unknown')];
}

/** What to write. Rows that wait are released if there are too many groups: the next batch decides about them again. */
function toWrite(sent, waiting, isReleased, most) {
	const isAnyWaiting = waiting.length > 0 || isReleased;
	const groups = atMost(grouped(sent), most - (isAnyWaiting ? 1 : 0));
	const others = grouped(waiting);
	const room = most - groups.length;
	const fits = others.length + (isReleased ? 1 : 0) <= room;
	return {
		groups: [...groups, ...(fits ? others : others.slice(0, room - 1))],
		isToRelease: isReleased || !fits,
	};
}

const batch = $('Batch').first().json;
const { isForRules } = $('Claimed').first().json;
const decisions = rowsOf($(isForRules ? 'Rules' : 'Claimed').all());
const outputs = decisions.some(({ status }) => status === 'sending') ? $input.all() : [];
const { claimedBy, updatedAt } = decisions[0];

const results = new Map();
const toSendAgain = new Set();
let loss = decisions.find(({ pausedBecause }) => pausedBecause)?.pausedBecause;
for (const [index, { json }] of outputs.entries()) {
	// `pairedItem` of an input item is its own index, so only n8n can follow the pairing to the row.
	const row = $('Send now?').itemMatching(index).json;
	const result = afterSend(row, json);
	results.set(row.id, result);
	if (result.status === 'pending' && json.outcome === undefined) toSendAgain.add(row.id);
	if (batch.campaign) loss ??= lossOf(batch.number, json);
}

/** A row that follows another one of this batch has what became of that one. */
function resultOf(decision) {
	const first = results.get(decision.follows);
	const followed = FINISHED.includes(first?.status)
		? { ...decision, status: first.status }
		: decision;
	return results.get(decision.id) ?? unsent(decision, followed);
}

function valuesOf(row) {
	const { status, attempts, nextAttemptAt, reason, sentAt } = resultOf(row);
	const { id, number, otherNumbers } = row;
	return { id, values: { status, attempts, nextAttemptAt, reason, sentAt, number, otherNumbers } };
}
const { groups, isToRelease } = toWrite(
	decisions.filter(({ id }) => results.has(id)).map(valuesOf),
	decisions.filter(({ id, isReleased }) => !results.has(id) && !isReleased).map(valuesOf),
	decisions.some(({ isReleased }) => isReleased),
	MAX_GROUPS[batch.campaign ? 'campaign' : 'order'],
);

const isToday = (time) =>
	Boolean(time) && DateTime.fromISO(time).setZone($now.zoneName).toISODate() === batch.day;

/** The counters of the number and the day: each message counts once, however many attempts it has. */
function countsAfter() {
	const begun = decisions.filter(({ id }) => results.get(id)?.sentAt === now);
	if (begun.length === 0) return null;
	const stored = rowsOf($('Known people').all()).find(
		(row) => row.token === batch.day && numberOf(row) === batch.number,
	);
	const { sent = 0, newPeople = 0 } = stored ?? {};
	let uncertain = String(stored?.uncertain ?? '')
		.split(',')
		.filter(Boolean);
	for (const { id } of begun) {
		const others = uncertain.filter((each) => !each.startsWith(`${id} `));
		uncertain = isUncertain(results.get(id)) ? [...others, `${id} ${now}`] : [];
	}
	const counted = begun.filter(({ sentAt }) => !isToday(sentAt));
	return {
		...{ day: batch.day, number: batch.number },
		sent: sent + counted.length,
		newPeople: newPeople + begun.filter(({ isNew }) => isNew).length,
		uncertain: uncertain.slice(-MAX_UNCERTAIN).join(','),
	};
}

const took = batchOf(results.size, secondsSince(updatedAt), outputs, toSendAgain.size);

function nextSize() {
	if (decisions.some(({ isShared }) => isShared)) return 0;
	if (took.rows === 0) return batch.mostSent;
	const earlier = Array.from({ length: $runIndex }, (_, run) => $('Results').all(0, run)[0]);
	return sizeAfter(
		took,
		earlier.map(({ json }) => json.batch),
	);
}

const { sizes } = $('Results').isExecuted ? $('Results').first().json : {};
const shared = {
	...{ claimedBy, isToRelease, batch: took, counts: countsAfter() },
	...{ pausedBecause: loss ?? '', campaign: batch.campaign },
	sizes: { ...sizes, [batch.number]: nextSize() },
};
const ids = decisions.map(({ id }) => id);
// Without a group, no row is written.
const written = groups.length > 0 ? groups : [{ values: {}, ids: [] }];
return written.map(({ values, ids: own }) => ({
	json: { ...shared, ...values, ids: own, others: ids.filter((id) => !own.includes(id)) },
}));
