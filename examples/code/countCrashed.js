// What runs that crashed may have sent counts as sent, and as sent to new people: one item per number with what it has sent today.
const { isCrashed, numberOf } = require('./shared/claims.js');
const { rowsOf } = require('./shared/tables.js');

const day = $now.toISODate();
const counts = new Map();
for (const row of rowsOf($('Held rows').all()).filter(isCrashed)) {
	const number = numberOf(row);
	const stored = rowsOf($('Counted today').all()).find((count) => numberOf(count) === number);
	const { sent, newPeople } = counts.get(number) ?? { sent: 0, newPeople: 0, ...stored };
	const isCounted =
		row.sentAt && DateTime.fromISO(row.sentAt).setZone($now.zoneName).toISODate() === day;
	counts.set(number, {
		sent: sent + (isCounted ? 0 : 1),
		newPeople: newPeople + (row.campaign && !isCounted ? 1 : 0),
	});
}
return [...counts].map(([number, count]) => ({ json: { day, number, ...count } }));
